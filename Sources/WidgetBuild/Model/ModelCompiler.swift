internal import Bytes
package import ObjectModel
internal import Plist
internal import XMLText

/// Compiles data models as Xcode keeps them: folders of XML into folders of archives.
package enum ModelCompiler {
    /// Compiles a `.xcdatamodeld` folder, given its files by their paths in it. Errors name those paths.
    package static func compile(folder files: [String: [UInt8]]) throws(BuildError) -> [ModelFolder.File] {
        var versions: [ModelFolder.Version] = []
        for path in files.keys.sorted() {
            guard let name = versionName(path), let source = files[path] else { continue }
            let model = try compile(source, path: path)
            versions.append(ModelFolder.Version(name: name, model: model, entityHashes: model.entityHashes()))
        }
        guard let first = versions.first else {
            throw BuildError(
                "the model has no version", path: ".",
                hints: ["a version is a folder called NAME.xcdatamodel with a file called contents"])
        }
        let current = try currentName(files) ?? (versions.count == 1 ? first.name : nil)
        guard let current else {
            throw BuildError(
                "nothing says which of \(versions.count) versions is current", path: currentFile,
                hints: ["Xcode writes the file .xccurrentversion when the version is chosen there"])
        }
        guard versions.contains(where: { $0.name == current }) else {
            throw BuildError("the current version \(ShownText.name(current)) does not exist", path: currentFile)
        }
        return ModelFolder(versions: versions, currentName: current).encoded()
    }

    /// Compiles the file `contents` of one version.
    package static func compile(_ source: [UInt8], path: String) throws(BuildError) -> DataModel {
        let document: XMLDocument
        do {
            document = try XMLDocument(parsing: source)
        } catch {
            throw BuildError("\(error.reason)", path: path, at: error.position)
        }
        return try ModelSource(document.root, path: path).model()
    }

    private static let currentFile = ".xccurrentversion"

    private static func versionName(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.count == 2, parts[1] == "contents", parts[0].hasSuffix(".xcdatamodel") else { return nil }
        return String(parts[0].dropLast(".xcdatamodel".count))
    }

    private static func currentName(_ files: [String: [UInt8]]) throws(BuildError) -> String? {
        guard let bytes = files[currentFile] else { return nil }
        let name: String?
        do {
            name = try PlistValue(parsing: bytes)["_XCCurrentVersionName"]?.string
        } catch {
            throw BuildError("\(error.reason)", path: currentFile, at: error.position)
        }
        guard let name, name.hasSuffix(".xcdatamodel") else {
            throw BuildError("the file names no version", path: currentFile)
        }
        return String(name.dropLast(".xcdatamodel".count))
    }
}
