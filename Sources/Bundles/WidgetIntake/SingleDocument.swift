internal import WidgetBuild
internal import WidgetBundles

/// The bundle around a document that lies by itself.
struct SingleDocument {
    /// The document's file.
    private let file: String
    /// Its name without the ending.
    private let name: String

    /// The name of the bundle's folder.
    var bundle: String { "\(name).bundle" }

    init(_ file: String) {
        self.file = file
        let stem =
            file.hasSuffix(BundleManifest.documentEnding) ? file.dropLast(BundleManifest.documentEnding.count) : ""
        name = stem.isEmpty ? "Document" : String(stem)
    }

    func files(_ document: [UInt8]) -> [BundleCompiler.File] {
        [
            BundleCompiler.File(
                path: "Info.plist",
                bytes: SingleDocument.manifest([
                    ("CFBundleIdentifier", "document.\(label)"), ("CFBundleName", name),
                    ("CFBundleShortVersionString", "1.0"), ("CFBundleVersion", "1"), ("WidgetDocument", file),
                ])),
            BundleCompiler.File(path: file, bytes: document),
        ]
    }

    /// A property list of texts.
    static func manifest(_ keys: [(String, String)]) -> [UInt8] {
        let members = keys.map { "<key>\($0)</key><string>\(escaped($1))</string>" }.joined()
        return Array("<plist version=\"1.0\"><dict>\(members)</dict></plist>".utf8)
    }

    /// The name with the characters of identifiers alone.
    private var label: String {
        var label = ""
        for character in name {
            let isLawful = character.isASCII && (character.isLetter || character.isNumber)
            if isLawful { label.append(character) } else if !label.isEmpty, label.last != "-" { label.append("-") }
        }
        while label.last == "-" { label.removeLast() }
        return label.isEmpty ? "unnamed" : label
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
