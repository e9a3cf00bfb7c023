import Files
import WidgetBuild

/// A bundle that was built of its source, for as long as it is needed.
struct BuiltSource: ~Copyable {
    private let scratch: ScratchDirectory
    /// The bundle's folder.
    let path: String

    /// - Returns: `nil` for what is no source.
    init?(_ path: String) throws(CommandFailure) {
        guard let folder = try? Directory(opening: path), let sources = try? SourceFolder.read(folder),
            sources.keys.contains(where: { $0.hasSuffix(".storyboard") })
        else { return nil }
        let compiled: BundleCompiler
        do throws(BuildError) {
            compiled = try BuildCommand.compile(path)
        } catch {
            throw .failed("\(error)", hints: error.hints)
        }
        do throws(FileError) {
            scratch = try ScratchDirectory(in: Directory.temporary)
            self.path = "\(scratch.path)/\(compiled.name).bundle"
            try SourceFolder.write(compiled.files, to: self.path)
        } catch {
            throw .failed("\(error)", hints: [])
        }
    }
}
