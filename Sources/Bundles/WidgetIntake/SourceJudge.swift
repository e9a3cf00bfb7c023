internal import WidgetBuild
internal import WidgetBundles
internal import WidgetBytes

/// Judges the files of a bundle by the registry's rules while it is being built, so that an author sees all errors in
/// one run.
enum SourceJudge {
    /// Returns the faults of all files, and of those that other errors keep from being taken in also the findings that
    /// do not allow a bundle to run. Of a bundle without errors, its intake reports these findings.
    static func errors(in files: [BundleCompiler.File], isSound: Bool) -> [BuildError] {
        var judge = LooseFileJudge()
        let judged = isSound ? files : files.filter { !$0.isCompiled || !$0.bytes.isEmpty }
        for file in judged.sorted(by: { $0.path.byteOrder($1.path) < 0 }) { judge.read(file.bytes, at: file.path) }
        let faults = judge.faults.map { error($0, files) }
        return isSound && faults.isEmpty ? [] : faults + judge.findings.map { error($0, files) }
    }

    /// Returns an error at the place of the file's source.
    private static func error(_ fault: BundleError, _ files: [BundleCompiler.File]) -> BuildError {
        let path = fault.path ?? ""
        let source = files.first { $0.path == path }?.source ?? path
        let position = fault.line.map { TextPosition(line: $0, column: fault.column ?? 1) }
        return BuildError(fault.sentence, path: source, at: position)
    }
}
