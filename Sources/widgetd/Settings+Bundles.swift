import Configuration
import WidgetBundles

extension Settings {
    /// What a bundle may be, for whoever takes one in.
    var bundlePolicy: BundlePolicy {
        var bundles = BundlePolicy()
        bundles.kept = policy.kept
        bundles.limits.archiveByteCount = limits.upload
        bundles.limits.expandedByteCount = limits.expanded
        bundles.limits.fileByteCount = limits.file
        bundles.limits.entryCount = limits.entries
        bundles.limits.pathDepth = limits.pathDepth
        bundles.limits.pathByteCount = limits.pathLength
        bundles.limits.parsedByteCount = limits.parsedFile
        bundles.limits.ratio = limits.ratio
        bundles.limits.pixelCount = limits.pixels
        return bundles
    }
}
