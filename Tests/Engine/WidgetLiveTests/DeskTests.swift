import Testing
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings

@testable import WidgetLive

/// The making and the end of viewings.
@Suite struct DeskTests {
    @Test func `A viewing has a name of 128 random bits, and a widget that has begun`() async throws {
        let bench = try LiveBench()
        let (first, second) = (try await bench.open(), try await bench.open())
        #expect(first.name.utf8.count == 32 && first.name != second.name)
        #expect(first.name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
        #expect(bench.desk.count == 2)
        #expect(bench.desk.page(first.name) === first.live)
        let page = try #require(await first.page())
        #expect(page.number == 1)
        #expect(String(decoding: page.html, as: UTF8.self).contains("count 0"))
        #expect(page.status.text.isEmpty)
        #expect(await first.sheet(1) == page.sheet)
        await bench.desk.stop()
    }

    @Test func `Names that no viewing has lead to none`() async throws {
        let bench = try LiveBench()
        let name = try await bench.open().name
        #expect(bench.desk.page("") == nil)
        #expect(bench.desk.page(name.uppercased() + "0") == nil)
        #expect(bench.desk.page(String(name.dropLast())) == nil)
        #expect(bench.desk.ending(name) == nil)
        await bench.desk.stop()
    }

    @Test func `A name from another desk is from before a restart`() async throws {
        // The marks follow from the seeds, so that these differ always.
        let bench = try LiveBench()
        let name = try await bench.open().name
        let later = LiveDesk(in: World(chance: SeededChance(seed: 1)))
        #expect(later.ending(name) == .stopped)
        for other in ["", String(name.dropLast()), name + "0", String(repeating: "g", count: 32)] {
            #expect(later.ending(other) == nil, "\(other)")
        }
        await bench.desk.stop()
    }

    @Test(arguments: [
        LiveEnding.idle(seconds: 600), .madeRoom, .tooLarge(limit: 8 << 20), .left, .stopped,
    ]) func `The reason of an end is said in the reader's language`(ending: LiveEnding) {
        let english = ending.sentence(.english)
        #expect(english.hasPrefix("This page "))
        for locale in ["ar", "de", "zh"] {
            let sentence = ending.sentence(SystemWords(locale))
            #expect(!sentence.isEmpty && !sentence.contains("page") && !sentence.contains("$"), "\(sentence)")
        }
    }

    @Test func `A page in the place of one that has ended says so to its own reader`() async throws {
        let bench = try LiveBench()
        let former = try await bench.open()
        await former.live.end(.left)
        let page = try await bench.desk.open(
            bench.source, from: "127.0.0.1", after: former.name, begin: "/live", script: nil
        ) {
            var options = PageOptions()
            options.locale = "de_AT"
            return LivePlace(options, page: "/live/\($0)", begin: "/live", assets: "/assets/")
        }
        let html = String(decoding: try await page.printed(), as: UTF8.self)
        #expect(html.contains("weil sie verlassen wurde. Ihre Daten sind mit ihr verloren"), "\(html)")
        #expect(bench.desk.words(for: page.name)?.language == "de" && bench.desk.words(for: "x") == nil)
        await page.end(.left)
        #expect(bench.desk.words(for: page.name)?.language == "de")
        await bench.desk.stop()
    }

    @Test func `An address has a limit, which used viewings keep`() async throws {
        var limits = LiveLimits()
        limits.viewingsPerAddress = 3
        let bench = try LiveBench(LiveBench.document, limits)
        var names: [String] = []
        for _ in 0..<3 { names.append(try await bench.open().name) }
        await #expect(throws: LiveRefusal.tooManyOfAddress(limit: 3)) { try await bench.open() }
        #expect(try await bench.open(from: "10.0.0.1").name.isEmpty == false)
        #expect(bench.desk.count == 4)
        await bench.desk.stop()
    }

    @Test func `The viewing of an address that is unused for longest makes room`() async throws {
        var limits = LiveLimits()
        limits.viewingsPerAddress = 3
        let bench = try LiveBench(LiveBench.document, limits)
        var viewings: [OnePage] = []
        for _ in 0..<3 {
            viewings.append(try await bench.open())
            bench.clock.advance(by: .seconds(1))
        }
        await viewings[0].follow(after: nil, KeptSink())
        bench.clock.advance(by: .seconds(40))
        let next = try await bench.open()
        #expect(bench.desk.page(viewings[0].name) != nil, "it has a stream")
        #expect(bench.desk.page(viewings[1].name) == nil)
        #expect(bench.desk.ending(viewings[1].name) == .madeRoom)
        #expect(bench.desk.begin(insteadOf: viewings[1].name) == "/live")
        #expect(await viewings[1].page() == nil)
        #expect(bench.desk.page(next.name) != nil && bench.desk.count == 3)
        await bench.desk.stop()
    }

    @Test func `A server has a limit`() async throws {
        var limits = LiveLimits()
        limits.viewings = 2
        let bench = try LiveBench(LiveBench.document, limits)
        _ = try await bench.open(from: "a")
        _ = try await bench.open(from: "b")
        bench.clock.advance(by: .seconds(60))
        await #expect(throws: LiveRefusal.tooManyViewings(limit: 2)) { try await bench.open(from: "c") }
        await bench.desk.stop()
    }

