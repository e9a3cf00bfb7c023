package import JSONText
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles

/// The state that the cache stores for a widget. It is one small file, replaced atomically: replacing it swaps
/// releases.
package struct WidgetState: Equatable, Sendable {
    var current: InstalledRecord?
    /// The release that ``current`` has replaced, kept to fall back to.
    var previous: InstalledRecord?
    var validator: Validator?
    var starts = StartMemory()
    package var outcomes = OutcomeMemory()
    private(set) var sequences: [Sequence] = []
    /// Archives whose download was begun and whose release is not here, the latest last.
    private(set) var beginnings: [Digest] = []

    /// The validator of the last answer, for asking again conditionally.
    package struct Validator: Equatable, Sendable {
        var address: String
        var entityTag: String
    }

    /// The highest state of a channel that was seen.
    package struct Sequence: Equatable, Sendable {
        /// The registry's origin: two registries count for themselves.
        var registry: String
        var bundleIdentifier: String
        var channel: String
        var number: Int
        /// The releases that this state gave to this installation, one for each question.
        var choices: [Choice] = []
    }

    /// The release that a state of a channel gave to this installation. An honest registry never gives another, because
    /// every change of a channel raises its number.
    package struct Choice: Equatable, Sendable {
        /// The digest of everything else that decides which candidate is meant: releases that need newer versions than
        /// the host's are left out of an answer, and a bucket belongs to an installation.
        var question: Digest
        /// The content digest, which is always verified; an archive assembled here has another digest than the
        /// registry's.
        var content: Digest
    }

    static let format = 1
    /// Channels remembered; the one seen longest ago is forgotten first.
    private static let mostSequences = 64
    /// Questions remembered of a channel: an app asks one, and a cache is shared by few.
    private static let mostChoices = 4
    private static let mostBeginnings = 16
    private static let jsonLimits = JSONLimits(byteCount: byteLimit, depth: 8)
    static let byteLimit = 128 << 10

    func sequence(_ registry: String, _ bundleIdentifier: String, _ channel: String) -> Sequence? {
        sequences.first {
            $0.registry == registry && $0.bundleIdentifier == bundleIdentifier && $0.channel == channel
        }
    }

    /// Stores a state of a channel, together with the choices already known for the same state.
    mutating func remember(_ sequence: Sequence) {
        var sequence = sequence
        if let seen = self.sequence(sequence.registry, sequence.bundleIdentifier, sequence.channel),
            seen.number == sequence.number
        {
            let asked = sequence.choices.map(\.question)
            sequence.choices = seen.choices.filter { !asked.contains($0.question) } + sequence.choices
            sequence.choices.removeFirst(max(0, sequence.choices.count - WidgetState.mostChoices))
        }
        sequences.removeAll {
            $0.registry == sequence.registry && $0.bundleIdentifier == sequence.bundleIdentifier
                && $0.channel == sequence.channel
        }
        sequences.append(sequence)
        if sequences.count > WidgetState.mostSequences { sequences.removeFirst() }
    }

    /// Remembers that an archive is on its way.
    mutating func begin(_ archive: Digest) {
        beginnings.removeAll { $0 == archive }
        beginnings.append(archive)
        if beginnings.count > WidgetState.mostBeginnings { beginnings.removeFirst() }
    }

    /// Adds the registry that a release is from, which earlier versions did not write beside it: it is the one that has given
    /// its bundle on its channel, if only one has.
    private func named(_ record: InstalledRecord) -> InstalledRecord {
        guard record.registry == nil else { return record }
        let known = Set(
            sequences.filter { $0.bundleIdentifier == record.bundleIdentifier && $0.channel == record.channel }
                .map(\.registry))
        var record = record
        record.registry = known.count == 1 ? known.first : nil
        return record
    }

    /// Forgets the downloads that were begun, because a release is here.
    ///
    /// - Returns: those of other archives, which it supersedes.
    mutating func endBeginnings(with archive: Digest) -> [Digest] {
        defer { beginnings = [] }
        return beginnings.filter { $0 != archive }
    }

    /// The releases that may be handed out, the current one first.
    var usable: [InstalledRecord] { [current, previous].compactMap { $0 } }

    /// The releases that are in use, and stay.
    var records: [InstalledRecord] {
        var records = usable
        for record in [starts.confirmed, starts.waiting?.record].compactMap({ $0 })
        where !records.contains(where: { $0.location == record.location }) {
            records.append(record)
        }
        return records
    }

    /// The format number of a state; `nil` when the bytes are not a state.
    static func format(of bytes: [UInt8]) -> Int? {
        let json = try? JSONDocument(parsing: bytes, limits: jsonLimits, root: .container).cursor
        return try? json?.require("format")
    }

    /// - Throws: when the bytes are no state of ours, which means that nothing is known.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let json = try JSONDocument(parsing: bytes, limits: WidgetState.jsonLimits, root: .container).cursor
        guard try json.require("format", as: Int.self) == WidgetState.format else {
            throw json.error(.unsuitable(expected: "format \(WidgetState.format)"))
        }
        current = try json.optional("current")
        previous = try json.optional("previous")
        validator = try json.optional("validator")
        sequences = try json.require("sequences")
        beginnings = try json.optional("beginnings") ?? []
        starts = try json.optional("starts") ?? StartMemory()
        outcomes = try json.optional("outcomes") ?? OutcomeMemory()
        let (now, before, confirmed) = (current.map(named), previous.map(named), starts.confirmed.map(named))
        (current, previous, starts.confirmed) = (now, before, confirmed)
        if var waiting = starts.waiting {
            waiting.record = named(waiting.record)
            starts.waiting = waiting
        }
    }

    package init() {}

    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", WidgetState.format)
            for (name, record) in [("current", current), ("previous", previous)] {
                guard let record else { continue }
                writer.key(name)
                record.write(to: &writer)
            }
            if let validator {
                writer.key("validator")
                writer.object { writer in
                    writer.member("address", validator.address)
                    writer.member("entityTag", validator.entityTag)
                }
            }
            writer.key("sequences")
            writer.array { writer in
                for sequence in sequences { sequence.write(to: &writer) }
            }
            if !beginnings.isEmpty {
                writer.key("beginnings")
                writer.array { writer in for archive in beginnings { writer.string(archive.hex) } }
            }
            if !outcomes.isEmpty {
                writer.key("outcomes")
                outcomes.write(to: &writer)
            }
            if starts != StartMemory() {
                writer.key("starts")
                starts.write(to: &writer)
            }
        }
        return writer.finish()
    }
}

