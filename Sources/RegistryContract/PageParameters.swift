internal import Bytes

/// The part of a list that a request asks for.
package struct PageParameters: Equatable, Sendable {
    package static let mostItems = 200
    private static let usualItems = 50

    package static let limit = QueryParameter.number("limit", 1...mostItems, "The most items of a part.")
    /// A place in a list, spelled so that clients neither read it nor make one up.
    package static let cursor = QueryParameter<String>(
        "cursor", .pattern("^(?:[2-7][0-9a-f]){1,512}$"), "The next of the part before.",
        expectation: "the next of a page before, as it was",
        read: place, write: cursor)

    package static let all = [limit.described, cursor.described]

    package let limit: Int
    /// The end of the part before, in the registry's words.
    package let after: String?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        limit = try Self.limit.value(in: query) ?? Self.usualItems
        after = try Self.cursor.value(in: query)
    }

    package static func cursor(_ place: String) -> String { Hex.string(Array(place.utf8)) }

    private static func place(_ cursor: String) -> String? {
        let digits = Array(cursor.utf8)
        guard (2...1_024).contains(digits.count), digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            // Places are named in printable ASCII.
            guard let high = Hex.lowercaseValue(of: digits[index]), (2...7).contains(high),
                let low = Hex.lowercaseValue(of: digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The bundles that a request asks for.
package struct BundleListParameters: Equatable, Sendable {
    package static let prefix = QueryParameter.search("prefix", "What identifiers begin with.")
    package static let text = QueryParameter.search("q", "What identifier or name holds.")
    package static let channel = QueryParameter.channelName("channel", "A channel that the bundle has.")

    package static let all = [prefix.described, text.described, channel.described] + PageParameters.all

    package let page: PageParameters
    package var prefix: String?
    package var text: String?
    package var channel: String?

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        page = try PageParameters(query)
        prefix = try Self.prefix.value(in: query)
        text = try Self.text.value(in: query)
        channel = try Self.channel.value(in: query)
    }
}

/// The changes that a request asks for.
package struct ChangeListParameters: Equatable, Sendable {
    private static let mostItems = 1_000
    private static let usualItems = 200

    package static let since = QueryParameter.number(
        "since", 0...Int.max, "The tag of the last change the client knows; from the beginning unless given.",
        expectation: "the tag of a change, or 0")
    package static let limit = QueryParameter.number("limit", 1...mostItems, "The most items of a part.")
    /// A page's next is the tag to continue from; it may be handed back under either name.
    private static let cursor = QueryParameter.number(
        "cursor", 0...Int.max, "The next of the part before: the same as since, over which it wins.",
        expectation: "the next of a page before")

    package static let all = [since.described, cursor.described, limit.described]

    package let limit: Int
    package let since: Int

    /// - Parameter lastEventID: the last event that a returning client has seen, which wins.
    package init(
        _ query: borrowing some QuerySource & ~Copyable, lastEventID: String?
    ) throws(UnreadableParameter) {
        limit = try Self.limit.value(in: query) ?? Self.usualItems
        let cursor = try Self.cursor.value(in: query)
        let since = try Self.since.value(in: query)
        self.since = lastEventID.flatMap({ WholeNumber.read($0, 0...Int.max) }) ?? cursor ?? since ?? 0
    }
}
