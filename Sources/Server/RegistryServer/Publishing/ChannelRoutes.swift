internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The routes that set, roll back and delete channels.
struct ChannelRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let work: WorkQueue

    /// `PUT /v1/bundles/{id}/channels/{channel}`
    func put(_ request: borrowing Request, _ bundle: BundleIdentifier, _ channel: ChannelName) throws -> Answer {
        var entry = AuditEntry(.promote, request, bundle: bundle.text)
        entry.add("channel", channel.text)
        let caller = try access.writer(
            request, .promote, of: bundle.text, on: channel.text, noting: entry)
        entry.identify(caller)
        let author = entry.author
        let condition = ChannelCondition(request)
        guard !condition.isEmpty else {
            let problem = ProblemCatalogue.problem(RegistryError.preconditionRequired)
            audit.record(entry, problem)
            throw problem
        }
        let checkPermission = access.permissionCheck(request, .promote, of: bundle.text, on: channel.text)
        return SmallBody.receive(work, audit, entry, checkPermission) { [registry] body, write throws(Problem) in
            let setting = try ChannelRequest.setting(body)
            write.add("release", setting.release)
            write.add("rollout", String(setting.rollout))
            return try ChannelRoutes.answer(caller) { () throws(RegistryError) in
                try registry.setChannel(
                    bundle.text, channel.text, setting, by: author, when: condition.check)
            }
        }
    }

    /// `POST /v1/bundles/{id}/channels/{channel}/rollback`
    func rollback(_ request: borrowing Request, _ bundle: BundleIdentifier, _ channel: ChannelName) throws -> Answer {
        var entry = AuditEntry(.rollback, request, bundle: bundle.text)
        entry.add("channel", channel.text)
        let caller = try access.writer(
            request, .promote, of: bundle.text, on: channel.text, noting: entry, taking: .rollingBack)
        entry.identify(caller)
        let isDryRun = try request.query(RollbackOptions.dryRun) ?? false
        let author = entry.author
        let condition = ChannelCondition(request)
        let checkPermission = access.permissionCheck(request, .promote, of: bundle.text, on: channel.text)
        return SmallBody.receive(work, audit, entry, checkPermission) { [registry] body, write throws(Problem) in
            let key = try ChannelRequest.rollbackTarget(body)
            var shown = key ?? ""
            defer { write.add("release", shown) }
            if isDryRun {
                let outcome = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                    try registry.judgeRollback(bundle.text, channel.text, to: key, when: condition.check)
                }
                shown = outcome.channel.release
                write.record("dry-run")
                return WrittenDocument.answer(ofDryRun: outcome.channel)
            }
            return try ChannelRoutes.answer(caller) { () throws(RegistryError) in
                let changed = try registry.rollback(
                    bundle.text, channel.text, to: key, by: author, when: condition.check)
                shown = changed.release
                return changed
            }
        }
    }

    /// `DELETE /v1/bundles/{id}/channels/{channel}`
    func delete(_ request: borrowing Request, _ bundle: BundleIdentifier, _ channel: ChannelName) throws -> Answer {
        var entry = AuditEntry(.deleteChannel, request, bundle: bundle.text)
        entry.add("channel", channel.text)
        let caller = try access.writer(
            request, .promote, of: bundle.text, on: channel.text, noting: entry)
        entry.identify(caller)
        let author = entry.author
        let condition = ChannelCondition(request)
        guard condition.isMatch else {
            let problem = ProblemCatalogue.problem(RegistryError.preconditionRequired)
            audit.record(entry, problem)
            throw problem
        }
        let checkPermission = access.permissionCheck(request, .promote, of: bundle.text, on: channel.text)
        return SmallBody.receive(work, audit, entry, checkPermission) { [registry] _, _ throws(Problem) in
            try rethrowing(as: caller.problem) { () throws(RegistryError) in
                try registry.deleteChannel(
                    bundle.text, channel.text, by: author, when: condition.check)
            }
            return .response(Response(.noContent))
        }
    }

    private static func answer(
        _ caller: Caller, _ change: () throws(RegistryError) -> Channel
    ) throws(Problem) -> Answer {
        WrittenDocument.answer(try rethrowing(as: caller.problem) { () throws(RegistryError) in try change() })
    }
}

/// A request's precondition on the channel that it changes (RFC 9110 §13.1.1, §13.1.2).
struct ChannelCondition: Sendable {
    private let match: EntityTagList?
    private let noneMatch: EntityTagList?

    init(_ request: borrowing Request) {
        match = request.value(.ifMatch).map { EntityTagList($0) }
        // Of If-None-Match only "must not exist yet" keeps another change from being lost.
        noneMatch = request.value(.ifNoneMatch).flatMap { $0 == "*" ? EntityTagList($0) : nil }
    }

    var isEmpty: Bool { match == nil && noneMatch == nil }
    /// True if it names the tag that the channel must have.
    var isMatch: Bool { match != nil }

    @Sendable func check(_ channel: Channel?) throws(RegistryError) {
        var tag: String?
        if let channel { tag = ChannelDocument(channel).entityTag }
        if let match, !match.holds(tag) { throw .preconditionFailed(channel) }
        if let noneMatch, noneMatch.holds(tag) { throw .preconditionFailed(channel) }
    }
}

/// The bodies that channel routes take.
enum ChannelRequest {
    static func setting(_ body: [UInt8]) throws(Problem) -> ChannelSetting {
        let wanted: ChannelSettingDocument = try RequestDocument.read(body)
        let rollout = wanted.rollout ?? Rollout.bucketCount
        guard (0...Rollout.bucketCount).contains(rollout) else {
            throw ProblemCatalogue.problem(RegistryError.invalidRollout(rollout))
        }
        return ChannelSetting(release: wanted.release, rollout: rollout, isMandatory: wanted.isMandatory ?? false)
    }

    /// `nil` for the release before the present one; no body says the same.
    static func rollbackTarget(_ body: [UInt8]) throws(Problem) -> String? {
        guard !body.isEmpty else { return nil }
        return try RequestDocument.read(body, as: RollbackDocument.self).key
    }
}
