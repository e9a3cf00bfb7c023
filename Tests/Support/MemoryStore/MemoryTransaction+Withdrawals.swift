internal import RegistryContract
internal import WidgetBytes
internal import WidgetRegistry

/// Releases that hosts may not keep, as the SQL of other catalogs selects them.
extension MemoryTransaction {
    private struct Forbidden {
        var id: Int64
        var release: WithdrawnRelease

        /// The newest withdrawal first.
        static func precedes(_ one: Forbidden, _ other: Forbidden) -> Bool {
            (one.release.withdrawal.at, one.id) > (other.release.withdrawal.at, other.id)
        }
    }

    func forbiddenReleases(ofBundle bundle: Int64, limit: Int) throws(RegistryError) -> [WithdrawnRelease] {
        var found: [Forbidden] = []
        for record in tables.releases where record.bundle == bundle {
            guard let withdrawal = record.withdrawal, withdrawal.directive != .keep else { continue }
            let release = WithdrawnRelease(record.key, record.release.contentDigest, withdrawal)
            found.append(Forbidden(id: record.id, release: release))
        }
        return found.sorted(by: Forbidden.precedes).prefix(limit).map(\.release)
    }
}
