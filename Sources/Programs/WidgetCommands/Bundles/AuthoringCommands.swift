import WidgetBuild
import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetIntake

/// `widget new`: writes the source of a first bundle.
enum NewCommand {
    static let command = Command(
        "new", "write the source of a bundle to begin with",
        example: "widget new Notes --kind list",
        options: [
            Option(
                "kind", value: "KIND", choices: Starter.Kind.allCases.map { Choice($0.rawValue, $0.summary) },
                help: "what to begin with, as below; list if not given"),
            LibraryPlace.option,
        ],
        positionals: [Positional("NAME", help: "the folder to make, and the bundle's name")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let name = invocation.arguments.first ?? ""
        let word = invocation.value("kind") ?? Starter.Kind.list.rawValue
        guard let kind = Starter.Kind(rawValue: word) else {
            let nearest = NearestName.of(word, in: Starter.Kind.allCases.map(\.rawValue))
            invocation.terminal.complain(
                "\(QuotedText.of(word)) is not a kind of widget",
                hints: nearest.map { ["did you mean `\($0)`?"] }
                    ?? Starter.Kind.allCases.map { "`--kind \($0.rawValue)` is \($0.summary)" })
            return .misuse
        }
        do throws(CommandFailure) {
            return write(name, kind, try LibraryPlace.library(for: kind, invocation), on: invocation.terminal)
        } catch {
            return error.show(on: invocation.terminal, asJSON: false)
        }
    }

    private static func write(
        _ name: String, _ kind: Starter.Kind, _ library: Starter.Library?, on terminal: Terminal
    ) -> ExitCode {
        guard let starter = Starter(named: name, kind: kind, library: library) else {
            terminal.complain(
                "\(QuotedText.of(name)) cannot name a bundle",
                hints: [
                    "letters, digits, hyphens and underscores, a letter first, at most 64"
                        + (kind == .declarative ? "; and no module that it is built with has the name" : "")
                ])
            return .misuse
        }
        do throws(FileError) {
            if try exists(name) {
                terminal.complain(
                    "\(QuotedText.of(name)) is there already", hints: ["choose another name, or remove it"])
                return .failed
            }
            try SourceFolder.write(starter.files, to: name)
        } catch {
            terminal.complain(QuotedText.plain("\(error)"))
            return .failed
        }
        let files = starter.files.map { "wrote   \(name)/\($0.path)\n" }.joined()
        return terminal.print("\(files)next    widget run \(name)\n")
    }

    private static func exists(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try Directory(opening: ".").status(of: name)
            return true
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }
}

/// `widget pack`: strips a bundle and writes its canonical archive, offline.
enum PackCommand {
    static let command = Command(
        "pack", "strip a bundle and write its canonical archive",
        example: "widget pack Build/Greeting.app -o Greeting.zip",
        options: [
            Option("output", letter: "o", value: "OUT.zip", help: "the archive to write; NAME.zip here if not given"),
            Option("json", help: "print the report as JSON"),
        ],
        positionals: [Positional("DIR|ZIP", help: "a bundle's folder, or an archive of it")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let path = invocation.arguments.first ?? ""
        if let missing = NamedSubject.missing(path) ?? NamedSubject.loneDocument(path) {
            return missing.show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
        do throws(SourceError) {
            return pack(try BundleSource(opening: path, followsLinks: true), named: path, invocation)
        } catch {
            return CommandFailure(error, source: path).show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    /// - Parameter name: the folder or archive, as messages call it.
    private static func pack(
        _ source: borrowing BundleSource, named name: String, _ invocation: Invocation
    ) -> ExitCode {
        do throws(SourceError) {
            let taken = try take(source, invocation)
            let written = write(taken, of: source.status, invocation, replacesOwn: false)
            guard let output = written.path else { return written.code }
            if invocation.has("json") { return invocation.terminal.print(document: taken.report.json) }
            let text = ReportText(taken.report, usesColor: invocation.terminal.isWatched).description
            return invocation.terminal.print("\(text)wrote   \(QuotedText.plain(output))\n")
        } catch {
            return CommandFailure(error, source: name).show(on: invocation.terminal, asJSON: invocation.has("json"))
        }
    }

    /// Takes a bundle in, on the disk that its archive will be on.
    static func take(
        _ source: borrowing BundleSource, _ invocation: Invocation
    ) throws(SourceError) -> TakenBundle {
        try NamedBundle.take(
            source, in: ArchiveFile.split(invocation.value("output") ?? "./").folder, on: invocation.terminal)
    }

    /// Writes a bundle's archive to the file that the options name, or to `NAME.zip`.
    ///
    /// - Parameter replacesOwn: whether an archive that was written here before, of the same bundle, is replaced.
    /// - Returns: the path that was written, or `nil` with the exit code after a complaint.
    static func write(
        _ taken: borrowing TakenBundle, of source: FileStatus?, _ invocation: Invocation, replacesOwn: Bool
    ) -> (path: String?, code: ExitCode) {
        let given = invocation.value("output")
        let output = given ?? "\(taken.bundle.name).zip"
        do throws(FileError) {
            let isWritten = try ArchiveFile.write(
                taken, of: source, to: output,
                replacing: given != nil || replacesOwn && ArchiveFile.isOurs(output, of: taken.bundle))
            guard isWritten else {
                invocation.terminal.complain(
                    "\(QuotedText.of(output)) is what is to be packed",
                    hints: ["`-o OUT.zip` names another file to write"])
                return (nil, .misuse)
            }
            return (output, .clean)
        } catch {
            if error.exists {
                invocation.terminal.complain(
                    "\(QuotedText.of(output)) is there already",
                    hints: ["`-o OUT.zip` names the file to write, and replaces it"])
            } else {
                invocation.terminal.complain(QuotedText.plain("\(error)"))
            }
            return (nil, .failed)
        }
    }
}

/// The archive that a command writes: complete under its name, or not there.
enum ArchiveFile {
    private static let windowByteCount = 1 << 20

    /// - Parameter source: the file or folder that the bundle was taken from, when it has a status.
    /// - Returns: whether it was written; a source is never replaced by the archive made of it.
    static func write(
        _ taken: borrowing TakenBundle, of source: FileStatus?, to path: String, replacing: Bool
    ) throws(FileError) -> Bool {
        let (folder, name) = split(path)
        let directory = try Directory(opening: folder)
        do throws(FileError) {
            let status = try directory.status(of: name)
            if let source, status.isSameFile(as: source) { return false }
        } catch {
            guard error.isMissing else { throw error }
        }
        let staged = try StagedFile(in: directory)
        var window = [UInt8](repeating: 0, count: windowByteCount)
        var offset = 0
        while offset < taken.bundle.byteCount {
            let wanted = min(window.count, taken.bundle.byteCount - offset)
            let count = try taken.opened.archive.read(at: offset, into: &window, count: wanted)
            guard count > 0 else { break }
            try staged.file.write(window.span.extracting(0..<count), at: offset)
            offset += count
        }
        try staged.commit(as: name, replacing: replacing)
        return true
    }

    /// True if a file is an archive that this program wrote, of any version of the bundle. Any other file is kept.
    static func isOurs(_ path: String, of bundle: WidgetBundle) -> Bool {
        guard let source = try? BundleSource(opening: path), !source.isPacked, let found = try? source.take() else {
            return false
        }
        // Only archives written by this program have the canonical form.
        return found.bundle.manifest.identifier == bundle.manifest.identifier
            && found.report.source.digest == found.bundle.digest
    }

    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = String(path[...slash])
        return (folder, String(path[path.utf8.index(after: slash)...]))
    }
}
