import Files
import TestSupport
import WidgetBuild

/// The samples of this repository, compiled.
enum SampleSources {
    static func compiled(
        _ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> BundleCompiler {
        var sources = try SourceFolder.read(try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/\(name)"))
        changing(&sources)
        return try BundleCompiler(sources, folder: name)
    }
}

/// A refusal that a test did not expect.
struct Refused: Error, CustomStringConvertible {
    var description: String
}
