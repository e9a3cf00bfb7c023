package import WidgetFiles
package import WidgetZip

/// A bundle in its canonical archive: what reading its files needs.
package struct CanonicalBundle: ~Copyable {
    package let manifest: BundleManifest
    /// The top folder of the archive, `Name.bundle`.
    package let folder: String
    /// The archive's directory, proven by the strict reader.
    package let directory: ZipDirectory
    package let archive: FileDescriptor

    /// The directory was proven when the archive was written: nothing needs to be proven again.
    package init(_ taken: BundleIntake.Taken, archive: consuming FileDescriptor) {
        manifest = taken.bundle.manifest
        folder = taken.bundle.folder
        directory = taken.directory
        self.archive = archive
    }

    /// Opens an archive that a registry has written. Its files were judged then, and are not judged again.
    package init(canonical archive: consuming FileDescriptor) throws(BundleError) {
        let read = try BundleIntake().open(archive)
        manifest = read.manifest
        folder = read.folder
        directory = read.directory
        self.archive = archive
    }
}
