internal import JSONText
internal import WidgetBytes
internal import WidgetPlist

/// Decides whether a file is kept, stripped or refused, once it has been read.
struct ContentJudge {
    private let limits: BundleLimits
    private let patterns: [PathPattern]
    /// The name in `CFBundleExecutable`, in lower case, because file systems of hosts may ignore case.
    let executable: String?

    init(policy: BundlePolicy, manifest: BundleManifest) {
        self.init(policy: policy, executable: manifest.executable)
    }

    init(policy: BundlePolicy, executable: String?) {
        limits = policy.limits
        patterns = policy.kept.map(PathPattern.init)
        self.executable = executable?.lowercased()
    }

    enum Verdict {
        case keep(ContentKind, Content)
        case strip(StripRule, ContentKind)
    }

    /// The parts of a kept file that others need.
    enum Content {
        case document(JSONTable)
        /// A property list or strings file, with notes on how it was read.
        case list([PlistNote])
        case opaque
    }

    /// Returns the kind that a file's name claims, unless the name alone makes it stripped.
    func claim(_ components: [String]) -> ContentKind? {
        guard let name = components.last, FilePlace.of(components) == nil, keeps(components) else { return nil }
        return ContentKind.named(name)
    }

    /// Returns true if the allow-list has a file of that path inside the bundle folder.
    ///
    /// The information dictionary needs no pattern: without it there is no bundle.
    private func keeps(_ components: [String]) -> Bool {
        if components == ["Info.plist"] { return true }
        let names = PathPattern.folded(components)
        return patterns.contains { $0.matches(names) }
    }

    /// - Parameters:
    ///   - components: the path inside the bundle folder.
    ///   - claim: the kind that ``claim(_:)`` returns for it.
    ///   - path: the path in the publisher's input, for errors.
    func judge(
        _ components: [String], claim: ContentKind?, _ seen: FileInspector.Seen, byteCount: Int, path: String
    ) throws(BundleError) -> Verdict {
        let inside = components.joined(separator: "/")
        let named = ContentKind.named(inside)
        if let foreign = seen.foreign, let rule = StripRule(foreign) {
            guard let claim else { return .strip(rule, foreign) }
            // Only a custom policy lets documents in, and only under a matching name.
            guard foreign == claim, rule == .activeContent else {
                throw BundleError(.disguised(name: claim, content: foreign), path: path, offset: 0)
            }
        }
        if inside.lowercased() == executable { return .strip(.executable, .executable) }
        guard let claim else {
            if let place = FilePlace.of(components) {
                return .strip(place.rule, place.kind == .other ? named : place.kind)
            }
            return .strip(StripRule(named) ?? .notAllowed, named)
        }
        // A policy cannot let code in by its name either.
        if let rule = StripRule(claim), rule != .activeContent || claim == .javaScript { return .strip(rule, claim) }
        return .keep(claim, try requireSound(claim, seen, byteCount: byteCount, path: path))
    }

    /// Requires that a file matches its kind. Streamed files were checked on the way; the others are parsed here.
    private func requireSound(
        _ kind: ContentKind, _ seen: FileInspector.Seen, byteCount: Int, path: String
    ) throws(BundleError) -> Content {
        if seen.fault != nil, let picture = seen.picture, picture.kind != kind {
            throw BundleError(.misnamed(kind, picture), path: path, offset: 0)
        }
        if let fault = seen.fault { throw BundleError(.format(kind, fault), path: path, offset: fault.offset) }
        guard kind.isParsed else {
            // A document that a policy lets in has to match its name.
            if StripRule(kind) != nil, seen.foreign != kind {
                throw BundleError(.format(kind, FormatFault(.wrongMagic, at: 0)), path: path, offset: 0)
            }
            return .opaque
        }
        guard byteCount <= limits.parsedByteCount else {
            throw BundleError(.tooLargeToRead(limit: limits.parsedByteCount), path: path)
        }
        switch kind {
        case .json: return .document(try json(seen.bytes, path: path))
        case .plist:
            return try plist(kind, path: path) { () throws(PlistError) in
                try PlistReading(parsing: seen.bytes, limits: limits.plist)
            }
        case .strings:
            return try plist(kind, path: path) { () throws(PlistError) in
                try PlistReading(parsingStrings: seen.bytes, limits: limits.plist)
            }
        case .nib: try frame(kind, path: path) { () throws(FormatFault) in try InterfaceHeader.requireNib(seen.bytes) }
        case .model:
            try frame(kind, path: path) { () throws(FormatFault) in try InterfaceHeader.requireModel(seen.bytes) }
        case .optimizedModel:
            try frame(kind, path: path) { () throws(FormatFault) in
                try InterfaceHeader.requireOptimizedModel(seen.bytes)
            }
        default: break
        }
        return .opaque
    }

