import JSONText
import Testing
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// A network of pictures that come when a test says so.
private final class PictureNetwork: WidgetNetwork {
    private let given = Observed([String: FetchedPicture]())
    /// The addresses that were asked for, in their order.
    let asked = Observed([String]())

    var fetchesPictures: Bool { true }

    func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome { .failure("no services here") }

    func picture(at address: String) async -> FetchedPicture {
        asked.change { $0.append(address) }
        await given.becomes { $0[address] != nil }
        return given.value[address] ?? .failed("none")
    }

    func give(_ picture: FetchedPicture?, at name: String) {
        given.change { $0[PictureNetwork.address(name)] = picture }
    }

    static func address(_ name: String) -> String { "https://pictures.example/\(name).png" }
}

/// Goal: a page shows each picture of the network once it has come, with script and without, and waits no longer than for
/// other answers. Method: a network that brings pictures when the test says so, and a clock that it moves.
@Suite struct `A page with pictures of the network` {
    private let network = PictureNetwork()

    /// - Parameter names: of the pictures.
    private func bench(_ limits: LiveLimits = LiveLimits(), _ names: String...) throws -> LiveBench {
        let images = names.map {
            #"{"kind": "image", "payload": {"url": "\#(PictureNetwork.address($0))", "alt": "A \#($0)"}}"#
        }
        return try LiveBench(
            """
            {"schema": 1, "state": {"name": "cat"}, "root": [
              {"kind": "image", "payload": {"url": {"$": ["https://pictures.example/", "$name", ".png"]}, "alt": "The one"}},
              {"kind": "button", "id": "dog", "payload": {"text": "Dog"},
               "on": {"tap": {"do": "set", "state": "name", "to": "dog"}}}\(images.map { ", \($0)" }.joined())]}
            """, limits, network: network)
    }

    private static func picture(_ width: UInt32) -> FetchedPicture {
        FetchedPicture(PictureForge.png(width: width, height: 2))
    }

    private static func text(_ page: OnePage) async throws -> String {
        String(decoding: try await page.live.printed(), as: UTF8.self)
    }

