import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetHosting
import WidgetRunning

/// The file that a run is recorded in, as a script that repeats the run.
///
/// It is replaced as a whole after each act, so that it is complete at every moment, also when the program is ended by
/// a signal.
struct ScriptFile {
    private let path: String
    private let terminal: Terminal
    private var written: [ScriptStep]?
    /// Sentences about acts that the script does not repeat.
    private var remarks: [String] = []

    /// `nil` if the run is not recorded.
    init?(_ options: RunningOptions) throws(CommandFailure) {
        guard let path = options.recordingPath else { return nil }
        self.path = path
        terminal = options.terminal
        guard !path.isEmpty else { throw .misuse("--record names no file", hints: ["`--record taps.json` names one"]) }
        guard !options.isScripted else {
            throw .misuse(
                "--record and --events do not go together",
                hints: ["a script that was written already needs no recording; leave one of them out"])
        }
        // A recording that is to be replaced stays until there is another one.
        if options.replacesRecording { return }
        do throws(FileError) {
            try write([], replacing: false)
        } catch {
            guard error.exists else { throw .failed("\(error)", hints: []) }
            throw .failed(
                "\(path) is there already", hints: ["--force replaces it; `--record FILE` can name another file"])
        }
    }

    /// Writes the steps that the next act leaves as they are, if there are new ones.
    mutating func update(_ recorder: ScriptRecorder?) throws(FileError) {
        guard let recorder else { return }
        try update(recorder.finished, recorder.remarks)
    }

    /// Writes all steps, and reports what was recorded.
    mutating func end(_ recorder: ScriptRecorder?) throws(CommandFailure) {
        guard let recorder else { return }
        do throws(FileError) {
            try update(recorder.steps, recorder.remarks)
        } catch {
            throw .failed("the recording is not complete: \(error)", hints: [])
        }
        for remark in remarks { terminal.complain(QuotedText.plain(remark), hints: []) }
        let count = recorder.steps.count
        _ = terminal.print("recorded \(count) step\(count == 1 ? "" : "s") in \(QuotedText.plain(path))\n")
    }

    private mutating func update(_ steps: [ScriptStep], _ remarks: [String]) throws(FileError) {
        self.remarks = remarks
        if steps != written { try write(steps, replacing: true) }
    }

    private mutating func write(_ steps: [ScriptStep], replacing: Bool) throws(FileError) {
        let (folder, name) = ArchiveFile.split(path)
        let staged = try StagedFile(in: try Directory(opening: folder))
        try staged.file.write(EventScript(steps: steps).document, at: 0)
        try staged.commit(as: name, replacing: replacing)
        written = steps
    }
}
