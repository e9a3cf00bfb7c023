package import WidgetCore
internal import WidgetNib
internal import WidgetPlist

/// The files of a bundle, by their paths in it.
package struct BundleFiles: Sendable {
    private let bytes: [String: [UInt8]]
    /// All pictures in the bundle by name; `nil` if they are not known.
    package let images: [String: ImageInfo]?
    /// The colours of its catalogue by name.
    package let colors: [String: Paint]
    /// Folders of languages, the reader's first.
    private let folders: [String]
    /// The reader's languages, without the fallback.
    private let languages: [String]
    /// The words of the system for the reader.
    let words: SystemWords

    private static let base = "Base.lproj"

    /// - Parameter locale: the reader's, as `de_AT`.
    package init(
        _ bytes: [String: [UInt8]], images: [String: ImageInfo]? = nil, colors: [String: Paint] = [:],
        locale: String = ""
    ) {
        self.bytes = bytes
        self.images = images
        self.colors = colors
        let present = Set(bytes.keys.compactMap { $0.split(separator: "/").first.map(String.init) })
            .filter { $0.hasSuffix(".lproj") }
        languages = ReaderLanguage(locale).names.map { "\($0).lproj" }.filter(present.contains)
        words = SystemWords(locale)
        // Untranslated resources are in the base folder, or in any other folder of a language.
        folders = languages + [BundleFiles.base] + present.subtracting(languages + [BundleFiles.base]).sorted()
    }

    package var paths: [String] { bytes.keys.sorted() }

    package subscript(_ path: String) -> [UInt8]? { bytes[path] }

    /// The resource of that name, from the top of the bundle or else from the folders of languages.
    package func resource(_ name: String) -> (path: String, bytes: [UInt8])? {
        for path in [name] + folders.map({ "\($0)/\(name)" }) {
            if let found = bytes[path] { return (path, found) }
        }
        return nil
    }

    /// The translations of an interface into the reader's language, or `nil`.
    func translations(_ table: String) -> (path: String, bytes: [UInt8])? {
        for path in languages.map({ "\($0)/\(table).strings" }) {
            if let found = bytes[path] { return (path, found) }
        }
        return nil
    }

    /// The folder around one of that name, if that lies deeper than folders are looked for.
    func deeperFolder(_ name: String) -> String? {
        for path in paths {
            let parts = path.split(separator: "/")
            guard let place = parts.firstIndex(where: { $0 == name }), place > 0 else { continue }
            return parts[..<place].joined(separator: "/")
        }
        return nil
    }

    /// The files in a folder of that name, by their paths in it.
    package func folder(_ name: String) -> (path: String, files: [String: [UInt8]])? {
        for path in [name] + folders.map({ "\($0)/\(name)" }) {
            let files = bytes.filter { $0.key.hasPrefix("\(path)/") }
            guard !files.isEmpty else { continue }
            return (
                path,
                Dictionary(files.map { (String($0.key.dropFirst(path.count + 1)), $0.value) }) { first, _ in first }
            )
        }
        return nil
    }
}

/// The documents of a bundle that were read so far. Many screens may ask for one file, which is read once.
struct DataFiles: Sendable {
    /// The items of providers on all screens, by the name of their file.
    var items: [String: [Value]] = [:]
    private var schemes: [String: SchemeFile] = [:]
    private let limits: FormatLimits
    /// Bytes of documents that may still be read.
    private var left: Int

    init(_ limits: FormatLimits) {
        self.limits = limits
        left = limits.dataByteCount
    }

    /// Reserves the bytes of one more document. A diagnostic means that it is not read, and says why.
    mutating func take(_ byteCount: Int, of path: String) -> Finding? {
        left -= byteCount
        guard left < 0 else { return nil }
        return Finding(
            .error, .byteBudget, "The schemes and data of all screens come to more than \(limits.dataByteCount) bytes",
            at: Place(file: path), hint: "this one is not read")
    }

    mutating func scheme(
        _ identifier: String, _ files: BundleFiles, _ diagnostics: inout [Finding]
    ) -> SchemeFile? {
        if let known = schemes[identifier] { return known }
        guard let (path, bytes) = files.resource("\(identifier).json") else { return nil }
        if let refusal = take(bytes.count, of: path) {
            diagnostics.append(refusal)
            return nil
        }
        let scheme = SchemeFile(bytes, path: path, identifier: identifier, limits)
        schemes[identifier] = scheme
        return scheme
    }
}

/// The texts of an interface in the reader's language.
struct Translations: Sendable {
    private var texts: [String: String] = [:]
    /// The names that the system has for buttons.
    let words: SystemWords

    static let none = Translations()

    private init() { words = .english }

    /// - Parameter table: the interface's name; its texts are in a file of that name.
    init(_ files: BundleFiles, table: String, _ diagnostics: inout [Finding]) {
        words = files.words
        guard let (path, bytes) = files.translations(table) else { return }
        do throws(PlistError) {
            guard let found = try PlistValue(parsingStrings: bytes).dictionary else { return }
            for (key, value) in zip(found.keys, found.values) { texts[key] = value.string }
        } catch {
            diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path)))
        }
    }

    var isEmpty: Bool { texts.isEmpty }

    /// The text with a name, if the table has one.
    subscript(_ name: String) -> String? { texts[name] }

    /// The text of an element's key, translated or else as its author wrote it.
    func text(_ key: String, of element: NibElement) -> String? {
        let written = element.string(key)
        guard !texts.isEmpty, written != nil, let name = element.element(key)?.translationKey else { return written }
        return texts[name] ?? written
    }
}
