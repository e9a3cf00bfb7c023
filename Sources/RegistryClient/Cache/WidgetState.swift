internal import Bytes
package import JSONText

/// What the cache remembers of a widget. One small file holds it, replaced at once: replacing it is what swaps
/// releases.
package struct WidgetState: Equatable, Sendable {
    var current: InstalledRecord?
    /// What ``current`` has replaced, kept to go back to.
    var previous: InstalledRecord?
    var validator: Validator?
    private(set) var sequences: [Sequence] = []
    /// Archives whose download was begun and whose release is not here, the latest last.
    private(set) var beginnings: [Digest] = []

    /// What the last answer can be asked for again with.
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

    /// The release that a state of a channel gave to this installation. An honest registry never gives another: every
    /// change of a channel has a number of its own.
    package struct Choice: Equatable, Sendable {
        /// Of all that decides, besides the state, which candidate is meant: releases that need newer versions than
        /// were named are left out of an answer, and a bucket belongs to an installation.
        var question: Digest
        /// Of the files, which are always proven; an archive that is put together here has another digest.
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

    /// Remembers a state of a channel, and with it what was known of the same state before.
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

    /// Forgets the downloads that were begun, because a release is here.
    ///
    /// - Returns: those of other archives, which it supersedes.
    mutating func endBeginnings(with archive: Digest) -> [Digest] {
        defer { beginnings = [] }
        return beginnings.filter { $0 != archive }
    }

    /// The releases that are in use.
    var records: [InstalledRecord] { [current, previous].compactMap { $0 } }

    /// The format that a state says to have; `nil` when it is none.
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
