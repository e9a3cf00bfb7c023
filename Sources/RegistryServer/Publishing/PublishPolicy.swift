package import WidgetBundles

/// What the operator lets publishers do; asked anew for every request, so that a reload shows.
package struct PublishPolicy: Equatable, Sendable {
    /// What a bundle may be, and how large its archive.
    package var bundles = BundlePolicy()
    /// Refuse what would be stripped or warned about, whatever the request says.
    package var isStrict = false
    package var concurrentUploads = 16
    /// Where clients reach the server, for absolute places; `nil`: places are relative.
    package var publicURL: String?
    /// Bytes of the disk that uploads leave free.
    package var diskReserve = 256 << 20

    package init() {}
}
