import FoundationEssentials
import HostileServer
import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetHost
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

/// Goal: an update costs no more than it has to, and ends for the server as well. Method: servers that count what they
/// read, and one that never answers.
@Suite(.ownThreads) struct `Requests of updates` {
    private static let fog = #"[{"id": "1", "title": "Fog"}]"#

    private static func isConditional(_ visit: Visit, _ tag: String) -> Bool {
        visit.request.value("If-None-Match") == tag
    }

    @Test func `U6: An answer with a tag is asked for again on condition, and 304 ends as no data and makes it young`()
        async throws
    {
        let server = try HostileServer { visit in
            if Self.isConditional(visit, "\"1\"") {
                visit.answer(304, ["ETag: \"1\""])
            } else {
                visit.answer(200, ["ETag: \"1\""], text: Self.fog)
            }
        }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let clock = HostScene.clock()
        let host = try scene.host(try HostScene.network(to: server), clock: clock)
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog")
        await clock.step(by: .seconds(20))
        #expect(await widget.snapshot().data.age == 20)
        #expect(await widget.update() == .noData)
        #expect(await widget.snapshot().data.age == 0)
        #expect(server.requests.count == 2)
        #expect(server.requests.map { $0.value("If-None-Match") } == [nil, "\"1\""])
        await host.unload(HostScene.logIdentifier)

        // The answer outlives the widget and its host.
        let later = try scene.host(try HostScene.network(to: server), clock: HostScene.clock())
        let mounted = try await later.load(HostScene.logIdentifier, from: .path(path))
        #expect(await mounted.update() == .noData)
        #expect(server.requests.last?.value("If-None-Match") == "\"1\"")
        #expect(HostScene.text(await mounted.snapshot()).contains("Fog"))
        await later.unload(HostScene.logIdentifier)
    }

    @Test func `U6: A date of modification is a condition as well, and a new answer replaces the kept one`()
        async throws
    {
        let count = Guarded(0)
        let server = try HostileServer { visit in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let date = "Last-Modified: Mon, 15 Jun 2026 0\(number):00:00 GMT"
            visit.answer(200, [date], text: Self.fog.replacing("Fog", with: "Fog \(number)"))
        }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let host = try scene.host(try HostScene.network(to: server), clock: HostScene.clock())
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog 1")
        #expect(await widget.update() == .newData)
        #expect(await widget.update() == .newData)
        #expect(
            server.requests.map { $0.value("If-Modified-Since") } == [
                nil, "Mon, 15 Jun 2026 01:00:00 GMT", "Mon, 15 Jun 2026 02:00:00 GMT",
            ])
        await host.unload(HostScene.logIdentifier)
    }

    @Test(arguments: [["Cache-Control: private, no-store", "ETag: \"1\""], []])
    func `U6: An answer that may not be kept, or has no validator, is asked for as a whole`(
        _ fields: [String]
    ) async throws {
        let server = try HostileServer { visit in visit.answer(200, fields, text: Self.fog) }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let host = try scene.host(try HostScene.network(to: server), clock: HostScene.clock())
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog")
        #expect(await widget.update() == .noData)
        #expect(server.requests.allSatisfy { $0.value("If-None-Match") == nil })
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `U6: An answer whose kept bytes are damaged is asked for as a whole`() async throws {
        let server = try HostileServer { visit in
            if Self.isConditional(visit, "\"1\"") {
                visit.answer(304)
            } else {
                visit.answer(200, ["ETag: \"1\""], text: Self.fog)
            }
        }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let host = try scene.host(try HostScene.network(to: server), clock: HostScene.clock())
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        _ = try await HostScene.text(updated: widget, showing: "Fog")
        let blobs = "\(scene.caches)/own/\(HostScene.logIdentifier)/blobs"
        let names = try FileManager.default.contentsOfDirectory(atPath: blobs)
        #expect(names.count == 1)
        for name in names { _ = FileManager.default.createFile(atPath: "\(blobs)/\(name)", contents: nil) }
        #expect(await widget.update() == .noData)
        #expect(server.requests.map { $0.value("If-None-Match") } == [nil, nil])
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `U1: A deadline that passes closes the connection of the update`() async throws {
        let ended = Observed(0)
        let server = try HostileServer { visit in
            visit.hold()
            ended.change { $0 += 1 }
        }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let clock = HostScene.clock()
        let host = try scene.host(
            try HostScene.network(to: server), policy: DataUpdatePolicy(deadline: 5), clock: clock)
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        async let result = widget.update()
        _ = try await widget.becomes { $0.data.counts.joined == 1 }
        await server.receives(1)
        clock.advance(by: .seconds(5))
        await widget.settle()
        #expect(await result == .failed(.timeout(seconds: 5)))
        await ended.becomes { $0 == 1 }
        #expect(ended.value == 1, "the server has not seen the end of the connection")
        #expect(server.requests.count == 1)
        #expect(await widget.snapshot().data.state == .empty)
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `C3: A host chooses the interval of a widget`() async throws {
        let server = try HostileServer { visit in visit.answer(200, text: Self.fog) }
        let scene = try HostScene()
        let path = try scene.log(from: server.url)
        let clock = HostScene.clock()
        let host = try scene.host(
            try HostScene.network(to: server), policy: DataUpdatePolicy(interval: 600), clock: clock)
        let widget = try await host.load(HostScene.logIdentifier, from: .path(path))
        // The interval is up to a tenth longer by chance.
        await clock.step(by: .seconds(1_500))
        #expect(server.requests.count == 3)
        #expect(await widget.snapshot().data.counts.noData == 2)
        await host.unload(HostScene.logIdentifier)
    }

    @Test func `U3: A host says what the first screen is about`() async throws {
        let scene = try HostScene()
        let path = try scene.bundle(
            #"""
            {"schema": 1, "parameters": {"user": "guest"},
             "root": [{"kind": "label", "payload": {"text": "$user"}}]}
            """#)
        let host = try scene.host()
        let plain = try await host.load("com.example.Note-1", from: .path(path))
        #expect(HostScene.text(await plain.snapshot()).contains("guest"))
        let parameters = Value.dictionary(PredicateDictionary([("user", .string("ada"))]))
        let other = try await host.load("com.example.Note-2", from: .path(path), parameters: parameters)
        #expect(HostScene.text(await other.snapshot()).contains("ada"))
    }
}
