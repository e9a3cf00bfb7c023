import Console
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

    /// - Parameter output: the file that will be written, if there is one: work in progress then lies on its disk.
    static func take(_ path: String, output: String? = nil) throws(BundleError) -> Taken {
        let source = try file { () throws(FileError) in try FileDescriptor.readingNamed(path) }
        let status = try file { () throws(FileError) in try source.status() }
        let folder = output.map { ArchiveFile.split($0).folder }
        let archive = try scratch(in: folder)
        let taken: BundleIntake.Taken
        if status.kind == .directory {
            let directory = try file { () throws(FileError) in try Directory(opening: path) }
            let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
            var bar = ProgressBar("packing")
            taken = try BundleIntake().take(
                folder: directory, named: name, packed: try scratch(in: folder), archive: try scratch(in: folder),
                into: archive
            ) { bar.show($0, of: $1) }
        } else {
            var bar = ProgressBar("reading")
            taken = try BundleIntake().take(source, into: archive) { bar.show($0, of: $1) }
        }
        return Taken(bundle: taken.bundle, report: taken.report, archive: archive, sourceStatus: status)
    }

    /// An archive that is open already, such as one from a registry.
    static func take(_ archive: borrowing FileDescriptor) throws(BundleError) -> Taken {
        let status = try file { () throws(FileError) in try archive.status() }
        let target = try scratch(in: nil)
        let taken = try BundleIntake().take(archive, into: target)
        return Taken(bundle: taken.bundle, report: taken.report, archive: target, sourceStatus: status)
    }

    /// A file without a name, so that nothing is left behind: in that folder, or where the system keeps such files
    /// when there is none or it cannot have any.
    private static func scratch(in folder: String?) throws(BundleError) -> FileDescriptor {
        if let folder {
            do throws(FileError) {
                return try FileDescriptor.unnamed(inDirectory: folder)
            } catch {
                // A folder that is not there, or nobody's to write to, will not take the archive either.
                guard error.isUnsupported else { throw BundleError(error) }
            }
        }
        return try file { () throws(FileError) in try FileDescriptor.unnamed(inDirectory: Directory.temporary) }
    }

    private static func file<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(BundleError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw BundleError(error)
        }
    }
}
