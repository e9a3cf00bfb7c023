import WidgetRegistry

/// The search index, and the parts that are kept beside releases.
extension MemoryTransaction {
    func bundles(
        withTermIn range: TermRange, after place: TermPlace?, limit: Int
    ) -> [(bundle: BundleRecord, term: String)] {
        let found = tables.bundles.compactMap { bundle in
            (tables.terms[bundle.id] ?? []).filter(range.contains).min(by: precedes).map { (bundle, $0) }
        }
        let sorted = found.sorted { one, other in
            one.1 == other.1 ? precedes(one.0.identifier, other.0.identifier) : precedes(one.1, other.1)
        }
        return Array(
            sorted.filter { bundle, term in
                guard let place else { return true }
                return term == place.term ? precedes(place.identifier, bundle.identifier) : precedes(place.term, term)
            }.prefix(limit))
    }

    func termCount(in range: TermRange, upTo limit: Int) -> Int {
        min(limit, tables.terms.values.reduce(0) { $0 + $1.count(where: range.contains) })
    }

    func terms(ofBundle bundle: Int64) -> [String] { (tables.terms[bundle] ?? []).sorted(by: precedes) }

    func unindexedBundles(limit: Int) -> [Int64] {
        Array(tables.bundles.map(\.id).filter { tables.terms[$0] == nil }.prefix(limit))
    }

    func setTerms(_ terms: [String], of bundle: Int64) { tables.terms[bundle] = terms }

    func part(_ name: String, ofRelease release: Int64) -> ReleasePart? {
        tables.documents[release]?.parts.first { $0.name == name }
    }

    func partNames(ofRelease release: Int64) -> [String] {
        (tables.documents[release]?.parts ?? []).map(\.name).sorted(by: precedes)
    }

    func releases(withoutPart name: String, areShown: Bool, before last: Int64, limit: Int) -> [ReleaseName] {
        let found = tables.releases.filter { record in
            guard let documents = tables.documents[record.id] else { return false }
            let isShown = tables.channels.contains { $0.bundle == record.bundle && $0.state.shows(record.id) }
            return record.id < last && !record.isGone && isShown == areShown
                && !documents.parts.contains { $0.name == name }
        }
        return found.sorted { $0.id > $1.id }.prefix(limit).map { record in
            let bundle = tables.bundles.first { $0.id == record.bundle }?.identifier ?? ""
            return ReleaseName(number: record.id, bundle: bundle, key: record.release.key)
        }
    }

    func removeParts(of release: Int64) { tables.documents[release]?.parts = [] }

    func put(_ part: ReleasePart, of release: Int64) {
        tables.documents[release]?.parts.removeAll { $0.name == part.name }
        tables.documents[release]?.parts.append(part)
    }

    func latestChanges(limit: Int) -> [RegistryChange] { Array(tables.changes.reversed().prefix(limit)) }
}
