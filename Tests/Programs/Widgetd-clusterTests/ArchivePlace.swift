import ConformanceSupport
import FoundationEssentials
import ObjectPeer

/// A place for archives that replicas share, for tests that hold of any.
///
/// Each test has a place for itself: a folder in its own, or a prefix in the bucket.
enum ArchivePlace: String, CaseIterable, Sendable {
    case folder
    /// OpenStack Swift.
    case store

    /// The settings of replicas that share an empty place.
    func settings(_ home: Home) throws -> [String: String] {
        switch self {
        case .folder: return ["WIDGETD_BLOBS_URL": "file://\(home.folder.path)/shared"]
        case .store:
            return ArchivePlace.settings(try ObjectPeer.shared.get())
        }
    }

    static func settings(_ peer: ObjectPeer) -> [String: String] {
        ["WIDGETD_BLOBS_URL": peer.address(), "WIDGETD_BLOBS_KEY": peer.keyFile]
    }
}
