package import Files
package import WidgetBundles
package import Zip

/// A bundle that was taken in, and its canonical archive in a file without a name.
package struct TakenBundle: ~Copyable {
    package let bundle: WidgetBundle
    package let report: BundleReport
    /// Of the archive, as the strict reader saw it when the archive was written: nothing needs to be proven again.
    package let directory: ZipDirectory
    package let archive: FileDescriptor

    init(_ taken: BundleIntake.Taken, archive: consuming FileDescriptor) {
        bundle = taken.bundle
        report = taken.report
        directory = taken.directory
        self.archive = archive
    }
}
