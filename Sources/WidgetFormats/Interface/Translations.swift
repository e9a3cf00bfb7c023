internal import Nib
internal import Plist
internal import WidgetCore

/// What an interface's texts are in the reader's language.
struct Translations: Sendable {
    private var texts: [String: String] = [:]

    static let none = Translations()

    private init() {}

    /// - Parameter table: the interface's name; its texts are in a file of that name.
    init(_ files: BundleFiles, table: String, _ diagnostics: inout [Diagnostic]) {
        guard let (path, bytes) = files.translations(table) else { return }
        do throws(PlistError) {
            guard let found = try PlistValue(parsingStrings: bytes).dictionary else { return }
            for (key, value) in zip(found.keys, found.values) { texts[key] = value.string }
        } catch {
            diagnostics.append(Diagnostic(.error, .badFile, "\(error)", at: Place(file: path)))
        }
    }

    /// A text under a key of an element; as its author wrote it where it is not translated.
    func text(_ key: String, of element: NibElement) -> String? {
        let written = element.string(key)
        guard !texts.isEmpty, written != nil, let name = element.element(key)?.translationKey else { return written }
        return texts[name] ?? written
    }
}
