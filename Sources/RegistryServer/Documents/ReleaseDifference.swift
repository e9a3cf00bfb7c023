internal import Bytes
internal import Registry

/// What is different between the files of two releases, and what a host that has one fetches to get the other.
struct ReleaseDifference {
    struct Change {
        let old: ReleaseFile
        let new: ReleaseFile
    }

    /// All in the order of the paths' bytes.
    private(set) var added: [ReleaseFile] = []
    private(set) var removed: [ReleaseFile] = []
    private(set) var changed: [Change] = []
    private(set) var unchangedCount = 0
    /// The bytes of the new archive that hold what the old release does not have under any path.
    private(set) var transferByteCount = 0

    init(from old: [ReleaseFile], to new: [ReleaseFile]) {
        let oldByPath = Dictionary(old.map { ($0.path, $0) }) { first, _ in first }
        let newPaths = Set(new.map(\.path))
        for file in new {
            guard let before = oldByPath[file.path] else {
                added.append(file)
                continue
            }
            if before.digest == file.digest {
                unchangedCount += 1
            } else {
                changed.append(Change(old: before, new: file))
            }
        }
        removed = old.filter { !newPaths.contains($0.path) }

        var held = Set(old.map(\.digest))
        for file in new where held.insert(file.digest).inserted { transferByteCount += file.compressedByteCount }

        added.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        removed.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        changed.sort { $0.new.path.utf8.lexicographicallyPrecedes($1.new.path.utf8) }
    }
}
