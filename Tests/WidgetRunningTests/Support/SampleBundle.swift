import Files
import TestSupport
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetRunning

/// A bundle of ours, compiled from its source.
enum SampleBundle {
    static func files(_ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> BundleFiles {
        BundleFiles(try compiled(name, changing: changing))
    }

    /// The files of the bundle, by their paths in it.
    static func compiled(
        _ name: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> [String: [UInt8]] {
        var sources = try SourceFolder.read(try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/\(name)"))
        changing(&sources)
        let compiled = try BundleCompiler(sources, folder: name)
        return Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
    }

    static func widget(
        _ name: String, now: Double = 803_678_400, changing: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> DrivenWidget {
        let program = try WidgetKitReader.program(files(name, changing: changing), identifier: "test.\(name)")
        return DrivenWidget(WidgetInstance(program, environment: Environment(now: now)))
    }
}
