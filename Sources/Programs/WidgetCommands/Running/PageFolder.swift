import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetRender

/// A folder of pages, sheets and pictures that open from disk.
///
/// Each file is replaced as a whole, pages last, so that a page never lacks what it refers to. Files of an earlier run
/// that the pages no longer need are removed.
struct PageFolder {
    private let path: String
    /// The files that pages refer to.
    private let files: [String: [UInt8]]
    private let pages: [(name: String, bytes: [UInt8])]

    /// Names in a folder that are looked at.
    private static let nameCount = 20_000
    /// Files that are read before they are removed; no page refers to a longer one.
    private static let longestFile = 64 << 20

    init(_ path: String, _ files: [String: [UInt8]], _ pages: [(name: String, bytes: [UInt8])]) {
        self.path = path
        self.files = files
        self.pages = pages
    }

    /// - Parameter isForced: true if files of others may stay beside those that are written.
    func write(isForced: Bool) throws(CommandFailure) {
        let found = try rethrowing(as: PageFolder.failure) { () throws(FileError) in
            try Directory(creating: path).items(limit: PageFolder.nameCount)
        }
        let foreign = try isForced ? nil : foreign(among: found)
        if let foreign {
            throw .failed(
                "\(path) has a file that is not of pages: \(foreign)",
                hints: ["`-o FOLDER` can name a new folder; --force writes into this one and keeps its other files"])
        }
        try rethrowing(as: PageFolder.failure) { () throws(FileError) in
            let folder = try Directory(opening: path)
            // A folder that has the base sheet is known as one of pages, even if this run does not end.
            if let base = files[BaseSheet.fileName] { try folder.replaceFile(BaseSheet.fileName, with: base) }
            for (name, bytes) in files.sorted(by: { $0.key < $1.key }) where name != BaseSheet.fileName {
                try folder.replaceFile(name, with: bytes)
            }
            for page in pages { try folder.replaceFile(page.name, with: page.bytes) }
            let names = Set(files.keys).union(pages.map(\.name))
            // Another's files are kept where they were let stay.
            for item in isForced ? [] : found ?? [] where !names.contains(item.name) {
                if try PageFolder.wasWritten(item, in: folder) { try folder.removeFile(item.name) }
            }
        }
    }

    /// True for a file that an earlier run wrote, or left unfinished. One that only has such a name is its owner's.
    private static func wasWritten(_ item: Directory.Item, in folder: borrowing Directory) throws(FileError) -> Bool {
        if item.name.hasPrefix(StagedFile.prefix) { return true }
        guard item.status.byteCount <= longestFile else { return false }
        let bytes = try folder.openFile(item.name).read(at: 0, count: item.status.byteCount)
        return PageFiles.isOne(item.name, with: bytes)
    }

    private static func failure(_ error: FileError) -> CommandFailure { .failed("\(error)", hints: []) }

    /// The name of an item that no earlier run wrote. A folder of pages is known by its base sheet.
    private func foreign(among items: [Directory.Item]?) throws(CommandFailure) -> String? {
        guard let items else { return "it has more than \(PageFolder.nameCount) files" }
        guard let first = items.first else { return nil }
        guard items.contains(where: { $0.name == BaseSheet.fileName && $0.status.kind == .file }) else {
            return first.name
        }
        let beginning = try rethrowing(as: PageFolder.failure) { () throws(FileError) in
            try Directory(opening: path).openFile(BaseSheet.fileName).read(at: 0, count: BaseSheet.mark.utf8.count)
        }
        guard beginning.elementsEqual(BaseSheet.mark.utf8) else { return BaseSheet.fileName }
        let other = items.first { item in
            item.status.kind != .file || !PageFiles.isOne(item.name) && !item.name.hasPrefix(StagedFile.prefix)
        }
        return other?.name
    }
}
