import Bytes
import Configuration
import Logging
import Registry

/// What a person who starts the server may want to try first.
struct Welcome: Sendable {
    /// Where the owner's token is, relative to where the person is.
    let token: OwnerToken
    /// A bundle to try things with, where there is one.
    let bundle: String?
    let name: String?
    /// The owner's token, when this start has made it.
    let madeToken: Secret?

    private let data: String

    init(_ registry: Registry, _ loaded: LoadedSettings<Settings>, madeToken: Secret?) throws(RegistryError) {
        self.madeToken = madeToken
        data = loaded.settings.data
        token = try OwnerToken(registry, loaded)
        // Only a hint: a store that cannot be read has been complained about elsewhere.
        let first = try? registry.bundles(BundleQuery(channel: "stable", limit: 1)).items.first
        bundle = first?.identifier
        name = first?.name
    }

    /// The new token, for a person's eyes: what is not a terminal is a log, and keeps what it is told.
    func tokenLines(isWatched: Bool) -> [String] {
        guard isWatched, let madeToken, case .file(let path) = token else { return [] }
        return [
            "  your token:  \(madeToken.exposedText)", "               (also in \(path), and not shown again)",
        ]
    }

    /// Lines to paste, each of which works as it stands.
    func lines(_ url: String) -> [String] {
        guard let bundle, let name else { return publishing("YourWidget.zip", "\(url)/v1/bundles/") }
        let file = shell("\(name).zip")
        return [
            "  resolve:   curl \(url)/v1/widgets/\(bundle)-1",
            "  download:  curl -o \(file) \(url)/v1/widgets/\(bundle)-1/bundle",
            "  unzip:     unzip -l \(file)",
        ] + publishing(file, "'\(url)/v1/bundles/?channel=dev'")
    }

    /// Names no token that is not there, or is not good any more.
    private func publishing(_ file: String, _ url: String) -> [String] {
        let word: String
        var before: [String] = []
        switch token {
        case .file(let path): word = "$(cat \(shell(path)))"
        case .variable(let name): word = "$\(name)"
        case .among(let place):
            word = "$TOKEN"
            before = ["  publish:   with adminToken of \(place) in $TOKEN:"]
        case .elsewhere:
            word = "$TOKEN"
            before = ["  publish:   with a token in $TOKEN:"]
        case .missing:
            return ["  publish:   there is no token yet; make one with: \(Welcome.makingToken(data))"]
        }
        let line = "curl -T \(file) -H \"Authorization: Bearer \(word)\" \(url)"
        return before.isEmpty ? ["  publish:   \(line)"] : before + ["             \(line)"]
    }

    static func makingToken(_ data: String) -> String { "widgetd token create NAME --scope admin --data \(data)" }

    /// A word as a shell takes it.
    private func shell(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || "./_-".utf8.contains(byte)
        }
        return isPlain
            ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
