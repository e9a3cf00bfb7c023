import RegistryContract
import TestSupport
import Testing

@testable import RegistryClient

/// Goal: a feed means the same however its bytes arrive. Method: the examples of the HTML standard, and every cut.
@Suite struct `A stream of events` {
    private typealias Event = EventStreamReader.Event

    static let samples: [(String, [(String?, String, String)])] = [
        ("data: a\n\n", [(nil, "message", "a")]),
        ("data: a\ndata: b\n\n", [(nil, "message", "a\nb")]),
        (": comment\n\n:\n\ndata:a\n\n", [(nil, "message", "a")]),
        ("id: 7\nevent: x\ndata: a\n\ndata: b\n\n", [("7", "x", "a"), ("7", "message", "b")]),
        ("data\n\ndata\ndata\n\ndata:", [(nil, "message", ""), (nil, "message", "\n")]),
        ("data:  a\r\n\r\ndata: b\r\r", [(nil, "message", " a"), (nil, "message", "b")]),
        ("\u{FEFF}data: a\n\n", [(nil, "message", "a")]),
        ("event: lost\n\nfoo: bar\ndata: a\n\n", [(nil, "message", "a")]),
        ("id: 1\nid\ndata: a\n\n", [("", "message", "a")]),
        ("id: \u{1}\ndata: a\n\n", [(nil, "message", "a")]),
    ]

    @Test(arguments: samples)
    func `is read the same in any pieces`(text: String, expected: [(String?, String, String)]) throws {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var reader = EventStreamReader()
            let events = try reader.add(Array(bytes[..<cut])) + reader.add(Array(bytes[cut...]))
            #expect(events == expected.map { Event(id: $0.0, kind: $0.1, data: $0.2) })
        }
    }

    @Test func `says how long to stay away, if it is a number`() throws {
        var reader = EventStreamReader()
        _ = try reader.add(Array("retry: 3000\nretry: x\nretry: 99999999999999999999\n".utf8))
        #expect(reader.retry == .seconds(3))
    }

    @Test func `with a line or an event without an end is refused`() {
        var reader = EventStreamReader()
        #expect(throws: FetchError(.endlessEvent)) {
            _ = try reader.add([UInt8](repeating: 0x61, count: EventStreamReader.lineLimit + 1))
        }
        var other = EventStreamReader()
        let line = Array("data: \(String(repeating: "x", count: 60_000))\n".utf8)
        #expect(throws: FetchError(.endlessEvent)) { for _ in 0..<6 { _ = try other.add(line) } }
    }

    @Test func `takes any bytes`() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("data: id\nevent:retry\r\n\n:{}1\0\u{FF}".utf8)
        for _ in 0..<2_000 {
            var reader = EventStreamReader()
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? reader.add(bytes)
        }
    }

    @Test func `concerns a widget when it is about its bundle, its channel and a state it has not seen`() throws {
        let widget = try WidgetIdentifier("com.example.Sample-1")
        func concerns(_ data: String, seen: Int? = 3) -> Bool? {
            ChangeDocument(event: data)?.concerns(widget, channel: "stable", seen: seen)
        }
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":4}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":3}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"beta\",\"sequence\":4}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Samples\"}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\"}") == true)
        #expect(ChangeDocument(event: "{}") == nil && ChangeDocument(event: "[") == nil)
        // Members that a later version writes otherwise do not hide the change.
        #expect(concerns("{\"tag\":\"1-7\",\"at\":9,\"by\":[],\"bundleIdentifier\":\"com.example.Sample\"}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"stable\",\"sequence\":\"3\"}") == true)
        #expect(
            concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":\"beta\",\"sequence\":\"3\"}") == false)
        #expect(concerns("{\"bundleIdentifier\":\"com.example.Sample\",\"channel\":5}") == true)
    }
}