    @Test func `A viewing without a stream ends after ten minutes, one with a stream after thirty`() async throws {
        let bench = try LiveBench()
        let without = try await bench.open()
        let (with, sink) = try await bench.shown()
        bench.clock.advance(by: .seconds(599))
        await bench.desk.tick()
        #expect(bench.desk.count == 2 && sink.beats == 1)
        bench.clock.advance(by: .seconds(1))
        await bench.desk.tick()
        #expect(bench.desk.page(without.name) == nil)
        #expect(bench.desk.ending(without.name) == .idle(seconds: 600))
        bench.clock.advance(by: .seconds(1_100))
        #expect(await with.tap(1, "add") == .taken)
        bench.clock.advance(by: .seconds(1_799))
        await bench.desk.tick()
        #expect(bench.desk.count == 1)
        bench.clock.advance(by: .seconds(1))
        await bench.desk.tick()
        #expect(bench.desk.count == 0 && sink.ends == [true])
        #expect(await with.tap(2, "add") == .refused(.over))
        await bench.desk.stop()
    }

    @Test func `A viewing whose stream was closed is idle from then on`() async throws {
        let bench = try LiveBench()
        let (viewing, sink) = try await bench.shown()
        bench.clock.advance(by: .seconds(700))
        await viewing.unfollow(sink)
        await bench.desk.tick()
        #expect(bench.desk.count == 1)
        bench.clock.advance(by: .seconds(600))
        await bench.desk.tick()
        #expect(bench.desk.count == 0)
    }

    @Test func `A stopped desk ends all widgets, and opens no other`() async throws {
        let bench = try LiveBench()
        let (_, sink) = try await bench.shown()
        await bench.desk.stop()
        #expect(bench.desk.count == 0 && sink.ends == [true])
        #expect(await bench.source.widgets[0].send(.time) == "the widget has been stopped")
        await #expect(throws: LiveRefusal.over) { try await bench.open() }
    }

    @Test func `A page that is made while the pages of its client end is not opened`() async throws {
        let bench = try LiveBench()
        let desk = bench.desk
        bench.source.meanwhile { await desk.end(of: "127.0.0.1") }
        await #expect(throws: LiveRefusal.over) { try await bench.open() }
        #expect(desk.count == 0)
        #expect(await bench.source.widgets[0].send(.time) == "the widget has been stopped")
        _ = try await bench.open(from: "10.0.0.1")
        #expect(desk.count == 1)
        await desk.stop()
    }

    @Test func `A viewing that outgrows its memory ends with the reason`() async throws {
        var limits = LiveLimits()
        limits.viewingByteCount = 4 << 10
        let bench = try LiveBench(LiveBench.document, limits)
        let (viewing, sink) = try await bench.shown()
        let text = String(repeating: "x", count: 5_000)
        for serial in 1...20 {
            bench.clock.advance(by: .seconds(1))
            _ = await viewing.type(serial, "\(text)\(serial)", into: "name")
        }
        #expect(bench.desk.ending(viewing.name) == .tooLarge(limit: 4 << 10))
        await sink.hasEnded()
        #expect(sink.ends == [true])
        #expect(LiveEnding.tooLarge(limit: 8 << 20).sentence(.english).contains("8 MB"))
    }

    @Test func `A viewing outgrows its memory by acts alone, too, when its page is not asked for`() async throws {
        var limits = LiveLimits()
        limits.viewingByteCount = 16 << 10
        let bench = try LiveBench(LiveBench.document, limits)
        let text = String(repeating: "x", count: 20_000)
        let viewing = try await bench.open()
        #expect(await viewing.tap(1, "add") == .taken)
        #expect(bench.desk.ending(viewing.name) == nil)
        _ = await viewing.type(2, text, into: "name")
        #expect(bench.desk.ending(viewing.name) == .tooLarge(limit: 16 << 10))

        let other = try await bench.open()
        #expect(await other.tap(1, "add") == .taken)
        _ = await other.post(LiveForm(fields: [(await other.key("name"), text)]))
        #expect(bench.desk.ending(other.name) == .tooLarge(limit: 16 << 10))
    }

    @Test func `A desk that runs ends what is idle by itself`() async throws {
        let bench = try LiveBench()
        _ = try await bench.open()
        let running = Task { await bench.desk.run() }
        for _ in 0..<1_000_000 where bench.desk.count > 0 {
            bench.clock.advance(by: .seconds(2))
            await Task.yield()
        }
        #expect(bench.desk.count == 0)
        running.cancel()
        bench.clock.advance(by: .seconds(2))
    }

    @Test func `The files of pages are kept by their names, the newest of too many`() {
        let pictures = LiveFiles()
        pictures.add(["a.png": [1], "b.png": [2]])
        #expect(pictures["a.png"] == [1] && pictures["b.png"] == [2] && pictures["c.png"] == nil)
        for place in 0..<3 { pictures.add(["\(place).png": [UInt8](repeating: 0, count: 30 << 20)]) }
        #expect(pictures["a.png"] == nil && pictures["0.png"] == nil)
        #expect(pictures["2.png"]?.count == 30 << 20)
    }

    @Test func `Two viewings share no text`() async throws {
        let bench = try LiveBench()
        let (first, _) = try await bench.shown()
        let (second, sink) = try await bench.shown()
        #expect(await first.type(1, "secret", into: "name") == .taken)
        await bench.settle(second)
        let page = try #require(await second.page())
        #expect(!String(decoding: page.html, as: UTF8.self).contains("secret"))
        #expect(sink.writes.allSatisfy { !"\($0)".contains("secret") })
        #expect(await first.text("shown") == "count 0 name secret")
        await bench.desk.stop()
    }
}
