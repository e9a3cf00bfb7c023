internal import HTTPServer
internal import Registry

extension Reading {
    /// `GET /`
    func startPage(_ request: borrowing Request) throws -> Answer {
        let part = try PageParameters(request)
        let address = page.address()
        return try document(request, DocumentKey(.page, address, part.key)) { [page] registry, reader throws(Problem) in
            let bundles = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.bundles(
                    BundleQuery(limit: part.limit, after: part.after, isVisible: { reader.sees($0) }))
            }
            return page.draft(bundles, address: address)
        }
    }
}
