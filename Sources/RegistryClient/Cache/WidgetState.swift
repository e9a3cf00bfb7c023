internal import Bytes
package import JSONText

/// What the cache remembers of a widget. One small file holds it, replaced at once: replacing it is what swaps
/// releases.
package struct WidgetState: Equatable, Sendable {
    var current: InstalledRecord?
    /// What ``current`` has replaced, kept to go back to.
    var previous: InstalledRecord?
    /// An archive the registry wants to be run instead of anything older.
    var mandatory: Digest?
    var validator: Validator?
    private(set) var sequences: [Sequence] = []

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
    }

    static let format = 1
    /// Channels remembered; the one seen longest ago is forgotten first.
    private static let mostSequences = 64
    private static let jsonLimits = JSONLimits(byteCount: byteLimit, depth: 8)
    static let byteLimit = 128 << 10

    func sequence(_ registry: String, _ bundleIdentifier: String, _ channel: String) -> Int? {
        sequences.first {
            $0.registry == registry && $0.bundleIdentifier == bundleIdentifier && $0.channel == channel
        }?.number
    }

    mutating func remember(_ sequence: Sequence) {
        sequences.removeAll {
            $0.registry == sequence.registry && $0.bundleIdentifier == sequence.bundleIdentifier
                && $0.channel == sequence.channel
        }
        sequences.append(sequence)
        if sequences.count > WidgetState.mostSequences { sequences.removeFirst() }
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
        mandatory = try json.optional("mandatory")
        validator = try json.optional("validator")
        sequences = try json.require("sequences")
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
            if let mandatory { writer.member("mandatory", mandatory.hex) }
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
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("registry", registry)
            writer.member("bundleIdentifier", bundleIdentifier)
            writer.member("channel", channel)
            writer.member("sequence", number)
        }
    }
}
