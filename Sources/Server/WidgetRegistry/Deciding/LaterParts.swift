/// A release, named by its bundle and its key.
package struct ReleaseName: Equatable, Sendable {
    /// In the order in which releases were stored.
    package let number: Int64
    package let bundle: String
    package let key: String

    package init(number: Int64, bundle: String, key: String) {
        (self.number, self.bundle, self.key) = (number, bundle, key)
    }
}

// Parts that a release is given after its publication. They are no part of what was published: neither digests nor documents
// nor the feed know of them.
extension Registry {
    /// The releases without a part of a name that clients may ask for: first those that channels show, and then the others,
    /// of either the latest first.
    ///
    /// - Parameter prefix: the whole labels that their bundles are, or begin with before a dot; empty: any.
    package func releases(
        withoutPart name: String, ofBundles prefix: String = "", limit: Int
    ) throws(RegistryError) -> [ReleaseName] {
        var found: [ReleaseName] = []
        let bundles = Token(name: "", prefix: prefix, scopes: [], created: 0)
        for isShown in [true, false] {
            var last = Int64.max
            while found.count < limit {
                let page = try catalog.read { catalog throws(RegistryError) in
                    try catalog.releases(withoutPart: name, areShown: isShown, before: last, limit: Registry.pageLength)
                }
                guard let end = page.last else { break }
                last = end.number
                found += page.filter { bundles.covers($0.bundle) }.prefix(limit - found.count)
            }
        }
        return found
    }

    private static let pageLength = 200

    /// Gives a release parts in place of all that it has.
    ///
    /// - Returns: false for a release that is withdrawn, has expired, or is not there.
    @discardableResult
    package func replaceParts(
        of bundle: String, _ key: String, with parts: [ReleasePart]
    ) throws(RegistryError) -> Bool {
        try changeParts(of: bundle, key) { catalog, release throws(RegistryError) in
            try catalog.removeParts(of: release)
            for part in parts { try catalog.put(part, of: release) }
        }
    }

    /// Gives a release parts beside those of other names.
    @discardableResult
    package func putParts(
        _ parts: [ReleasePart], of bundle: String, _ key: String
    ) throws(RegistryError) -> Bool {
        try changeParts(of: bundle, key) { catalog, release throws(RegistryError) in
            for part in parts { try catalog.put(part, of: release) }
        }
    }

    private func changeParts(
        of bundle: String, _ key: String,
        _ change: @escaping @Sendable (any CatalogEditor, Int64) throws(RegistryError) -> Void
    ) throws(RegistryError) -> Bool {
        let isChanged = try catalog.write { catalog, _ throws(RegistryError) in
            guard let found = try catalog.bundle(bundle), let record = try catalog.release(key, ofBundle: found.id),
                !record.isGone, try catalog.holdsDocuments(record.id)
            else { return false }
            try change(catalog, record.id)
            return true
        }
        if isChanged { tellParts(of: bundle) }
        return isChanged
    }
}
