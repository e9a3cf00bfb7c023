internal import HTTPServer
internal import HTTPWire
internal import Registry

extension Reading {
    /// `GET /v1/bundles`
    func bundles(_ request: borrowing Request) throws -> Answer {
        let part = try PageParameters(request)
        let prefix = try request.query("prefix", as: "256 bytes at most") { $0.utf8.count <= 256 ? $0 : nil }
        let text = try request.query("q", as: "256 bytes at most") { $0.utf8.count <= 256 ? $0 : nil }
        let channel = try request.query("channel", as: "a channel's name") { Channel.isName($0) ? $0 : nil }
        let key = DocumentKey(.bundles, prefix, text, channel, part.key)
        return try document(request, key) { registry, reader throws(Problem) in
            let page = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.bundles(
                    BundleQuery(
                        prefix: prefix ?? "", text: text ?? "", channel: channel, limit: part.limit, after: part.after,
                        isVisible: { reader.sees($0) }))
            }
            let next = page.next.map(PageParameters.cursor)
            var draft = Draft(PageDocument.bytes(page.items, next: next) { BundleDocument.write($0, to: &$1) })
            draft.fields = PageParameters.link(
                "/v1/bundles",
                ["prefix": prefix, "q": text, "channel": channel, "limit": String(part.limit)],
                next: next.map { "cursor=\($0)" })
            return draft
        }
    }

    /// `GET /v1/bundles/{id}`
    func bundle(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try document(request, DocumentKey(.bundle, bundle.text), about: bundle.text) {
            registry, reader throws(Problem) in
            Draft(
                BundleDocument.bytes(
                    try Reading.ask(reader) { () throws(RegistryError) in try registry.bundle(bundle.text) }))
        }
    }

    /// `GET /v1/bundles/{id}/channels`
    func channels(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try document(request, DocumentKey(.channels, bundle.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let channels = try Reading.ask(reader) { () throws(RegistryError) in try registry.channels(bundle.text) }
            return Draft(PageDocument.bytes(channels, next: nil) { ChannelDocument.write($0, to: &$1) })
        }
    }

    /// `GET /v1/bundles/{id}/channels/{channel}`
    func channel(_ request: borrowing Request, _ bundle: BundleIdentifier, _ name: ChannelName) throws -> Answer {
        try document(request, DocumentKey(.channel, bundle.text, name.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let channel = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.channel(bundle.text, name.text)
            }
            var draft = Draft(ChannelDocument.bytes(channel))
            // Its tag is what If-Match names, so there is one.
            draft.isCompressible = false
            return draft
        }
    }
}
