internal import Bytes
internal import JSONText
internal import Plist

/// Decides what happens to a file, once it has been seen.
struct ContentJudge {
    private let limits: BundleLimits
    private let patterns: [PathPattern]
    /// The file `CFBundleExecutable` names, in lower case: file systems of hosts may not care.
    let executable: String?

    init(policy: BundlePolicy, manifest: BundleManifest) {
        limits = policy.limits
        patterns = policy.kept.map(PathPattern.init)
        executable = manifest.executable?.lowercased()
    }

    enum Verdict {
        case keep(ContentKind, JSONTable?)
        case strip(StripRule, ContentKind)
    }

    /// What the name of a file says, when nothing about it keeps it from being kept.
    func claim(_ components: [String]) -> ContentKind? {
        guard let name = components.last, Place.of(components) == nil, keeps(components) else { return nil }
        return ContentKind.named(name)
    }

    /// Whether the allow-list has a file of that path, seen from inside the bundle folder.
    ///
    /// The information dictionary needs no pattern: without it there is no bundle.
    private func keeps(_ components: [String]) -> Bool {
        if components == ["Info.plist"] { return true }
        let names = PathPattern.folded(components)
        return patterns.contains { $0.matches(names) }
    }

    /// - Parameters:
    ///   - components: the path inside the bundle folder.
    ///   - claim: what ``claim(_:)`` says of it.
    ///   - path: the path in what was handed in, for errors.
    func judge(
        _ components: [String], claim: ContentKind?, _ seen: FileInspector.Seen, byteCount: Int, path: String
    ) throws(BundleError) -> Verdict {
        let inside = components.joined(separator: "/")
        let named = ContentKind.named(inside)
        if let foreign = seen.foreign, let rule = StripRule(foreign) {
            guard let claim else { return .strip(rule, foreign) }
            // Only a policy of its own lets documents in, and then under their own name.
            guard foreign == claim, rule == .activeContent else {
                throw BundleError(.disguised(name: claim, content: foreign), path: path, offset: 0)
            }
        }
        if inside.lowercased() == executable { return .strip(.executable, .executable) }
        guard let claim else {
            if let place = Place.of(components) {
                return .strip(place.rule, place.kind == .other ? named : place.kind)
            }
            return .strip(StripRule(named) ?? .notAllowed, named)
        }
        // A policy cannot let code in by its name either.
        if let rule = StripRule(claim), rule != .activeContent || claim == .javaScript { return .strip(rule, claim) }
        return .keep(claim, try requireSound(claim, seen, byteCount: byteCount, path: path))
    }

    /// Reads what is read as a whole, and passes on what was seen of the rest.
    private func requireSound(
        _ kind: ContentKind, _ seen: FileInspector.Seen, byteCount: Int, path: String
    ) throws(BundleError) -> JSONTable? {
        if let fault = seen.fault { throw BundleError(.format(kind, fault), path: path, offset: fault.offset) }
        guard kind.isParsed else {
            // A document that a policy lets in has to be what its name says.
            if StripRule(kind) != nil, seen.foreign != kind {
                throw BundleError(.format(kind, FormatFault(.wrongMagic, at: 0)), path: path, offset: 0)
            }
            return nil
        }
        guard byteCount <= limits.parsedByteCount else {
            throw BundleError(.tooLargeToRead(limit: limits.parsedByteCount), path: path)
        }
        switch kind {
        case .json: return try json(seen.bytes, path: path)
        case .plist:
            try plist(kind, path: path) { () throws(PlistError) in
                try PlistValue(parsing: seen.bytes, limits: limits.plist)
            }
        case .strings:
            try plist(kind, path: path) { () throws(PlistError) in
                try PlistValue(parsingStrings: seen.bytes, limits: limits.plist)
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
        return nil
    }

    private func json(_ bytes: [UInt8], path: String) throws(BundleError) -> JSONTable {
        return try rethrowing(
            try JSONTable(parsing: bytes, limits: limits.json, root: .container),
            as: { (error: JSONError) in
                BundleError(.json(error), path: path, offset: error.offset, line: error.line, column: error.column)
            })
    }

    private func plist(
        _ kind: ContentKind, path: String, _ parse: () throws(PlistError) -> PlistValue
    ) throws(BundleError) {
        do throws(PlistError) {
            _ = try parse()
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
