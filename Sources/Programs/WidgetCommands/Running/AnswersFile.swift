import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetHosting
import WidgetRunning

/// The file of `--record-answers`: a stub that answers as the granted services have done.
///
/// It is replaced as a whole after each new answer, so that it is complete at every moment. A widget with several services has
/// another file for each, `FILE-NAME.json` beside the first.
final class AnswersFile: Sendable {
    private struct State {
        /// The files of services, by their names; the first one has the path of the command line.
        var paths: [String: String] = [:]
        var descriptions: [String: [UInt8]] = [:]
        var failure: FileError?
    }

    private static let serviceCount = 16

    private let path: String
    private let isForced: Bool
    private let terminal: Terminal
    private let state = Guarded(State())
    private let recorder: AnswerRecorder

    /// - Returns: `nil` if no answers are recorded.
    init?(_ invocation: Invocation) throws(CommandFailure) {
        guard let path = invocation.value("record-answers") else { return nil }
        guard !path.isEmpty else {
            throw .misuse("--record-answers names no file", hints: ["`--record-answers answers.json` names one"])
        }
        guard !invocation.values("grant").isEmpty else {
            throw .misuse(
                "--record-answers records what granted services say, and none is granted",
                hints: ["`--grant URL` names the beginning of their addresses"])
        }
        (self.path, isForced, terminal) = (path, invocation.has("force"), invocation.terminal)
        let written = Guarded<AnswersFile?>(nil)
        recorder = AnswerRecorder { _ in written.withLock { $0 }?.update() }
        written.withLock { $0 = self }
        let (folder, name) = ArchiveFile.split(path)
        let directory = try rethrowing(
            try Directory(opening: folder),
            as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) })
        if !isForced, (try? directory.status(of: name)) != nil {
            throw .failed(
                "\(path) is there already",
                hints: ["--force replaces it; `--record-answers FILE` can name another file"])
        }
    }

    func recording(_ network: any WidgetNetwork) -> any WidgetNetwork { recorder.recording(network) }

    /// The descriptions of the services of the program that runs, by their names.
    func take(_ descriptions: [String: [UInt8]]) { state.withLock { $0.descriptions = descriptions } }

    private func update() {
        for service in recorder.services {
            state.withLock { state in
                let isNew = state.paths[service] == nil
                guard let path = state.paths[service] ?? AnswersFile.path(of: service, path, state.paths) else {
                    return
                }
                let stub = recorder.stub(of: service, describedBy: state.descriptions[service] ?? [])
                do throws(FileError) {
                    try write(stub, to: path, replacing: isForced || !isNew)
                    state.paths[service] = path
                } catch {
                    state.failure = error
                }
            }
        }
    }

    /// The file of another service. Its name is the bundle's, so it has letters, digits and few signs alone.
    private static func path(of service: String, _ path: String, _ known: [String: String]) -> String? {
        guard !known.isEmpty else { return path }
        let isPlain = service.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
            default: false
            }
        }
        guard known.count < serviceCount, isPlain, 1...64 ~= service.utf8.count else { return nil }
        return (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + "-\(service).json"
    }

    private func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(FileError) {
        let (folder, name) = ArchiveFile.split(path)
        let staged = try StagedFile(in: try Directory(opening: folder))
        try staged.file.write(bytes, at: 0)
        try staged.commit(as: name, replacing: replacing)
    }

    /// Reports what was recorded.
    func end() throws(CommandFailure) {
        let (paths, failure) = state.withLock { ($0.paths, $0.failure) }
        if let failure { throw .failed("the recording of answers is not complete: \(failure)", hints: []) }
        for remark in recorder.remarks { terminal.warn(QuotedText.plain(remark), hints: []) }
        guard !paths.isEmpty else {
            return terminal.warn(
                "no granted service has answered: \(QuotedText.plain(path)) was not written", hints: [])
        }
        let (count, names) = (recorder.count, paths.values.sorted())
        _ = terminal.print(
            "recorded the answers of \(count) action\(count == 1 ? "" : "s") in "
                + "\(names.map(QuotedText.plain).joined(separator: ", ")); read it before others do\n")
    }
}
