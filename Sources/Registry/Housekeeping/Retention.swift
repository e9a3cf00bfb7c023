/// How long what was taken out of sight is kept.
package enum Retention {
    /// Who is said to have withdrawn a snapshot that there was no more room for. Its key may be given again: it
    /// holds the content's digest, so that it can only mean the same.
    package static let author = "retention"
    static let reason = "later snapshots took its place"

    package struct Cutoffs: Sendable {
        /// What was withdrawn before has come to its end.
        package var withdrawn: Int64
        /// The same for snapshots that were retired.
        package var retired: Int64

        package init(withdrawn: Int64, retired: Int64) {
            self.withdrawn = withdrawn
            self.retired = retired
        }
    }

    /// The keys of snapshots that no channel shows and of which each snapshot channel has later ones enough.
    ///
    /// One that was ever put on another channel is none of them: a rollback there may lead to it.
    static func surplusSnapshots(
        ofBundle bundle: Int64, channels: [String], keeping count: Int, in catalog: any CatalogReader
    ) throws(RegistryError) -> [String] {
        let all = try catalog.snapshots(ofBundle: bundle)
        let shown = try catalog.channels(ofBundle: bundle).map(\.state)
        var left: [String: Int] = [:]
        var surplus: [String] = []
        // The newest first: each channel it was published to has one place less.
        for snapshot in all {
            let places = Set(try catalog.channels(everShowing: snapshot.id, inBundle: bundle))
            let wanted = places.isEmpty ? [""] : places
            var isKept = !wanted.subtracting(channels + [""]).isEmpty || shown.contains { $0.shows(snapshot.id) }
            for place in wanted where left[place, default: count] > 0 {
                left[place, default: count] -= 1
                isKept = true
            }
            if !isKept { surplus.append(snapshot.key) }
        }
        return surplus
    }
}
