import Bytes
import Configuration
import Logging
import Registry

/// What a person who starts the server may want to try first.
struct Welcome: Sendable {
    /// Where the token lies, relative to where the person is.
    let tokenFile: String?
    /// A bundle to try things with, where there is one.
    let bundle: String?
    let name: String?
    /// The owner's token, when this start has made it.
    let madeToken: Secret?

    init(_ registry: Registry, _ settings: Settings, madeToken: Secret?) {
        self.madeToken = madeToken
        tokenFile = settings.adminToken == nil ? "\(settings.data)/admin-token" : nil
        // Only a hint: a store that cannot be read has been complained about elsewhere.
        let first = try? registry.bundles(BundleQuery(channel: "stable", limit: 1)).items.first
        bundle = first?.identifier
        name = first?.name
    }

    /// The new token, for a person's eyes: what is not a terminal is a log, and keeps what it is told.
    func tokenLines(isWatched: Bool) -> [String] {
        guard isWatched, let madeToken, let tokenFile else { return [] }
        return [
            "  your token:  \(madeToken.exposedText)", "               (also in \(tokenFile), and not shown again)",
        ]
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
            byte.isLetterOrDigit || "./_-".utf8.contains(byte)
        }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