extension WidgetState.Validator: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        address = try json.require("address")
        entityTag = try json.require("entityTag")
    }
}

extension WidgetState.Sequence: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        registry = try json.require("registry")
        bundleIdentifier = try json.require("bundleIdentifier")
        channel = try json.require("channel")
        number = try json.require("sequence")
        guard number > 0 else { throw json.error(.unsuitable(expected: "a positive sequence")) }
        choices = try json.optional("choices") ?? []
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("registry", registry)
            writer.member("bundleIdentifier", bundleIdentifier)
            writer.member("channel", channel)
            writer.member("sequence", number)
            guard !choices.isEmpty else { return }
            writer.key("choices")
            writer.array { writer in
                for choice in choices {
                    writer.object { writer in
                        writer.member("question", choice.question.hex)
                        writer.member("content", choice.content.hex)
                    }
                }
            }
        }
    }
}

extension WidgetState.Choice: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        question = try json.require("question")
        content = try json.require("content")
    }
}

/// The parts of a registry's answer that are stored besides the release itself.
struct AnswerNotes: Sendable {
    /// The state of the channel, with the release that it gives to this installation, if any.
    var sequence: WidgetState.Sequence
    /// The digest of the question, without the channel.
    var question: Digest
    /// `nil` when the answer had none.
    var validator: WidgetState.Validator?

