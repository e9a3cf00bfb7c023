import WidgetBuild
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetIntake
import WidgetZip

/// Writes the files of a bundle as a folder: complete under its name, or not there.
enum BundleFolderWriting {
    private static let nameCount = 2_000
    private static let manifest = "Info.plist"

    /// - Parameter isForced: true if any folder may be replaced, and not only one with the same widget.
    static func write(
        _ taken: borrowing TakenBundle, to target: String, isForced: Bool
    ) throws(CommandFailure) {
        let files = try rethrowing(try files(of: taken), as: { (error: ZipError) in failure("\(error)") })
        var path = target
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let (parent, name) = ArchiveFile.split(path)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .misuse(
                "-o is \(target)", hints: ["it takes the name of a new folder, or of an archive such as OUT.zip"])
        }
        let isThere = (try? Directory(opening: path)) != nil
        guard !isThere || isForced || isExport(path, of: taken.bundle) else {
            throw .failed(
                "\(target) has other files than those of \(taken.bundle.manifest.identifier)",
                hints: ["`-o FOLDER` can name a new folder; --force replaces this one with all that is in it"])
        }
        try rethrowing(as: { (error: FileError) in failure("\(error)") }) { () throws(FileError) in
            let scratch = try ScratchDirectory(in: parent)
            let folder = "\(scratch.path)/\(name)"
            try SourceFolder.write(files, to: folder)
            let directory = try Directory(opening: parent)
            let place = try Directory(opening: scratch.path)
            guard isThere else {
                try place.rename(name, to: name, in: directory, replacing: false)
                return
            }
            // The folder from before is removed with the scratch folder.
            try directory.exchange(name, with: name, in: place)
        }
    }

    private static func failure(_ sentence: String) -> CommandFailure { .failed(sentence, hints: []) }

    /// True if a folder is empty, or holds an earlier version of the bundle.
    private static func isExport(_ path: String, of bundle: WidgetBundle) -> Bool {
        guard let items = try? Directory(opening: path).items(limit: nameCount) else { return false }
        if items.isEmpty { return true }
        guard items.contains(where: { $0.name == manifest }), let found = try? BundleSource(opening: path).take() else {
            return false
        }
        return found.bundle.manifest.identifier == bundle.manifest.identifier
    }

    private static func files(of taken: borrowing TakenBundle) throws(ZipError) -> [BundleCompiler.File] {
        var files: [BundleCompiler.File] = []
        var reader = try ZipEntryReader()
        for entry in taken.opened.directory.entries where !entry.isDirectory {
            var bytes: [UInt8] = []
            _ = try reader.read(entry, from: taken.opened.archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                bytes.append(copying: chunk)
            }
            let path = String(entry.name.text.dropFirst(taken.bundle.folder.count + 1))
            files.append(BundleCompiler.File(path: path, bytes: bytes))
        }
        return files
    }
}
