import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetElement
import WidgetFiles
import WidgetHosting
import WidgetIntake

/// `widget export BUNDLE… --html DIR`: a folder that shows widgets from any web server, with the engine in the reader's browser.
struct HostFolderExport {
    private let invocation: Invocation
    private let path: String

    init(_ path: String, _ invocation: Invocation) {
        self.path = path
        self.invocation = invocation
    }

    func run() throws(CommandFailure) -> ExitCode {
        let engine = try engine()
        var files: [HostFolder.File] = []
        var widgets: [HostFolder.Widget] = []
        for bundle in invocation.arguments {
            let (widget, file) = try archive(bundle)
            if !files.contains(where: { $0.path == file.path }) { files.append(file) }
            widgets.append(widget)
        }
        let title = widgets.count == 1 ? widgets[0].title : "Widgets"
        files += HostFolder.files(
            widgets, title: title, engine: engine.bytes, digest: engine.digest.hex, brotli: engine.brotli)
        try write(files)
        if invocation.has("quiet") { return .clean }
        let lines = files.map { "wrote   \(QuotedText.plain("\(path)/\($0.path)"))\n" }
        return invocation.terminal.print(lines.joined())
    }

    private func engine() throws(CommandFailure) -> EngineFile {
        let finding = EngineFile.find(named: invocation.value("engine"), beside: invocation.terminal.executable)
        if let file = finding.file { return file }
        throw .failed(
            "\(path) is not written, for a page needs the engine: \(finding)",
            hints: ["`make wasm` builds one of this program's revision; `--engine FILE` names it"])
    }

    /// A bundle's archive, as a registry would serve it, by its digest.
    private func archive(_ bundle: String) throws(CommandFailure) -> (HostFolder.Widget, HostFolder.File) {
        if let missing = NamedSubject.missing(bundle) { throw missing }
        let terminal = invocation.terminal
        let taken = try rethrowing(
            try NamedBundle.takeShown(bundle, on: terminal), as: { CommandFailure($0, source: bundle) })
        let bytes = try rethrowing(as: HostFolderExport.failure) { () throws(FileError) in
            try taken.opened.archive.read(at: 0, count: taken.bundle.byteCount)
        }
        let name = "archives/\(taken.bundle.digest.hex).zip"
        let title = taken.bundle.manifest.shownName ?? taken.bundle.name
        return (HostFolder.Widget(title, at: name), HostFolder.File(path: name, bytes: bytes))
    }

    // MARK: - Writing

    private static let nameCount = 20_000

    /// Writes each file as a whole, the page last, and removes what an earlier export needed and this one does not.
    private func write(_ files: [HostFolder.File]) throws(CommandFailure) {
        let path = path
        let found = try rethrowing(as: HostFolderExport.failure) { () throws(FileError) in
            try Directory(creating: path).items(limit: HostFolderExport.nameCount)
        }
        guard let found else { throw .failed("\(path) has more than \(HostFolderExport.nameCount) files", hints: []) }
        let script = try? Directory(opening: path).openFile(ElementScript.fileName).read(at: 0, count: 64)
        let isOurs = script.map { HostFolder.isWritten(script: $0) } ?? false
        if !found.isEmpty, !isOurs, !invocation.has("force") {
            throw .failed(
                "\(path) has a file that no export has written: \(found[0].name)",
                hints: ["--html can name a new folder; --force writes into this one and keeps its other files"])
        }
        try rethrowing(as: HostFolderExport.failure) { () throws(FileError) in
            let folder = try Directory(opening: path)
            let archives = try folder.createDirectory(HostFolderExport.archives)
            var names: Set<String> = []
            for file in files {
                let parts = file.path.split(separator: "/").map(String.init)
                if parts.count == 1 {
                    try folder.replaceFile(parts[0], with: file.bytes)
                } else {
                    try archives.replaceFile(parts[1], with: file.bytes)
                }
                names.insert(file.path)
            }
            try HostFolderExport.clear(folder, below: "", but: names)
            try HostFolderExport.clear(archives, below: "\(HostFolderExport.archives)/", but: names)
        }
    }

    private static let archives = "archives"

    private static func clear(
        _ folder: borrowing Directory, below place: String, but names: Set<String>
    ) throws(FileError) {
        for item in try folder.items(limit: nameCount) ?? []
        where !names.contains(place + item.name) && HostFolder.isReplaced(place + item.name) {
            try folder.removeFile(item.name)
        }
    }

    private static func failure(_ error: FileError) -> CommandFailure { .failed("\(error)", hints: []) }
}
