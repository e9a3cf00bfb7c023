internal import WidgetBuild
internal import WidgetBundles

/// The documents that the program of a widget has written, for a bundle around them.
package struct ProgramDocuments: Sendable {
    /// The name of the folder in a package with what a bundle has besides documents.
    package static let folder = "Bundle"

    /// The bundle's identifier and its name, if its property list has none.
    private let identifier: String
    let name: String
    /// The name of the first document.
    private let first: String
    /// The documents by their names.
    private let files: [String: [UInt8]]

    package init(identifier: String, name: String, first: String, files: [String: [UInt8]]) {
        self.identifier = identifier
        self.name = name
        self.first = first
        self.files = files
    }

    private static let manifest = "Info.plist"

    /// Values for the property list of the folder.
    var values: BuildValues {
        var values = BuildValues.none
        values.document = first + BundleManifest.documentEnding
        return values
    }

    /// Adds the documents, and a property list if the folder has none.
    func add(to sources: inout [String: [UInt8]], recording faults: inout [BuildError]) {
        if sources[ProgramDocuments.manifest] == nil {
            sources[ProgramDocuments.manifest] = SingleDocument.manifest([
                ("CFBundleIdentifier", identifier), ("CFBundleName", name), ("CFBundleShortVersionString", "1.0"),
                ("CFBundleVersion", "1"), ("WidgetDocument", first + BundleManifest.documentEnding),
            ])
        }
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let path = name + BundleManifest.documentEnding
            if !ProgramDocuments.isName(name) {
                faults.append(
                    BuildError(
                        "no file can be called so, and so no screen", path: path,
                        hints: ["give the screen another name"]))
            } else if sources[path] != nil {
                faults.append(
                    BuildError(
                        "the program has a screen of the same name", path: path,
                        hints: ["remove the file, or give the screen another name"]))
            } else {
                sources[path] = bytes
            }
        }
    }

    /// True for the name of a file that stays in its folder.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 200
            && name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F }
    }
}
