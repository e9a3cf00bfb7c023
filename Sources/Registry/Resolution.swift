/// What a host asks for.
package struct ResolveQuery: Sendable {
    package var widgetIdentifier: String
    package var channel: String
    /// The versions that the host has; releases that ask for more are left out.
    package var os: String?
    package var host: String?
    /// The bundle that must match.
    package var pin: String?
    /// Which bundles the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        widgetIdentifier: String, channel: String = "stable", os: String? = nil, host: String? = nil,
        pin: String? = nil, isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.channel = channel
        self.os = os
        self.host = host
        self.pin = pin
        self.isVisible = isVisible
    }
}

/// What a widget identifier leads to, the same for every host.
package struct Resolution: Equatable, Sendable {
    package struct Candidate: Equatable, Sendable {
        /// Of 0..<10000; no two candidates share one.
        package var buckets: Range<Int>
        package var release: Release
        /// The finished JSON array of the release's files.
        package var files: [UInt8]
    }

    package var bundleIdentifier: String
    package var channel: String
    package var sequence: Int64
    package var isMandatory: Bool
    package var salt: String
    /// In the order of their buckets, at least one.
    package var candidates: [Candidate]
}
