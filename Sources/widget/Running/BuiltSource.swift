import Files
import WidgetBuild

/// A bundle that was built of its source, for as long as somebody refers to it.
final class BuiltSource {
    private let scratch: ScratchDirectory
    /// The bundle's folder.
    let path: String

    private init(_ scratch: consuming ScratchDirectory, _ path: String) {
        self.scratch = scratch
        self.path = path
    }

    /// - Returns: `nil` for what is no source.
    static func built(of path: String) throws(CommandFailure) -> BuiltSource? {
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
            let scratch = try ScratchDirectory(in: Directory.temporary)
            let bundle = "\(scratch.path)/\(compiled.name).bundle"
            try SourceFolder.write(compiled.files, to: bundle)
            return BuiltSource(scratch, bundle)
        } catch {
            throw .failed("\(error)", hints: [])
        }
    }
}
