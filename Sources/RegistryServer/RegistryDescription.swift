/// What a registry tells strangers about itself at `/.well-known/widget-registry`.
package struct RegistryDescription: Sendable {
    package var server: String
    /// Names and values, in the order they are to be listed.
    package var limits: [(name: String, value: Int)]
    package var keptFiles: [String]
    package var snapshotChannels: [String]
    package var reads: String

    package init(
        server: String, limits: [(name: String, value: Int)], keptFiles: [String], snapshotChannels: [String],
        reads: String
    ) {
        self.server = server
        self.limits = limits
        self.keptFiles = keptFiles
        self.snapshotChannels = snapshotChannels
        self.reads = reads
    }

    /// The files a bundle may keep, as patterns.
    package static let defaultKeptFiles = [
        "Info.plist", "*.json", "*.plist", "*.strings", "*.stringsdict", "*.mom", "*.momd/**", "*.car",
        "*.storyboardc/**", "*.nib", "*.lproj/**", "*.png", "*.jpg", "*.jpeg", "*.gif", "*.heic", "*.webp", "*.ttf",
        "*.otf",
    ]
}
