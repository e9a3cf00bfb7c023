/// What a registry tells strangers about itself at `/.well-known/widget-registry`.
package struct RegistryDescription: Sendable {
    package var server: String
    /// Names and values, in the order they are to be listed.
    package var limits: [(name: String, value: Int)]
    /// Patterns of the files a bundle may keep.
    package var keptFiles: [String]
    /// Whether publishing is strict when nobody says.
    package var isStrict: Bool
    package var snapshotChannels: [String]
    package var reads: String

    package init(
        server: String, limits: [(name: String, value: Int)], keptFiles: [String], isStrict: Bool = false,
        snapshotChannels: [String], reads: String
    ) {
        self.server = server
        self.limits = limits
        self.keptFiles = keptFiles
        self.isStrict = isStrict
        self.snapshotChannels = snapshotChannels
        self.reads = reads
    }
}
