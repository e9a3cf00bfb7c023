/// The query of a publishing request.
package struct PublishOptions: Equatable, Sendable {
    package static let channel = ResolveParameters.channel
    package static let rollout = QueryParameter.number(
        "rollout", 0...Rollout.bucketCount, "\(Rollout.bucketCount) unless given.",
        expectation: "a whole number of basis points from 0 to \(Rollout.bucketCount)")
    package static let dryRun = QueryParameter.flag("dryRun", "Everything but storing.")
    package static let strict = QueryParameter.flag("strict", "Refuse what would be left out or warned about.")
    package static let promote = QueryParameter.word(
        "promote", "Put it on the channel even if its version is lower; wants the scope promote.", is: "force")

    package static let all =
        [channel.described, rollout.described, dryRun.described, strict.described, promote.described]
        + PublisherRemarks.all

    package var channel: String?
    /// In basis points.
    package var rollout: Int?
    package var isDryRun = false
    package var isStrict = false
    /// Puts the release on the channel although that shows a higher version.
    package var forcesPromotion = false
    package var remarks = PublisherRemarks()

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try Self.channel.value(in: query)
        rollout = try Self.rollout.value(in: query)
        isDryRun = try Self.dryRun.value(in: query) ?? false
        isStrict = try Self.strict.value(in: query) ?? false
        forcesPromotion = try Self.promote.value(in: query) ?? false
        remarks = try PublisherRemarks(query)
    }

    package var query: QueryText {
        var query: QueryText = []
        Self.channel.add(channel, to: &query)
        Self.rollout.add(rollout, to: &query)
        if isDryRun { Self.dryRun.add(true, to: &query) }
        if isStrict { Self.strict.add(true, to: &query) }
        if forcesPromotion { Self.promote.add(true, to: &query) }
        return query + remarks.named
    }
}

/// The query of a withdrawal.
package enum WithdrawOptions {
    package static let reason = QueryParameter.line(
        "reason", "Why, for everybody who asks for the release.", atMost: 500)
}
