import RegistryServer
import WidgetRegistry

/// The parts that are kept of what a review sends: those of the kinds and names that reviews have, within their bytes.
///
/// They come of a process that may have been taken over by a bundle. Pages serve them without letting them do anything, and
/// none can have the name of a part that the server makes itself.
struct PartBounds {
    private var names: Set<String> = []
    /// The bytes that are left for stills with their sheets and pictures, and for outlines.
    private var room: Int
    private var outlines = ReleaseStills.outlinesLimit + PartBounds.mended
    private var count = 0

    /// The most parts, and the bytes of facts, which is as much as can be read.
    private static let most = 4_096
    private static let factsLimit = 1 << 20
    /// The bytes that outlines gain where their last letter was cut.
    private static let mended = 8 << 10

    init(_ plan: StillPlan) {
        room = plan.byteCount
    }

    /// - Returns: false for a part that is not kept.
    mutating func take(_ part: ReleasePart) -> Bool {
        guard count < PartBounds.most, isLawful(part), !names.contains(part.name) else { return false }
        switch part.mediaType {
        case "application/json": guard part.content.count <= PartBounds.factsLimit else { return false }
        case "text/plain; charset=utf-8":
            guard part.content.count <= outlines else { return false }
            outlines -= part.content.count
        default:
            guard part.content.count <= room else { return false }
            room -= part.content.count
        }
        names.insert(part.name)
        count += 1
        return true
    }

    private func isLawful(_ part: ReleasePart) -> Bool {
        switch part.mediaType {
        case "application/json": part.name == ReleaseFacts.partName
        case "text/plain; charset=utf-8":
            part.name.hasPrefix(ReleaseFacts.outlinePrefix) && part.name.utf8.count <= 4_200
        case "text/html; charset=utf-8": part.name.wholeMatch(of: /screen-[0-9]{1,2}(-[0-9]{1,3})?\.html/) != nil
        case "text/css; charset=utf-8": part.name.wholeMatch(of: /still(-[A-Za-z0-9_-]{1,32})?\.css/) != nil
        case "image/png", "image/jpeg", "image/gif", "image/webp":
            part.name == ReleaseFacts.iconName || part.name.wholeMatch(of: /[A-Za-z0-9]{1,64}\.[a-z]{3,4}/) != nil
        default: false
        }
    }
}
