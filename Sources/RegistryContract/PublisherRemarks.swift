/// The remarks of a publisher about a release: stored with it, and shown wherever the release is.
///
/// A remark has one name, as a parameter of publishing and as a member of documents and of the notes beside archives.
/// All of these take a release's remarks as one value; a further remark is added here, and to its row in the catalog.
package struct PublisherRemarks: WireObject, Equatable {
    /// Characters of a note.
    package static let longestNote = 500

    package static let note = QueryParameter.line(
        "note", "The publisher's words about the release, shown wherever the release is.",
        atMost: longestNote)

    static let all = [note.described]

    package var note: String?

    package init() {}

    init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        note = try Self.note.value(in: query)
    }

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.optional("note", &note, "The publisher's words about it.")
    }

    /// The remarks that were made, each with its name.
    package var named: QueryText {
        var named: QueryText = []
        Self.note.add(note, to: &named)
        return named
    }

    package static let example = PublisherRemarks()
}
