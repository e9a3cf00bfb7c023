import Files
import WidgetBundles

/// What a person points at: an archive or a folder.
enum BundleSource {
    /// A bundle that was taken in, and its archive in a file without a name.
    struct Taken: ~Copyable {
        let bundle: WidgetBundle
        let report: BundleReport
        let archive: FileDescriptor
        /// To tell the source from the file that is to be written.
        let sourceStatus: FileStatus
    }

    /// Work in progress has no name anywhere, so nothing is left behind.
    private static let scratchFolder = "/tmp"

    static func take(_ path: String) throws(BundleError) -> Taken {
        let source = try file { () throws(FileError) in try FileDescriptor.reading(path) }
        let status = try file { () throws(FileError) in try source.status() }
        let archive = try scratch()
        let taken: BundleIntake.Taken
        if status.kind == .directory {
            let folder = try file { () throws(FileError) in try Directory(opening: path) }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            taken = try BundleIntake().take(
                folder: folder, named: name, packed: try scratch(), archive: try scratch(), into: archive)
        } else {
            taken = try BundleIntake().take(source, into: archive)
        }
        return Taken(bundle: taken.bundle, report: taken.report, archive: archive, sourceStatus: status)
    }

    private static func scratch() throws(BundleError) -> FileDescriptor {
        try file { () throws(FileError) in try FileDescriptor.unnamed(inDirectory: scratchFolder) }
    }

    private static func file<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(BundleError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw BundleError(error)
        }
    }
}
