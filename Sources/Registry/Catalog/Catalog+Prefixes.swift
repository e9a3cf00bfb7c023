internal import Database

/// A bundle as the index of identifiers knows it.
struct BundleName {
    var id: Int64
    var identifier: String

    init(_ row: Row) throws(DatabaseError) {
        id = try row.integer(0)
        identifier = try row.text(1)
    }
}

extension Catalog {
    /// The longest identifier that the text begins with.
    ///
    /// The greatest identifier not after the text is it, or shares with the text all that any identifier does that
    /// the text begins with; so the text is cut to what the two share, and asked about again. Each step is one
    /// look-up in an index, and in practice there are one or two, whatever the number of bundles.
    func longestBundle(beginning text: String) throws(RegistryError) -> BundleName? {
        var left = Array(text.utf8)
        while !left.isEmpty {
            let found = try first(
                "SELECT id, identifier FROM bundle WHERE identifier <= ? ORDER BY identifier DESC LIMIT 1",
                .text(String(decoding: left, as: UTF8.self)), read: BundleName.init)
            guard let found else { return nil }
            let shared = Catalog.sharedCount(left, found.identifier)
            if shared == found.identifier.utf8.count { return found }
            left.removeLast(left.count - shared)
        }
        return nil
    }

    /// The same for identifiers in whatever case.
    func longestBundle(beginningLike text: String) throws(RegistryError) -> BundleName? {
        var left = Array(BundleRow.folded(text).utf8)
        while !left.isEmpty {
            let found = try first(
                "SELECT id, identifier FROM bundle WHERE folded <= ? ORDER BY folded DESC LIMIT 1",
                .text(String(decoding: left, as: UTF8.self)), read: BundleName.init)
            guard let found else { return nil }
            let shared = Catalog.sharedCount(left, BundleRow.folded(found.identifier))
            if shared == found.identifier.utf8.count { return found }
            left.removeLast(left.count - shared)
        }
        return nil
    }

    private static func sharedCount(_ left: [UInt8], _ right: String) -> Int {
        zip(left, right.utf8).prefix { $0 == $1 }.count
    }
}