    /// The furthest that a channel's sequence may rise at once, from the first state as well: otherwise a hostile
    /// registry could exhaust it. Sequences that begin anew do so at the seconds since 1970.
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
        guard sequence.number - before <= AnswerNotes.longestJump else {
            throw FetchError(.sequenceJump(seen: before, offered: sequence.number))
        }
        guard let seen, sequence.number == before, let known = seen.choices.first(where: { $0.question == question })
        else { return }
        guard sequence.choices == [known] else { throw FetchError(.sequenceRewritten(sequence.number)) }
    }

    /// - Parameter isHere: true if the release that the state gives is here, which binds the registry to it: to its content,
    ///   which was proven file by file, also where its archive was assembled here and has other bytes than the registry's.
    func remember(in state: inout WidgetState, isHere: Bool) {
        var sequence = sequence
        if !isHere { sequence.choices = [] }
        state.remember(sequence)
        state.validator = validator
    }
}

/// One widget's folder in the cache. Changing it requires its lock, which is held until this value ends.
struct WidgetFolder: ~Copyable {
    private static let stateName = "state.json"
    static let trialName = "trial"
    private static let mostItems = 4_096

    let directory: Directory

    init(_ directory: consuming Directory) {
        self.directory = directory
    }

    /// The stored state; an empty one when the file is missing or is not a state.
    ///
    /// - Throws: when the file cannot be read. Treating that as an empty state could remove a release that is running.
    borrowing func state() throws(FetchError) -> WidgetState {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try directory.openFile(WidgetFolder.stateName).read(at: 0, count: WidgetState.byteLimit + 1)
        } catch {
            if error.isMissing || error.isLink { return WidgetState() }
            throw FetchError(error)
        }
        if let format = WidgetState.format(of: bytes), format > WidgetState.format {
            throw FetchError(.newerState(format: format))
        }
        return (try? WidgetState(parsing: bytes)) ?? WidgetState()
    }

    borrowing func replaceState(with state: WidgetState) throws(FileError) {
        try directory.replaceFile(WidgetFolder.stateName, with: state.json, mode: WidgetCache.fileMode)
    }

    /// A release's folder, held so that other processes do not remove it; `nil` when it does not exist.
    borrowing func hold(_ record: InstalledRecord) -> Directory? {
        guard let folder = try? directory.openDirectory(record.location), (try? folder.lock(exclusively: false)) != nil
        else { return nil }
        return folder
    }

    /// A folder in which a release is made. Its lock distinguishes it from a crash's leftover.
    borrowing func stage() throws(FileError) -> ScratchDirectory {
        let staged = try ScratchDirectory(in: directory.path)
        try staged.directory.lock(exclusively: false)
        return staged
    }

    /// Puts a finished release in its place. A folder that is there already is broken, or the same release; it becomes
    /// a leftover, which is removed once no process runs it.
    borrowing func place(_ staged: consuming ScratchDirectory, as record: InstalledRecord) throws(FileError) {
        if try directory.holds(record.location) {
            try staged.commit(inPlaceOf: record.location)
        } else {
            try staged.commit(as: record.location)
        }
    }

    /// True when a release is being written here, or was when a process ended.
    var hasLeftovers: Bool {
        let items = (try? directory.items(limit: WidgetFolder.mostItems)) ?? []
        return items.contains { $0.name.hasPrefix(StagedFile.prefix) }
    }

    /// Removes folders that are neither in use nor being made nor run.
    borrowing func sweep(keeping state: WidgetState) {
        let kept = Set(state.records.map(\.location) + [WidgetFolder.stateName, WidgetFolder.trialName])
        // Leftovers cost room and nothing else; the next sweep meets them again.
        for item in (try? directory.items(limit: WidgetFolder.mostItems)) ?? [] where !kept.contains(item.name) {
            guard item.status.kind == .directory else {
                try? directory.removeFile(item.name)
                continue
            }
            guard let folder = try? directory.openDirectory(item.name), (try? folder.lock()) != nil else { continue }
            try? directory.removeTree(item.name)
        }
    }
}
