package import JSONText
package import RegistryContract
internal import WidgetBytes
package import WidgetFindings
package import WidgetRegistry

/// Facts about the program of a release, for its pages: its screens and the ways between them, and what it needs of a host.
///
/// Made when the release is reviewed, and kept beside it as a part.
package struct ReleaseFacts: Equatable, Sendable {
    package struct Screen: Equatable, Sendable {
        package var name: String
        package var title: String
        /// The part that shows it on the device and for the reader that were wanted most; `nil` for one that was not drawn.
        /// Programs before ``ReleaseFacts/stills`` know this one alone.
        package var still: String?
        /// The names of the screens that it leads to, in order.
        package var ways: [String]

        package init(name: String, title: String, still: String? = nil, ways: [String] = []) {
            self.name = name
            self.title = ReleaseFacts.shown(title)
            self.still = still
            self.ways = ways
        }
    }

    /// The stills for one device and reader.
    package struct StillSet: Equatable, Sendable {
        package var size = DeviceChoice.Size.phone
        package var direction = DeviceChoice.Direction.leftToRight
        /// True if that is the direction of the language.
        package var isUsualDirection = true
        /// `nil` for the bundle's own.
        package var locale: String?
        /// `nil` for stills that follow the reader's system.
        package var scheme: DeviceChoice.Scheme?
        /// The part of each screen, in their order; `nil` for one that was not drawn. Stills that are alike share a part.
        package var parts: [String?] = []

        package init() {}
    }

    /// The first screen is the one that the widget begins with.
    package var screens: [Screen] = []
    /// The stills, those that were wanted most first; empty in facts of older programs.
    package var stills: [StillSet] = []
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
    /// A title of the bundle's as pages show it: with an end, and without characters that turn the text around it.
    package static func shown(_ title: String) -> String { ShownText.plain(title, limit: 128) }

    /// True if the time was over before all screens that were wanted were drawn: another look may draw more.
    package var lacksTime = false
    /// The end of the sentence that its screens could not be looked at, which then are unknown; `nil` for those that were.
    package var endOfReview: String?

    package init() {}

    package static let partName = "facts.json"
    package static let iconName = "icon"
    /// Before the path of an interface or a model whose outline a part is.
    package static let outlinePrefix = "outline of "

    /// All stills, those of older programs too.
    package var stillSets: [StillSet] {
        guard stills.isEmpty else { return stills }
        var usual = StillSet()
        usual.parts = screens.map(\.still)
        return [usual]
    }

    /// The most screens that are listed, and the most items of the other lists.
    package static let mostScreens = 60
    /// The most sets of stills: five sizes, two directions, and languages.
    package static let mostStillSets = 10 * StillPlan.mostLocales
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
            if !stills.isEmpty {
                writer.key("stills")
                writer.array { writer in
                    for set in stills.prefix(ReleaseFacts.mostStillSets) { set.write(to: &writer) }
                }
            }
            ReleaseFacts.write("hosts", hosts, to: &writer)
            ReleaseFacts.write("needs", needs, to: &writer)
            ReleaseFacts.write("records", records, to: &writer)
            writer.member("picksMedia", picksMedia)
            if errorCount > 0 { writer.member("errors", errorCount) }
            if lacksTime { writer.member("lacksTime", true) }
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
        stills = Array((try json.optional("stills") ?? []).prefix(ReleaseFacts.mostStillSets))
        hosts = try json.require("hosts")
        needs = try json.require("needs")
        records = try json.require("records")
        picksMedia = try json.require("picksMedia")
        obstacles = try json.optional("obstacles") ?? []
        errorCount = try json.optional("errors") ?? 0
        lacksTime = try json.optional("lacksTime") ?? false
        endOfReview = try json.optional("endOfReview")
    }
}

extension ReleaseFacts.Screen: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        name = try json.require("name")
        title = ReleaseFacts.shown(try json.require("title"))
        still = try json.optional("still")
        ways = try json.require("ways")
    }
}

extension ReleaseFacts.StillSet: JSONDecodable {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("size", size.rawValue)
            writer.member("direction", direction.rawValue)
            if !isUsualDirection { writer.member("isUsualDirection", false) }
            if let locale { writer.member("locale", locale) }
            if let scheme { writer.member("scheme", scheme.rawValue) }
            writer.key("parts")
            writer.array { writer in
                // No part has an empty name.
                for part in parts.prefix(ReleaseFacts.mostScreens) { writer.string(part ?? "") }
            }
        }
    }

    package init(json: JSONCursor) throws(JSONError) {
        self.init()
        let words: (size: String, direction: String, scheme: String?) = (
            try json.require("size"), try json.require("direction"), try json.optional("scheme")
        )
        let names: [String] = try json.require("parts")
        locale = try json.optional("locale")
        isUsualDirection = try json.optional("isUsualDirection") ?? true
        guard let size = DeviceChoice.Size(rawValue: words.size),
            let direction = DeviceChoice.Direction(rawValue: words.direction),
            words.scheme.map({ DeviceChoice.Scheme(rawValue: $0) != nil }) ?? true
        else {
            // Words of a later program.
            return
        }
        (self.size, self.direction) = (size, direction)
        scheme = words.scheme.flatMap { DeviceChoice.Scheme(rawValue: $0) }
        parts = names.prefix(ReleaseFacts.mostScreens).map { $0.isEmpty ? nil : $0 }
    }
}
