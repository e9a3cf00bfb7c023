/// The files of a bundle, by their paths in it.
package struct BundleFiles: Sendable {
    private let bytes: [String: [UInt8]]
    /// The names of its pictures, wherever they are; `nil` where they are not known.
    package let images: Set<String>?
    /// Folders of languages, the reader's first.
    private let folders: [String]
    /// The reader's own, without the one that stands in for all.
    private let languages: [String]

    private static let base = "Base.lproj"

    /// - Parameter locale: the reader's, as `de_AT`.
    package init(_ bytes: [String: [UInt8]], images: Set<String>? = nil, locale: String = "") {
        self.bytes = bytes
        self.images = images
        let present = Set(bytes.keys.compactMap { $0.split(separator: "/").first.map(String.init) })
            .filter { $0.hasSuffix(".lproj") }
        languages = BundleFiles.names(of: locale).map { "\($0).lproj" }.filter(present.contains)
        // What is not translated is in the folder for all, or in any there is.
        folders = languages + [BundleFiles.base] + present.subtracting(languages + [BundleFiles.base]).sorted()
    }

    /// `de_AT` is looked for as `de-AT`, `de_AT` and `de`.
    private static func names(of locale: String) -> [String] {
        let parts = locale.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard let language = parts.first else { return [] }
        guard parts.count > 1 else { return [language] }
        let longest = [parts.joined(separator: "-"), parts.joined(separator: "_")]
        return longest + (parts.count > 2 ? ["\(language)-\(parts[1])"] : []) + [language]
    }

    package var paths: [String] { bytes.keys.sorted() }

    package subscript(_ path: String) -> [UInt8]? { bytes[path] }

    /// A resource of that name, where a bundle looks for one: at its top, then in the folders of languages.
    package func resource(_ name: String) -> (path: String, bytes: [UInt8])? {
        for path in [name] + folders.map({ "\($0)/\(name)" }) {
            if let found = bytes[path] { return (path, found) }
        }
        return nil
    }

    /// The translations of an interface into the reader's language, when there are some.
    func translations(_ table: String) -> (path: String, bytes: [UInt8])? {
        for path in languages.map({ "\($0)/\(table).strings" }) {
            if let found = bytes[path] { return (path, found) }
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
