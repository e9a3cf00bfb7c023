internal import Bytes
internal import Files
package import RegistryContract
internal import WidgetBundles

/// A release that was verified when it was handed out, ready to be run.
///
/// As long as somebody refers to it, its folder stays, whatever newer releases come.
package final class InstalledRelease: Sendable {
    package let widgetIdentifier: WidgetIdentifier
    package let record: InstalledRecord
    /// A newer one, which its registry wants to be run instead, was here and is damaged.
    package let mustUpdate: Bool
    /// By path in the bundle folder, as they were found on the disk.
    package let files: [ReleaseFolder.File]
    /// Shared, so that nobody removes it.
    private let folder: Directory

    init(
        _ widgetIdentifier: WidgetIdentifier, _ record: InstalledRecord, files: [ReleaseFolder.File],
        folder: consuming Directory, mustUpdate: Bool
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.record = record
        self.files = files
        self.folder = folder
        self.mustUpdate = mustUpdate
    }

    /// The bundle folder.
    package var path: String { "\(folder.path)/\(record.folder)" }
}
