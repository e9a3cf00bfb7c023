import Testing
import WidgetBytes
import WidgetTestSupport

@testable import RegistryContract

/// Goal: a narrowed feed leaves out what concerns no widget, and nothing else. Method: thousands of filters are held against
/// the rule as it is written.
@Suite struct `A filter of changes` {
    private static func identifiers(_ count: Int, _ generator: inout SeededGenerator) -> [String] {
        (0..<count).map { _ in
            let labels = (0..<Int.random(in: 2...4, using: &generator)).map { _ in
                (0..<Int.random(in: 1...2, using: &generator)).map { _ in Bool.random(using: &generator) ? "a" : "B" }
                    .joined()
            }
            return labels.joined(separator: ".")
        }
    }

    @Test func `A bundle is in it if a widget's identifier begins with its own, for any widgets`() {
        var generator = SeededGenerator(seed: 48)
        var count = (in: 0, out: 0)
        for _ in 0..<3_000 {
            let widgets = Self.identifiers(.random(in: 1...6, using: &generator), &generator).compactMap {
                WidgetIdentifier(checking: $0 + ["", "-1", "_x", ".c"].randomElement(using: &generator)!)
            }
            let filter = ChangeFilter(widgets)
            for bundle in Self.identifiers(8, &generator) {
                let isMeant = widgets.contains { $0.belongs(to: bundle) }
                #expect(filter.includes(bundle) == isMeant, "\(bundle) of \(widgets)")
                if isMeant { count.in += 1 } else { count.out += 1 }
            }
            #expect(widgets.allSatisfy { filter.covers($0) })
        }
        #expect(count.in > 300 && count.out > 300, "\(count)")
    }

    @Test func `A hundred widgets narrow it, and one more takes all`() throws {
        let widgets = try (0...ChangeListParameters.mostWidgets).map {
            try #require(WidgetIdentifier(checking: "com.example.W\($0)"))
        }
        let full = ChangeFilter(widgets.dropLast())
        #expect(!full.isEverything && !full.includes("com.example.Other") && full.includes("com.example.W99"))
        let over = ChangeFilter(widgets)
        #expect(over.isEverything && over.includes("com.example.Other") && over.covers(widgets[0]))
        // The same widget again does not count twice.
        #expect(!ChangeFilter(widgets.dropLast() + widgets.prefix(50)).isEverything)
        #expect(ChangeFilter([]).isEverything)
    }

    @Test func `A filter that was written is read as it was`() throws {
        let filter = ChangeFilter(try ["com.b.X_1", "com.a.Y"].map { try #require(WidgetIdentifier(checking: $0)) })
        var query: QueryText = []
        filter.add(to: &query)
        #expect(query.map(\.value) == ["com.a.Y", "com.b.X_1"])
        #expect(try ChangeListParameters(DecodedQuery(query), lastEventID: nil).filter == filter)
        #expect(throws: UnreadableParameter.self) {
            try ChangeListParameters(DecodedQuery([("widget", "com.a.Y"), ("widget", "a b")]), lastEventID: nil)
        }
    }

    @Test func `The place at which a client begins is a tag or the newest change`() throws {
        func start(_ query: QueryText, _ last: String? = nil) throws -> ChangeListParameters.Start {
            try ChangeListParameters(DecodedQuery(query), lastEventID: last).since
        }
        #expect(try start([("since", "latest")]) == .latest)
        // What a client has seen wins over where it wanted to begin.
        #expect(try start([("since", "latest")], "7") == .after(7))
        #expect(try start([("since", "latest"), ("cursor", "8")]) == .after(8))
        #expect(throws: UnreadableParameter.self) { try start([("since", "LATEST")]) }
    }
}
