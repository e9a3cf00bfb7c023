package import JSONText
package import Registry
package import WidgetBundles

/// Facts about the program of a release, for its pages: its screens and the ways between them, and what it needs of a host.
///
/// Made when the release is reviewed, and kept beside it as a part.
package struct ReleaseFacts: Equatable, Sendable {
    package struct Screen: Equatable, Sendable {
        package var name: String
        package var title: String
        /// The part that shows it; `nil` for one that was not drawn.
        package var still: String?
        /// The names of the screens that it leads to, in order.
        package var ways: [String]

        package init(name: String, title: String, still: String? = nil, ways: [String] = []) {
            self.name = name
            self.title = title
            self.still = still
            self.ways = ways
        }
    }

    /// The first screen is the one that the widget begins with.
    package var screens: [Screen] = []
    /// The servers that it sends requests to, as `https://example.com`.
    package var hosts: [String] = []
    /// The abilities that a host must have.
    package var needs: [String] = []
    /// The kinds of records that it keeps.
    package var records: [String] = []
    /// True if it lets people pick pictures or films.
    package var picksMedia = false
    /// The reasons why it does not run; empty for a program that was read.
    package var obstacles: [Finding] = []
    /// The number of errors of a program that runs all the same, without the parts that have them.
    package var errorCount = 0
    /// The end of the sentence that its screens could not be looked at, which then are unknown; `nil` for those that were.
    package var endOfReview: String?

    package init() {}

    package static let partName = "facts.json"
    package static let iconName = "icon"
    /// Before the path of an interface or a model whose outline a part is.
    package static let outlinePrefix = "outline of "

    /// The most screens that are listed, and the most items of the other lists.
    package static let mostScreens = 60
    private static let mostItems = 100
    private static let mostObstacles = 20
    private static let limits = JSONLimits(byteCount: 1 << 20, depth: 8, valueCount: 50_000)

    package var part: ReleasePart {
        var writer = JSONWriter(reservingBytes: 1_024)
        writer.object { writer in
            writer.key("screens")
            writer.array { writer in
                for screen in screens.prefix(ReleaseFacts.mostScreens) {
                    writer.object { writer in
                        writer.member("name", screen.name)
                        writer.member("title", screen.title)
                        if let still = screen.still { writer.member("still", still) }
                        ReleaseFacts.write("ways", screen.ways, to: &writer)
                    }
                }
            }
            ReleaseFacts.write("hosts", hosts, to: &writer)
            ReleaseFacts.write("needs", needs, to: &writer)
            ReleaseFacts.write("records", records, to: &writer)
            writer.member("picksMedia", picksMedia)
            if errorCount > 0 { writer.member("errors", errorCount) }
            if let endOfReview { writer.member("endOfReview", endOfReview) }
            guard !obstacles.isEmpty else { return }
            writer.key("obstacles")
            writer.array { writer in
                for finding in obstacles.prefix(ReleaseFacts.mostObstacles) { finding.write(to: &writer) }
            }
        }
        return ReleasePart(name: ReleaseFacts.partName, mediaType: "application/json", content: writer.finish())
    }

    private static func write(_ name: String, _ items: [String], to writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for item in items.prefix(mostItems) { writer.string(item) } }
    }

    /// Reads a part; `nil` for that of a later program, which is then shown without facts.
    package init?(_ part: ReleasePart) {
        guard let document = try? JSONDocument(parsing: part.content, limits: ReleaseFacts.limits),
            let facts = try? ReleaseFacts(json: document.cursor)
        else { return nil }
        self = facts
    }
}

extension ReleaseFacts: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        screens = try json.require("screens")
        hosts = try json.require("hosts")
        needs = try json.require("needs")
        records = try json.require("records")
        picksMedia = try json.require("picksMedia")
        obstacles = try json.optional("obstacles") ?? []
        errorCount = try json.optional("errors") ?? 0
        endOfReview = try json.optional("endOfReview")
    }
}

extension ReleaseFacts.Screen: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        name = try json.require("name")
        title = try json.require("title")
        still = try json.optional("still")
        ways = try json.require("ways")
    }
}
