internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// An act on a bundle that people ask for on its page: first a sentence about what will change, then the change.
struct ChannelAct: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case promote, rollback, withdraw, restore, delete
    }

    let kind: Kind
    let bundle: String
    /// As the form has them.
    let fields: SentFields

    init(_ bundle: String, _ fields: SentFields) throws(Problem) {
        guard let kind = Kind(rawValue: fields["act"] ?? "") else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "Not an act; there are \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        self.kind = kind
        self.bundle = bundle
        self.fields = fields
    }

    var act: Act {
        switch kind {
        case .promote: .promote
        case .rollback: .rollback
        case .withdraw: .withdraw
        case .restore: .restore
        case .delete: .deleteChannel
        }
    }

    var scope: Token.Scope { kind == .withdraw ? .withdraw : .promote }

    var earlier: Token.Scope? { kind == .restore ? .withdraw : nil }

    /// The sentences that a person confirms.
    struct Plan: Sendable {
        var title: String
        var sentences: [String]
        var button: String
        var isDangerous = false
        /// The fields that the confirmation sends, the state that it is about among them.
        var fields: [(String, String)]
        /// The sentence that says how it is undone, or why it cannot be; `nil` where there is nothing to say.
        var undoing: String?
    }

    // MARK: Confirming

    func plan(in registry: Registry, for caller: Caller) throws(Problem) -> Plan {
        try caller.require(scope, earlier: earlier, of: bundle)
        var plan: Plan
        switch kind {
        case .promote: plan = try promotion(registry, caller)
        case .rollback: plan = try rollback(registry, caller)
        case .delete:
            let channel = try present(registry, caller)
            plan = Plan(
                title: "Delete the channel \(channel.name)?",
                sentences: [
                    "\(channel.name) shows \(GalleryText.shown(channel)).",
                    "Afterwards hosts that follow it get an answer that it does not exist, and keep what they have. Its releases stay.",
                ], button: "Delete the channel", isDangerous: true,
                fields: [("channel", channel.name), ("sequence", "\(channel.sequence)")],
                undoing: "A channel of the same name can be made again; its history is not brought back.")
        case .withdraw: plan = try withdrawal(registry, caller)
        case .restore:
            let release = try release(registry, caller)
            plan = Plan(
                title: "Restore \(release.key)?",
                sentences: [
                    "\(release.key) is withdrawn: \(release.withdrawal?.reason ?? "").",
                    "Afterwards it can be shown again, and the channels that left it because it was withdrawn show it again.",
                ], button: "Restore", fields: [("release", release.key)],
                undoing: caller.has(.withdraw) ? "It can be undone: withdraw it again." : nil)
        }
        plan.fields.insert(("act", kind.rawValue), at: 0)
        return plan
    }

    private func promotion(_ registry: Registry, _ caller: Caller) throws(Problem) -> Plan {
        let (name, setting) = (try channelName(caller), try setting())
        let release = try release(registry, caller)
        let present = try channelIfAny(name, registry, caller)
        let share = setting.rollout
        var sentences = [
            present.map { "\(name) shows \(GalleryText.shown($0))." }
                ?? "The channel \(name) does not exist yet; this makes it."
        ]
        if share == Rollout.bucketCount {
            sentences.append("Afterwards it shows \(release.key) to all hosts, which get it when they ask next.")
        } else {
            sentences.append(
                "Afterwards \(GalleryText.percent(share)) of the hosts get \(release.key); the others stay with what they get now."
            )
        }
        if setting.isMandatory { sentences.append("Hosts that have it installed run nothing older any more.") }
        return Plan(
            title: "Show \(release.key) on \(name)?", sentences: sentences, button: "Promote",
            fields: [
                ("channel", name), ("release", release.key), ("share", ManageForm.percent(share)),
                ("mandatory", setting.isMandatory ? "true" : ""),
                ("sequence", present.map { "\($0.sequence)" } ?? "new"),
            ], undoing: try undoing(of: setting, on: present, registry, caller))
    }

    private func undoing(
        of setting: ChannelSetting, on present: Channel?, _ registry: Registry, _ caller: Caller
    ) throws(Problem) -> String {
        guard let present else {
            return
                "It cannot be rolled back, because the channel has shown nothing before. Deleting the channel takes it back."
        }
        let shown = present.release
        if try isWithdrawn(shown, registry, caller) {
            return "It cannot be undone by a rollback: \(shown), which the channel names now, is withdrawn."
        }
        if shown == setting.release {
            return "It can be undone: promote \(shown) again\(ChannelAct.share(of: present))."
        }
        return present.rollout == Rollout.bucketCount
            ? "It can be undone: roll \(present.name) back to \(shown)."
            : "A rollback leads to \(shown), to all hosts; the share of now is not brought back."
    }

    /// The end of a sentence about promoting what a channel shows now.
    private static func share(of channel: Channel) -> String {
        channel.rollout == Rollout.bucketCount ? "" : ", to \(GalleryText.percent(channel.rollout))"
    }

    private func isWithdrawn(_ key: String, _ registry: Registry, _ caller: Caller) throws(Problem) -> Bool {
        try ask(caller) { () throws(RegistryError) in try registry.release(bundle, key).withdrawal != nil }
    }

    private func rollback(_ registry: Registry, _ caller: Caller) throws(Problem) -> Plan {
        let channel = try present(registry, caller)
        let goal = try ask(caller) { () throws(RegistryError) in
            try registry.judgeRollback(bundle, channel.name).channel.release
        }
        let isGone = try isWithdrawn(channel.release, registry, caller)
        return Plan(
            title: "Roll \(channel.name) back to \(goal)?",
            sentences: [
                "\(channel.name) shows \(GalleryText.shown(channel)).",
                "Afterwards it shows \(goal), to all hosts and at once.",
            ], button: "Roll back to \(goal)",
            fields: [("channel", channel.name), ("release", goal), ("sequence", "\(channel.sequence)")],
            undoing: isGone
                ? "It cannot be undone: \(channel.release) is withdrawn."
                : "It can be undone: promote \(channel.release) again\(ChannelAct.share(of: channel)).")
    }

    private func withdrawal(_ registry: Registry, _ caller: Caller) throws(Problem) -> Plan {
        let release = try release(registry, caller)
        let reason = try reason()
        let shown =
            release.channels.isEmpty
            ? "No channel shows it."
            : "It is shown on \(release.channels.joined(separator: ", ")), which go back to what they showed before."
        return Plan(
            title: "Withdraw \(release.key)?",
            sentences: [
                shown,
                "Afterwards no host gets it any more, from any channel or address. The reason is shown: \(reason)",
            ], button: "Withdraw", isDangerous: true, fields: [("release", release.key), ("reason", reason)],
            undoing: caller.has(.promote, earlier: .withdraw)
                ? "It can be undone for a while: restore it." : "Restoring it wants a token with the scope promote.")
    }

    // MARK: Carrying out

    /// - Returns: the channel that the act has changed, as it is now.
    func perform(
        in registry: Registry, by author: Author, for caller: Caller, noting write: PendingWrite
    ) throws(Problem) -> Channel? {
        switch kind {
        case .promote:
            let (name, setting) = (try channelName(caller), try setting())
            write.add("channel", name)
            write.add("release", setting.release)
            write.add("rollout", "\(setting.rollout)")
            return try ask(caller) { () throws(RegistryError) in
                try registry.setChannel(bundle, name, setting, by: author, when: unchanged())
            }
        case .rollback:
            let name = try channelName(caller)
            write.add("channel", name)
            return try ask(caller) { () throws(RegistryError) in
                try registry.rollback(
                    bundle, name, to: nil, expecting: fields["release"], by: author, when: unchanged())
            }
        case .delete:
            let name = try channelName(caller)
            write.add("channel", name)
            try ask(caller) { () throws(RegistryError) in
                try registry.deleteChannel(bundle, name, by: author, when: unchanged())
            }
        case .withdraw:
            let (key, reason) = (fields["release"] ?? "", try reason())
            write.add("release", key)
            write.add("reason", reason)
            try ask(caller) { () throws(RegistryError) in
                _ = try registry.withdraw(bundle, key, reason: reason, by: author, rights: caller.channelRights())
            }
        case .restore:
            let key = fields["release"] ?? ""
            write.add("release", key)
            try ask(caller) { () throws(RegistryError) in
                _ = try registry.restore(bundle, key, by: author, rights: caller.channelRights())
            }
        }
        return nil
    }

    /// Refuses the change when someone else was faster than the confirmation.
    private func unchanged() -> @Sendable (Channel?) throws(RegistryError) -> Void {
        let expected = fields["sequence"]
        return { channel throws(RegistryError) in
            guard channel.map({ "\($0.sequence)" }) ?? "new" == expected else { throw .preconditionFailed(channel) }
        }
    }

    private func ask<Value>(
        _ caller: Caller, _ question: () throws(RegistryError) -> Value
    ) throws(Problem) -> Value {
        try rethrowing(as: caller.pageProblem) { () throws(RegistryError) in try question() }
    }

    // MARK: Fields

    private func channelName(_ caller: Caller) throws(Problem) -> String {
        guard let name = fields["channel"] else {
            throw ProblemCatalogue.problem(.malformedRequest, "Say which channel is meant.")
        }
        try ManageForm.requireChannelName(name)
        try caller.requireOnPage(channel: name)
        return name
    }

    private func setting() throws(Problem) -> ChannelSetting {
        guard let share = fields["share"] else {
            throw ProblemCatalogue.problem(
                .malformedRequest, "Say which share of the hosts is to get it, in per cent: 100 is all of them.")
        }
        return ChannelSetting(
            release: fields["release"] ?? "", rollout: try ManageForm.basisPoints(share),
            isMandatory: fields["mandatory"] != nil)
    }

    private func reason() throws(Problem) -> String {
        guard let reason = fields["reason"]?.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            !reason.isEmpty
        else {
            throw ProblemCatalogue.problem(
                .malformedRequest, "Say why: the reason is shown to those who ask for the release.")
        }
        return try rethrowing(
            try WithdrawOptions.reason.value(of: reason),
            as: { (error: UnreadableParameter) in
                ProblemCatalogue.problem(.malformedRequest, "The reason has to be \(error.expectation).")
            })
    }

    private func present(_ registry: Registry, _ caller: Caller) throws(Problem) -> Channel {
        let name = try channelName(caller)
        return try ask(caller) { () throws(RegistryError) in try registry.channel(bundle, name) }
    }

    private func channelIfAny(_ name: String, _ registry: Registry, _ caller: Caller) throws(Problem) -> Channel? {
        try ask(caller) { () throws(RegistryError) in
            try registry.channels(bundle).first { $0.name == name }
        }
    }

    private func release(_ registry: Registry, _ caller: Caller) throws(Problem) -> Release {
        try ask(caller) { () throws(RegistryError) in try registry.release(bundle, fields["release"] ?? "") }
    }
}