    private func json(_ bytes: [UInt8], path: String) throws(BundleError) -> JSONTable {
        return try rethrowing(
            try JSONTable(parsing: bytes, limits: limits.json, root: .container),
            as: { (error: JSONError) in
                BundleError(.json(error), path: path, offset: error.offset, line: error.line, column: error.column)
            })
    }

    private func plist(
        _ kind: ContentKind, path: String, _ parse: () throws(PlistError) -> PlistReading
    ) throws(BundleError) -> Content {
        do throws(PlistError) {
            return .list(try parse().notes)
        } catch {
            throw BundleError(
                .plist(kind, error), path: path, offset: error.offset, line: error.line, column: error.column)
        }
    }

    private func frame(_ kind: ContentKind, path: String, _ check: () throws(FormatFault) -> Void) throws(BundleError) {
        try rethrowing(
            try check(),
            as: { (error: FormatFault) in BundleError(.format(kind, error), path: path, offset: error.offset) })
    }
}

/// Observes one file as its bytes are streamed: digest, first bytes, format.
///
/// It buffers the beginning of the file, and the whole of it only when its kind is read as a whole and it is within
/// that limit.
struct FileInspector: ~Copyable {
    private var sha = SHA256()
    /// Replaces ``sha`` for a file that takes longer to hash than a second thread to start.
    private let beside: QueuedSHA256?
    private var head: [UInt8] = []
    private var whole: [UInt8] = []
    private let collects: Bool
    private var check: FormatCheck

    private static let largeByteCount = 256 << 10

    /// `kind` is the kind that the file's name claims, when the file may be kept.
    init(_ kind: ContentKind?, byteCount: Int, limits: BundleLimits) {
        collects = (kind?.isParsed ?? false) && byteCount <= limits.parsedByteCount
        check =
            kind.map {
                FormatCheck($0, bounds: PictureBounds(fileByteCount: byteCount, pixelCount: limits.pixelCount))
            } ?? .none
        beside = byteCount > FileInspector.largeByteCount ? QueuedSHA256() : nil
        if collects { whole.reserveCapacity(byteCount) }
    }

    mutating func consume(_ chunk: borrowing Span<UInt8>) {
        if let beside { beside.update(copying: chunk) } else { sha.update(chunk) }
        if head.count < Magic.byteCount {
            head.append(copying: chunk.extracting(..<min(chunk.count, Magic.byteCount - head.count)))
        }
        if collects {
            whole.append(copying: chunk)
        } else {
            check.consume(chunk)
        }
    }

    /// The observations of one file.
    struct Seen {
        var digest: Digest
        /// The kind of foreign content.
        var foreign: ContentKind?
        /// The picture that it is, by its first bytes.
        var picture: KnownPicture?
        var fault: FormatFault?
        /// All bytes, for kinds that are read as a whole.
        var bytes: [UInt8]
    }

    consuming func finish() -> Seen? {
        let foreign = Magic.foreign(head)
        let picture = KnownPicture(head)
        let fault = check.finish()
        let bytes = whole
        guard let digest = beside == nil ? sha.finish() : beside?.value else { return nil }
        return Seen(digest: digest, foreign: foreign, picture: picture, fault: fault, bytes: bytes)
    }
}
