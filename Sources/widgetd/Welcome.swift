import Configuration
import Registry

/// What a person who starts the server may want to try first.
struct Welcome: Sendable {
    /// Where the token lies, relative to where the person is.
    let tokenFile: String?
    /// A bundle to try things with, where there is one.
    let bundle: String?
    let name: String?
    let isFirstStart: Bool

    init(_ registry: Registry, _ settings: Settings, isFirstStart: Bool) {
        self.isFirstStart = isFirstStart
        tokenFile = settings.adminToken == nil ? "\(settings.data)/admin-token" : nil
        // Only a hint: a store that cannot be read has been complained about elsewhere.
        let first = try? registry.bundles(BundleQuery(channel: "stable", limit: 1)).items.first
        bundle = first?.identifier
        name = first?.name
    }

    /// Lines to paste, each of which works as it stands.
    func lines(_ url: String) -> [String] {
        let token = tokenFile.map { "$(cat \(shell($0)))" } ?? "$WIDGETD_ADMIN_TOKEN"
        let authorization = "-H \"Authorization: Bearer \(token)\""
        guard let bundle, let name else {
            return ["  publish:   curl -T YourWidget.zip \(authorization) \(url)/v1/bundles/"]
        }
        let file = shell("\(name).zip")
        return [
            "  resolve:   curl \(url)/v1/widgets/\(bundle)-1",
            "  download:  curl -o \(file) \(url)/v1/widgets/\(bundle)-1/bundle",
            "  unzip:     unzip -l \(file)",
            "  publish:   curl -T \(file) \(authorization) '\(url)/v1/bundles/?channel=dev'",
        ]
    }

    /// A word as a shell takes it.
    private func shell(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "./_-".utf8.contains(byte)
        }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
