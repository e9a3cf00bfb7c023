import Files
import Testing
import WidgetBundles
import WidgetCore
import WidgetHost
import WidgetRender

/// The framework's own sample, as it was shipped in 2018, when it is at hand.
enum DemoBundle {
    static let path: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return (parts.dropLast().joined(separator: "/") + "/shared/samples/WidgetDemo.zip")
    }()

    static let paths = [path, path.replacing("/wt/shared/", with: "/shared/")]

    static var found: String? { paths.first { (try? FileDescriptor.reading($0)) != nil } }

    static var isThere: Bool { found != nil }

    /// The twentieth of June 2018, eight in the evening.
    static let evening = 551_217_600.0

    static func program(identifier: String? = nil) throws -> Program {
        let source = try FileDescriptor.reading(try #require(found))
        let archive = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        let taken = try BundleIntake().take(source, into: archive)
        return try BundleReading.program(of: taken.bundle, in: archive, identifier: identifier)
    }
}

extension DrivenWidget {
    static func demo(store: Store? = nil) throws -> DrivenWidget {
        DrivenWidget(
            WidgetInstance(try DemoBundle.program(), store: store, environment: Environment(now: DemoBundle.evening)))
    }
}
