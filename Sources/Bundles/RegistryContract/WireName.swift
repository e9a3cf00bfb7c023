internal import WidgetBundles
package import WidgetBytes

/// A name with a law: text that is checked once, and trusted from then on.
package protocol WireName: Hashable, Sendable, CustomStringConvertible {
    var text: String { get }
    /// `nil` for text that breaks the law.
    init?(checking text: String)
    /// The law, as a sentence that continues "Not a …: ".
    static var law: String { get }
}

extension WireName {
    package var description: String { text }

    /// Reads a segment of a path.
    package init?(bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(checking: String(copying: text))
    }
}

/// The identifier of a bundle: its `CFBundleIdentifier`.
package struct BundleIdentifier: WireName {
    package static let longest = BundleManifest.longestIdentifier

    package let text: String

    package init?(checking text: String) {
        guard BundleIdentifier.isIdentifier(text) else { return nil }
        self.text = text
    }

    package static func isIdentifier(_ text: String) -> Bool { BundleManifest.isIdentifier(text) }

    package static let law =
        "labels of A-Z a-z 0-9 and hyphens joined by dots are one, two labels at least and \(longest) bytes at most."
}

/// The name a host asks for. It begins with the identifier of the bundle that answers to it, hence with a letter or a
/// digit.
///
/// It is also the name of a folder in a host's cache, so it can neither be empty nor hold a slash, nor begin with a dot.
package struct WidgetIdentifier: WireName {
    package static let longest = 255

    package let text: String

    package init?(checking text: String) {
        let bytes = text.utf8
        guard (1...WidgetIdentifier.longest).contains(bytes.count), bytes.first?.isLetterOrDigit == true,
            bytes.allSatisfy(WidgetIdentifier.isAllowed)
        else { return nil }
        self.text = text
    }

    /// The same law on bytes that are no text yet: a path on its way to a cached answer.
    package init?(bytes: Span<UInt8>) {
        guard (1...WidgetIdentifier.longest).contains(bytes.count), bytes[0].isLetterOrDigit else { return nil }
        for index in bytes.indices where !WidgetIdentifier.isAllowed(bytes[index]) { return nil }
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.text = String(copying: text)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    /// True if a bundle of that name may answer for this widget. Case counts.
    package func belongs(to bundleIdentifier: String) -> Bool {
        text.utf8.starts(with: bundleIdentifier.utf8)
    }

    package static let law = "1 to \(longest) of A-Z a-z 0-9 . - _, a letter or digit first, are one."
}

/// The key of a release: `1.4.0~312`, on a snapshot channel followed by `+` and twelve digits of the content digest.
package struct ReleaseKey: WireName {
    /// Bytes of a version, and of what a snapshot channel appends to the build.
    private static let longestVersion = 64
    private static let longestSuffix = 13

    package let text: String

    package init?(checking text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "~"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...ReleaseKey.longestVersion).contains(parts[0].count),
            (1...(ReleaseKey.longestVersion + ReleaseKey.longestSuffix)).contains(parts[1].count),
            parts.allSatisfy({ $0.allSatisfy { $0.isLetterOrDigit || "._+-".utf8.contains($0) } })
        else { return nil }
        self.text = text
    }

    package static let law = "a key is the short version, a tilde and the build: 1.4.0~312."
}

/// The name of a channel.
package struct ChannelName: WireName {
    /// The channel of requests that name none.
    package static let standard = "stable"
    private static let longest = 64

    package let text: String

    package init?(checking text: String) {
        guard ChannelName.isName(text) else { return nil }
        self.text = text
    }

    package static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...longest).contains(bytes.count) && bytes.first?.isLetterOrDigit == true
            && bytes.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }

    package static let law = "1 to \(longest) of A-Z a-z 0-9 . _ -, a letter or digit first, are one."
}

/// A version, as bundles and hosts have it.
package enum VersionText {
    package static func isVersion(_ text: String) -> Bool { BundleManifest.isVersion(text) }
}

/// The places of a registry, as paths that clients follow. They are relative, so that they hold behind any proxy.
package enum RegistryPath {
    package static let wellKnown = "/.well-known/widget-registry"
    package static let bundles = "/v1/bundles"
    package static let changes = "/v1/changes"
    package static let audit = "/v1/audit"
    package static let tokens = "/v1/tokens"

    package static func blob(_ digest: Digest) -> String { blob(hex: digest.hex) }

    package static func blob(hex: String) -> String { "/v1/blobs/sha256/\(hex)" }

    package static func bundle(_ identifier: String) -> String { "\(bundles)/\(PercentEncoding.segment(identifier))" }

    package static func releases(_ bundle: String) -> String { "\(RegistryPath.bundle(bundle))/releases" }

    package static func release(_ bundle: String, _ key: String) -> String {
        "\(releases(bundle))/\(PercentEncoding.segment(key))"
    }

    package static func restore(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/restore" }

    package static func report(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/report" }

    package static func difference(_ bundle: String, from old: String, to new: String) -> String {
        "\(release(bundle, old))/diff/\(PercentEncoding.segment(new))"
    }

    package static func channel(_ bundle: String, _ name: String) -> String {
        "\(RegistryPath.bundle(bundle))/channels/\(PercentEncoding.segment(name))"
    }

    package static func rollback(_ bundle: String, _ name: String) -> String { "\(channel(bundle, name))/rollback" }

    package static func widget(_ identifier: String) -> String { "/v1/widgets/\(PercentEncoding.segment(identifier))" }

    package static func outcomes(ofWidget identifier: String) -> String { "\(widget(identifier))/outcomes" }

    package static func outcomes(_ bundle: String, _ key: String) -> String { "\(release(bundle, key))/outcomes" }

    package static func token(_ name: String) -> String { "\(tokens)/\(PercentEncoding.segment(name))" }

    package static func rotation(_ name: String) -> String { "\(token(name))/rotate" }
}
