internal import Bytes
internal import RegistryContract

/// The parts of a registry's answer that are remembered besides the release itself.
struct News: Sendable {
    /// With the release that it gives to this installation; with none while it offers nothing.
    var sequence: WidgetState.Sequence
    /// The digest of everything that was asked besides the channel.
    var question: Digest
    /// `nil` when the answer had none.
    var validator: WidgetState.Validator?

    /// A channel's state may jump this far and no further, from the first one as well: a registry that is not itself
    /// could make it end otherwise. Sequences that begin anew do so at the seconds since 1970.
    private static let longestJump = 1 << 32

    init(
        _ resolution: ResolutionDocument, from registry: RegistryAddress, to question: Digest,
        offering candidate: ReleaseCandidate?, validator: WidgetState.Validator?
    ) {
        let choice = candidate.map { WidgetState.Choice(question: question, content: $0.contentDigest) }
        sequence = WidgetState.Sequence(
            registry: registry.description, bundleIdentifier: resolution.bundleIdentifier,
            channel: resolution.channel, number: resolution.sequence, choices: choice.map { [$0] } ?? [])
        self.question = question
        self.validator = validator
    }

    /// Refuses a state of the channel from before the one that was seen, and another release in the same state.
    func requireFresh(_ state: WidgetState) throws(FetchError) {
        let seen = state.sequence(sequence.registry, sequence.bundleIdentifier, sequence.channel)
        let before = seen?.number ?? 0
        guard sequence.number >= before else {
            throw FetchError(.staleSequence(seen: before, offered: sequence.number))
        }
        guard sequence.number - before <= News.longestJump else {
            throw FetchError(.sequenceJump(seen: before, offered: sequence.number))
        }
        guard let seen, sequence.number == before, let known = seen.choices.first(where: { $0.question == question })
        else { return }
        guard sequence.choices == [known] else { throw FetchError(.sequenceRewritten(sequence.number)) }
    }

    /// - Parameter record: of the release that the state gives. It binds the registry only if the archive that was
    ///   announced is what is here: one that was put together here may be what no registry ever had.
    func remember(in state: inout WidgetState, giving record: InstalledRecord?) {
        var sequence = sequence
        if record.map({ $0.keptDigest != $0.digest }) ?? true { sequence.choices = [] }
        state.remember(sequence)
        state.validator = validator
    }
}
