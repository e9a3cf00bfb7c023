import Files
import TestSupport
import Testing
import WidgetBundles
import WidgetCore
import WidgetFormats
import WidgetIntake
import WidgetRender
import WidgetRunning

/// The framework's own sample, as it was shipped in 2018, when it is at hand.
enum DemoBundle {
    static let path = "\(Samples.directory)/WidgetDemo.zip"

    static var found: String? { (try? FileDescriptor.reading(path)) == nil ? nil : path }

    static var isThere: Bool { found != nil }

    /// The twentieth of June 2018, eight in the evening.
    static let evening = 551_217_600.0

    /// The program after some of its files have become others.
    static func program(changing: (inout [String: String]) -> Void) throws -> Program {
        let taken = try BundleSource(opening: try #require(found)).take()
        let files = try BundleReading.files(of: taken)
        var bytes = Dictionary(uniqueKeysWithValues: files.paths.map { ($0, files[$0] ?? []) })
        var texts = bytes.filter { $0.key.hasSuffix(".json") }.mapValues { String(decoding: $0, as: UTF8.self) }
        changing(&texts)
        for (path, text) in texts { bytes[path] = Array(text.utf8) }
        return try WidgetKitReader.program(BundleFiles(bytes), identifier: taken.bundle.manifest.identifier)
    }

    static func program(identifier: String? = nil) throws -> Program {
        try BundleReading.program(of: try BundleSource(opening: try #require(found)).take(), identifier: identifier)
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
