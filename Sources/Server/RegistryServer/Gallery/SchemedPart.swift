internal import RegistryContract
internal import WidgetRegistry

/// A part of a still in a scheme that its reader forces, made of the one that follows the reader's system. Attributes are
/// changed, nothing is drawn and nothing is stored: the sheets have the colours of both schemes.
struct SchemedPart: Equatable {
    /// The name of the part that is stored.
    let base: String
    let scheme: DeviceChoice.Scheme

    private static let endings = ["html", "css"]

    init(_ base: String, in scheme: DeviceChoice.Scheme) {
        (self.base, self.scheme) = (base, scheme)
    }

    /// - Returns: `nil` for the name of another part.
    init?(name: String) {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 3, let scheme = DeviceChoice.Scheme(rawValue: String(words[1])),
            SchemedPart.endings.contains(String(words[2]))
        else { return nil }
        self.init("\(words[0]).\(words[2])", in: scheme)
    }

    /// `screen-1.dark.html` for `screen-1.html`.
    var name: String {
        guard let dot = base.lastIndex(of: ".") else { return base }
        return "\(base[..<dot]).\(scheme.rawValue)\(base[dot...])"
    }

    /// - Returns: `nil` for a part that cannot be changed.
    func made(of part: ReleasePart) -> ReleasePart? {
        let text = String(decoding: part.content, as: UTF8.self)
        let changed: String
        switch part.mediaType.prefix(while: { $0 != ";" }) {
        case "text/html": changed = page(text)
        case "text/css": changed = sheet(text)
        default: return nil
        }
        return ReleasePart(name: name, mediaType: part.mediaType, content: Array(changed.utf8))
    }

    private func page(_ text: String) -> String {
        // The texts of a widget have no angle bracket, so that these are tags.
        let isDark = scheme == .dark
        return text.replacing(
            #"<meta name="color-scheme" content="light dark">"#,
            with: #"<meta name="color-scheme" content="\#(scheme.rawValue)">"#
        )
        .replacing(#/<link rel="stylesheet" href="([A-Za-z0-9-]+\.css)">/#) { match in
            #"<link rel="stylesheet" href="\#(SchemedPart(String(match.1), in: scheme).name)">"#
        }
        .replacing(#/(<source srcset="[^"<>]*" media=")\(prefers-color-scheme:dark\)">/#) { match in
            #"\#(match.1)\#(isDark ? "all" : "not all")">"#
        }
    }

    private func sheet(_ text: String) -> String {
        text.replacing("@media (prefers-color-scheme:dark){", with: scheme == .dark ? "@media all{" : "@media not all{")
            + ":root{color-scheme:\(scheme.rawValue)}\n"
    }
}
