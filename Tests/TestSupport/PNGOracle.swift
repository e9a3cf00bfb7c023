private import Foundation

/// What libpng makes of files.
package enum PNGOracle {
    /// For each file its size and the digest of its pixels, or why it was refused; `nil` without libpng.
    package static func read(_ files: [[UInt8]]) throws -> [String]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "png-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for (number, file) in files.enumerated() {
            let place = folder.appending(path: "\(number).png")
            try Data(file).write(to: place)
            paths.append(place.path)
        }
        guard Tool.exists("python3") else { return nil }
        let result = try Tool.run("python3", [Tool.oracle("png.py")] + paths)
        guard result.status == 0 else { return nil }
        return result.output.split(separator: "\n").map { String($0) }
    }

    /// Whether there is a libpng to ask.
    package static let exists: Bool = {
        guard Tool.exists("python3"), let result = try? Tool.run("python3", [Tool.oracle("png.py")]) else {
            return false
        }
        return result.status == 0
    }()
}
