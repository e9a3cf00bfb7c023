import Testing
import WidgetBuild
import WidgetBundles
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetIntake
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// The framework's own sample, as it was shipped in 2018, on machines that have it.
enum DemoBundle {
    static let path = "\(Samples.directory)/WidgetDemo.zip"

    static var found: String? { (try? FileDescriptor.reading(path)) == nil ? nil : path }

    static var isThere: Bool { found != nil }

    /// The twentieth of June 2018, eight in the evening.
    static let evening = 551_217_600.0

    /// The program after some of its files have become others.
    static func program(changing: (inout [String: String]) -> Void) throws -> Program {
        let taken = try BundleSource(opening: try #require(found)).take()
        let files = try BundleReading.files(of: taken.opened)
        var bytes = Dictionary(uniqueKeysWithValues: files.paths.map { ($0, files[$0] ?? []) })
        var texts = bytes.filter { $0.key.hasSuffix(".json") }.mapValues { String(decoding: $0, as: UTF8.self) }
        changing(&texts)
        for (path, text) in texts { bytes[path] = Array(text.utf8) }
        return try WidgetKitReader.program(BundleFiles(bytes), identifier: taken.bundle.manifest.identifier)
    }

    static func program(identifier: String? = nil) throws -> Program {
        try BundleReading.program(
            of: try BundleSource(opening: try #require(found)).take().opened, identifier: identifier)
    }
}

extension DrivenWidget {
    static func demo(changing: (inout [String: String]) -> Void) throws -> DrivenWidget {
        DrivenWidget(
            WidgetInstance(
                try DemoBundle.program(changing: changing), environment: Environment(now: DemoBundle.evening)))
    }

    static func demo(store: Store? = nil) throws -> DrivenWidget {
        DrivenWidget(
            WidgetInstance(try DemoBundle.program(), store: store, environment: Environment(now: DemoBundle.evening)))
    }
}

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
