internal import Glibc

/// Outside samples that may lie beside the repository; tests that use them are skipped without them.
package enum Samples {
    /// `WIDGET_SAMPLES`, or the folder beside the repository.
    package static let directory: String = {
        // The environment is not changed while tests run, and the text is copied at once.
        if let path = unsafe getenv("WIDGET_SAMPLES") { return unsafe String(cString: path) }
        // This file is Tests/TestSupport/Samples.swift.
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/../shared/samples"
    }()

    package static var exist: Bool { unsafe access(directory + "/WidgetDemo.zip", R_OK) == 0 }

    package static func bytes(_ name: String) throws -> [UInt8] {
        guard let stream = unsafe fopen("\(directory)/\(name)", "r") else { throw Missing(name: name) }
        defer { unsafe fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&chunk, 1, chunk.count, stream)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    package struct Missing: Error {
        package var name: String
    }
}

extension Samples {
    /// Whether files inside the demo archive can be had.
    package static var canBeUnpacked: Bool { exist && ExternalTool("unzip") != nil }

    /// A file of the demo bundle, by its name inside the bundle.
    package static func demo(_ name: String) throws -> [UInt8] {
        let arguments = ["-p", "\(directory)/WidgetDemo.zip", "WidgetDemo.bundle/\(name)"]
        guard let bytes = ExternalTool("unzip")?.output(arguments) else { throw Missing(name: name) }
        return bytes
    }
}
