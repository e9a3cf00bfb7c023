internal import WidgetBytes
internal import WidgetLogging
package import WidgetRegistry
internal import WidgetSurroundings

/// Says what changed rules for what is kept would remove, before anything goes.
extension Housekeeper {
    /// Compares the rules with those that were applied last, and says in the log what they would remove. Called at the start
    /// and after a reload. Returns at once.
    package func reviewRetention() {
        world.threads.queue("widgetd.retention").async { [self] in
            do throws(RegistryError) {
                // Pages say why a release stays.
                registry.tellParts(of: nil)
                // Quotas begin with what is there, also after an upgrade.
                if registry.hasPrefixRules { try registry.recountUsage() }
                guard let review = try registry.reviewRetention() else { return }
                // And until when rules wait.
                if review.waitsUntil != nil { registry.tellParts(of: nil) }
                say(review)
            } catch {
                logger?.log(
                    .warning, "retention.unread", "the next collection compares the rules again",
                    [LogField("reason", "\(error)")])
            }
        }
    }

    /// The usage of prefixes.
    ///
    /// - Parameter prefix: the one whose parts are asked for; empty: the registry.
    package func usage(below prefix: String) throws(RegistryError) -> UsageDocument {
        guard !prefix.isEmpty else { return try UsageDocument(registry) }
        guard let wanted = BundlePrefix(prefix) else {
            throw .invalidValue("prefix", reason: "the first labels of identifiers, like com.acme")
        }
        return try UsageDocument(registry, below: wanted)
    }

    private func say(_ review: RetentionReview) {
        var fields = [
            LogField("rules", review.text), LogField("releases", review.count), LogField("bytes", review.byteCount),
            LogField("of", review.all),
        ]
        guard let end = review.waitsUntil else {
            logger?.record(.notice, "rules.changed", "the next collection applies the rules", fields)
            return
        }
        fields.append(LogField("until", Timestamp.text(end)))
        logger?.record(
            .warning, "rules.wait",
            "more than one of \(RetentionGuard.share) releases would go: the rules are applied a day after their change, or with "
                + "widgetd gc --yes", fields)
    }

    /// Says that a collection has left out what changed rules would remove, or bundles that change all the time.
    func say(leftOutOf report: ExpiryReport) {
        if report.left > 0 {
            logger?.record(
                .warning, "rules.left", "bundles that changed again and again are left to the next collection",
                [LogField("bundles", report.left)])
        }
        guard let end = report.waitsUntil, !report.isDryRun else { return }
        logger?.record(
            .warning, "rules.wait",
            "changed rules wait: nothing has expired; widgetd gc --yes applies them at once",
            [LogField("until", Timestamp.text(end))])
    }
}
