internal import JSONText
internal import LocalStore
internal import RegistryContract
internal import WidgetBytes
internal import WidgetFiles

/// The place up to which a mirror has followed its origin, kept between runs.
struct MirrorState: Equatable, Sendable {
    /// A line of the origin's feed, or the place before the first.
    struct Place: Equatable, Sendable {
        var tag: Int
        /// The SHA-256 of the line, by which a feed is recognized; empty before the first.
        var mark: String

        static let start = Place(tag: 0, mark: "")

        init(tag: Int, mark: String) {
            self.tag = tag
            self.mark = mark
        }

        init(_ line: ChangeDocument) {
            var sha = SHA256()
            sha.update(line.bytes)
            self.init(tag: line.tag, mark: sha.finish()?.hex ?? "\(line.tag)")
        }
    }

    var origin: String
    var prefixes: [String]
    /// `nil` if all bundles are to be compared.
    var place: Place?
    /// The bundles that are not as they were at that place.
    var behind: [String] = []

    private static let format = 1
    private static let byteLimit = 64 << 20

    init(origin: String, prefixes: [String]) {
        self.origin = origin
        self.prefixes = prefixes
    }

    // MARK: The file

    private var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", MirrorState.format)
            writer.member("origin", origin)
            writer.key("prefixes")
            writer.array { writer in for prefix in prefixes { writer.string(prefix) } }
            if let place {
                writer.member("tag", place.tag)
                writer.member("mark", place.mark)
            }
            writer.key("behind")
            writer.array { writer in for bundle in behind { writer.string(bundle) } }
        }
        return writer.finish()
    }

    private init?(parsing bytes: [UInt8]) {
        guard
            let cursor = try? JSONDocument(
                parsing: bytes, limits: JSONLimits(byteCount: MirrorState.byteLimit, depth: 4, valueCount: 1 << 20)
            ).cursor,
            let format: Int = try? cursor.require("format"), format == MirrorState.format,
            let origin: String = try? cursor.require("origin"),
            let prefixes: [String] = try? cursor.require("prefixes"),
            let behind: [String] = try? cursor.require("behind")
        else { return nil }
        self.init(origin: origin, prefixes: prefixes)
        self.behind = behind
        if let tag: Int = try? cursor.require("tag"), let mark: String = try? cursor.require("mark"), tag >= 0 {
            place = Place(tag: tag, mark: mark)
        }
    }

    /// Replaces the file at once, on the disk for good.
    func save(in data: String) throws(MirrorError) {
        do throws(FileError) {
            try Directory(opening: data).replaceFile(StoreNames.mirror, with: bytes, mode: 0o600)
        } catch {
            throw .file(error)
        }
    }

    /// The state that a directory has; `nil` without one.
    private static func load(_ data: String) throws(MirrorError) -> MirrorState? {
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try Directory(opening: data).openFile(StoreNames.mirror)
            let byteCount = try file.status().byteCount
            guard byteCount <= byteLimit else { return nil }
            bytes = try file.read(at: 0, count: byteCount)
        } catch {
            guard !error.isMissing else { return nil }
            throw .file(error)
        }
        guard let state = MirrorState(parsing: bytes) else {
            throw .occupied("\(data)/\(StoreNames.mirror) cannot be read; remove it, and everything is compared anew")
        }
        return state
    }

    /// The state to continue from. A directory is a copy of one origin, and of no less than it was.
    ///
    /// - Parameter isEmpty: true if the registry in the directory has no bundle.
    static func continued(
        in data: String, origin: String, prefixes: [String], isEmpty: Bool
    ) throws(MirrorError) -> MirrorState {
        var state = MirrorState(origin: origin, prefixes: prefixes)
        guard let former = try load(data) else {
            guard isEmpty else {
                throw .occupied("\(data) holds a registry that is not a mirror; choose another directory")
            }
            // The feed from its start tells of every bundle.
            state.place = .start
            try state.save(in: data)
            return state
        }
        guard former.origin == origin else {
            throw .occupied("\(data) holds a mirror of \(former.origin); choose another directory")
        }
        let scope = MirrorScope(prefixes)
        guard former.prefixes.isEmpty ? prefixes.isEmpty : former.prefixes.allSatisfy(scope.includes) else {
            throw .occupied("\(data) holds a mirror of more prefixes; choose another directory")
        }
        if former.prefixes == prefixes { state.place = former.place }
        state.behind = former.behind
        return state
    }
}

/// The bundles that a mirror copies.
struct MirrorScope: Sendable {
    /// Whole labels; empty: all bundles.
    let prefixes: [String]

    init(_ prefixes: [String]) {
        self.prefixes = prefixes
    }

    /// True for a prefix itself, and for what continues it after a dot.
    func includes(_ identifier: String) -> Bool {
        guard !prefixes.isEmpty else { return true }
        return prefixes.contains { identifier == $0 || identifier.utf8.starts(with: "\($0).".utf8) }
    }
}
