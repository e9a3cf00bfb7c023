internal import JSONText
internal import Plist

/// Decides what happens to a file, once it has been seen.
struct ContentJudge {
    let policy: BundlePolicy
    /// The file `CFBundleExecutable` names, in lower case: file systems of hosts may not care.
    let executable: String?

    init(policy: BundlePolicy, manifest: BundleManifest) {
        self.policy = policy
        executable = manifest.executable?.lowercased()
    }

    enum Verdict {
        case keep(ContentKind, JSONDocument?)
        case strip(StripRule, ContentKind)
    }

    /// What the name of a file says, when nothing about it keeps it from being kept.
    func claim(_ components: [String]) -> ContentKind? {
        let path = components.joined(separator: "/")
        guard Place.of(components) == nil, policy.keeps(path) else { return nil }
        return ContentKind.named(path)
    }

    /// - Parameters:
    ///   - components: the path inside the bundle folder.
    ///   - path: the path in what was handed in, for errors.
    func judge(
        _ components: [String], _ seen: FileInspector.Seen, byteCount: Int, path: String
    ) throws(BundleError) -> Verdict {
        let inside = components.joined(separator: "/")
        let named = ContentKind.named(inside)
        let claim = claim(components)
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
    ) throws(BundleError) -> JSONDocument? {
        if let fault = seen.fault { throw BundleError(.format(kind, fault), path: path, offset: fault.offset) }
        guard kind.isParsed else {
            // A document that a policy lets in has to be what its name says.
            if StripRule(kind) != nil, seen.foreign != kind {
                throw BundleError(.format(kind, FormatFault(.wrongMagic, at: 0)), path: path, offset: 0)
            }
            return nil
        }
        guard byteCount <= policy.limits.parsedByteCount else {
            throw BundleError(.tooLargeToRead(limit: policy.limits.parsedByteCount), path: path)
        }
        switch kind {
        case .json: return try json(seen.bytes, path: path)
        case .plist:
            try plist(kind, path: path) { () throws(PlistError) in
                try PlistValue(parsing: seen.bytes, limits: policy.limits.plist)
            }
        case .strings:
            try plist(kind, path: path) { () throws(PlistError) in
                try PlistValue(parsingStrings: seen.bytes, limits: policy.limits.plist)
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

    private func json(_ bytes: [UInt8], path: String) throws(BundleError) -> JSONDocument {
        do throws(JSONError) {
            return try JSONDocument(parsing: bytes, limits: policy.limits.json, root: .container)
        } catch {
            throw BundleError(.json(error), path: path, offset: error.offset, line: error.line, column: error.column)
        }
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
        do throws(FormatFault) {
            try check()
        } catch {
            throw BundleError(.format(kind, error), path: path, offset: error.offset)
        }
    }
}
