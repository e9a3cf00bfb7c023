/// The files of a bundle, by their paths in it.
package struct BundleFiles: Sendable {
    private let bytes: [String: [UInt8]]

    package init(_ bytes: [String: [UInt8]]) {
        self.bytes = bytes
    }

    package var paths: [String] { bytes.keys.sorted() }

    package subscript(_ path: String) -> [UInt8]? { bytes[path] }

    /// A resource of that name, where a bundle looks for one: at its top, in the base folder, in one of a language.
    package func resource(_ name: String) -> (path: String, bytes: [UInt8])? {
        if let found = bytes[name] { return (name, found) }
        if let found = bytes["Base.lproj/\(name)"] { return ("Base.lproj/\(name)", found) }
        let localized = bytes.keys.filter { $0.hasSuffix(".lproj/\(name)") && $0.split(separator: "/").count == 2 }
        return localized.min().flatMap { path in bytes[path].map { (path, $0) } }
    }

    /// The files in a folder of that name, by their paths in it.
    package func folder(_ name: String) -> (path: String, files: [String: [UInt8]])? {
        let languages = Set(bytes.keys.compactMap { $0.split(separator: "/").first }.filter { $0.hasSuffix(".lproj") })
        for path in [name, "Base.lproj/\(name)"] + languages.sorted().map({ "\($0)/\(name)" }) {
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