    /// The name of the first picture's file on a page.
    private static func file(_ html: String) throws -> String {
        String(try #require(html.firstMatch(of: /<img[^>]* src="[^"]*\/([0-9a-f]{32}\.png)"/)?.1, "\(html)"))
    }

    private static let refresh = "http-equiv=\"refresh\""

    @Test func `The first page has what comes within a second, and its files`() async throws {
        let bench = try bench()
        let page = try await bench.open()
        network.give(Self.picture(31), at: "cat")
        let html = try await Self.text(page)
        #expect(html.contains("alt=\"The one\" width=\"31\" height=\"2\"") && !html.contains(Self.refresh), "\(html)")
        let file = try Self.file(html)
        #expect(html.contains("/live/\(page.name)/a/\(file)"), "the page's own address")
        #expect(bench.desk.files[file] == PictureForge.png(width: 31, height: 2))
        await bench.desk.stop()
    }

    @Test func `After a second the page comes with the placeholder, and is loaded again without script`() async throws {
        let bench = try bench()
        let page = try await bench.open()
        async let first = Self.text(page)
        await network.asked.becomes { $0.count == 1 }
        await bench.clock.waits(for: 1)
        bench.clock.advance(by: .seconds(LiveLimits().firstPageSeconds))
        let early = try await first
        #expect(!early.contains("<img") && early.contains("aria-label=\"The one\"") && early.contains(Self.refresh))
        let changes = await page.part.widget.changes
        network.give(Self.picture(32), at: "cat")
        for await _ in changes where try await Self.text(page).contains("<img") { break }
        let late = try await Self.text(page)
        #expect(late.contains("width=\"32\"") && !late.contains(Self.refresh), "\(late)")
        #expect(network.asked.value.count == 1)
        await bench.desk.stop()
    }

    @Test func `A stream brings each picture when it has come, and nothing else`() async throws {
        let bench = try bench(LiveLimits(), "hen")
        let page = try await bench.open()
        async let first = page.page()
        await network.asked.becomes { $0.count == 2 }
        await bench.clock.waits(for: 1)
        bench.clock.advance(by: .seconds(LiveLimits().firstPageSeconds))
        let sink = KeptSink()
        await page.follow(after: await first?.number, sink)
        #expect(sink.writes.isEmpty)
        var arrivals = sink.arrivals.makeAsyncIterator()
        network.give(Self.picture(33), at: "hen")
        await arrivals.next()
        #expect(sink.writes.map { $0.letters.filter { $0 != "e" } } == [["r"]])
        #expect("\(sink.writes)".contains("33") && "\(sink.writes)".contains("A hen"))
        bench.clock.advance(by: .seconds(1))
        network.give(.failed("gone"), at: "cat")
        await arrivals.next()
        #expect(sink.writes.count == 2 && "\(sink.writes[1])".contains("gone"))
        await bench.desk.stop()
    }

    @Test func `What a screen shows no longer is forgotten, and what it shows newly is fetched`() async throws {
        let bench = try bench()
        let page = try await bench.open()
        network.give(Self.picture(34), at: "cat")
        network.give(Self.picture(35), at: "dog")
        let file = try Self.file(try await Self.text(page))
        let (changes, part) = (await page.part.widget.changes, page.part)
        #expect(await page.tap(1, "dog") == .taken)
        for await _ in changes where try await Self.text(page).contains("width=\"35\"") { break }
        #expect(await part.pictures.shown.keys.sorted() == [PictureNetwork.address("dog")])
        #expect(await part.file(file) == nil)
        await bench.desk.stop()
    }

    @Test func `A file that was dropped for others is fetched again`() async throws {
        let bench = try bench()
        let page = try await bench.open()
        network.give(Self.picture(36), at: "cat")
        let file = try Self.file(try await Self.text(page))
        #expect(await page.part.file(file) == PictureForge.png(width: 36, height: 2))
        #expect(await page.part.file("0123.png") == nil)
        #expect(network.asked.value.count == 2)
        await bench.desk.stop()
    }

    @Test func `A picture that has failed is asked for again with the next load, and shown as failed meanwhile`()
        async throws
    {
        let bench = try bench()
        let page = try await bench.open()
        network.give(.failed("it is SVG"), at: "cat")
        #expect(try await Self.text(page).contains("it is SVG"))
        network.give(nil, at: "cat")
        let changes = await page.part.widget.changes
        #expect(try await Self.text(page).contains("it is SVG"))
        network.give(Self.picture(37), at: "cat")
        for await _ in changes where try await Self.text(page).contains("width=\"37\"") { break }
        #expect(network.asked.value.count == 2)
        await bench.desk.stop()
    }

    @Test func `The bounds of a page are those of its pictures together`() async throws {
        let size = PictureForge.png(width: 1, height: 1).count
        for (change, reason) in [
            ({ (limits: inout LiveLimits) in limits.pictureByteCount = size + 1 }, "pictures have more than"),
            ({ $0.picturePixelCount = 5 }, "pictures have more than 5 pixels"),
        ] {
            var limits = LiveLimits()
            change(&limits)
            let page = try await bench(limits, "hen").open()
            for name in ["cat", "hen"] { network.give(Self.picture(2), at: name) }
            let html = try await Self.text(page)
            #expect(html.split(separator: "<img").count == 2 && html.contains(reason), "\(html)")
        }
    }

    @Test func `Pictures beyond the most of a page are not fetched, and have their addresses`() async throws {
        var limits = LiveLimits()
        limits.pictureCount = 1
        let bench = try bench(limits, "hen")
        let page = try await bench.open()
        network.give(Self.picture(38), at: "cat")
        let html = try await Self.text(page)
        #expect(html.contains("width=\"38\"") && html.contains("title=\"https://pictures.example/hen.png\""))
        #expect(network.asked.value == [PictureNetwork.address("cat")])
        await bench.desk.stop()
    }

    @Test func `A network that fetches no pictures is not asked, and the page has the address`() async throws {
        let bench = try LiveBench(
            #"{"schema": 1, "root": {"kind": "image", "payload": {"url": "https://pictures.example/a.png"}}}"#)
        let html = try await Self.text(try await bench.open())
        #expect(html.contains("title=\"https://pictures.example/a.png\"") && !html.contains(Self.refresh))
        await bench.desk.stop()
    }

    @Test func `Pages that are written once wait for all pictures, and not for ever`() async throws {
        let (bench, clock) = (try bench(LiveLimits(), "hen"), ManualClock())
        let view = try await bench.open().view
        let network = network
        network.give(Self.picture(39), at: "cat")
        async let fetched = NetworkPictures.fetched(
            for: [view, view], PageOptions(), from: network, within: 60, on: clock)
        await network.asked.becomes { $0.count == 2 }
        await clock.waits(for: 1)
        clock.advance(by: .seconds(60))
        network.give(Self.picture(40), at: "hen")
        let (shown, files) = await fetched
        #expect(files.values.map { $0 } == [PictureForge.png(width: 39, height: 2)])
        #expect(shown[PictureNetwork.address("hen")] == .failed("it has not come within 60 seconds"))
        await bench.desk.stop()
    }
}
