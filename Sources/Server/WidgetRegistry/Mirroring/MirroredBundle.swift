/// A bundle as another registry has it, for a copy that shows the same.
package struct MirroredBundle: Sendable {
    package var identifier: String
    /// Those that were looked at, ones that are gone too, in the order in which they were published. The others have been
    /// adopted.
    package var releases: [Release]
    /// True if those are all there are.
    package var isComplete: Bool
    /// All there are.
    package var channels: [Channel]
    /// Lines of the other registry's feed about the bundle, with their tags; none if it is not known which.
    package var lines: [RegistryChange]
    /// The releases that were adopted for this state, of which the feed here has no line yet.
    package var adopted: [Release]

    package init(
        _ identifier: String, releases: [Release], isComplete: Bool, channels: [Channel], lines: [RegistryChange] = [],
        adopted: [Release] = []
    ) {
        self.identifier = identifier
        self.releases = releases
        self.isComplete = isComplete
        self.channels = channels
        self.lines = lines
        self.adopted = adopted
    }
}

extension Channel {
    /// A channel as another registry describes it.
    package init(
        named name: String, of bundle: String, release: String, rollout: Int, base: String?, isMandatory: Bool,
        sequence: Int64, salt: String, changedAt: Int64
    ) {
        self.init(
            bundleIdentifier: bundle, name: name, release: release, rollout: rollout, base: base,
            isMandatory: isMandatory, sequence: sequence, salt: salt, changedAt: changedAt)
    }
}

extension Release {
    /// True if the other is the same but for what only an archive tells, and what changes.
    func isAlike(_ other: Release) -> Bool {
        var (left, right) = (asNoted, other.asNoted)
        left.minimumOSVersion = nil
        left.minimumHostVersion = nil
        right.minimumOSVersion = nil
        right.minimumHostVersion = nil
        return left == right
    }
}
