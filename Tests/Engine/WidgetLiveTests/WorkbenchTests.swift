import JSONText
import Testing
import WidgetRender

@testable import WidgetLive

/// The workbench of an author's page: what its switches change, and how faults come to a page that is shown.
@Suite struct `A workbench` {
    private let bench: LiveBench
    private let workbench = Workbench(
        PageLook(), devices: [Workbench.Device("Phone", "375x667")], languages: ["de"], locale: "", first: "/",
        start: "/live")

    init() throws { bench = try LiveBench() }

    private func html(_ viewing: OnePage) async throws -> String {
        String(decoding: try #require(await viewing.page()).html, as: UTF8.self)
    }

    @Test func `A switch has the page loaded again, with what was typed, and the switch in the focus`() async throws {
        let (viewing, sink) = try await bench.shown(with: workbench)
        _ = await viewing.type(1, "Ann", into: "name")
        await bench.settle(viewing)
        #expect(await viewing.act(2, #"["look","dir","rtl"]"#, #"["look","scheme","dark"]"#) == .taken)
        await bench.settle(viewing)
        #expect(sink.writes.last?.all("g").first?.array?.last?.string == "/live/\(viewing.name)")
        let page = try #require(await viewing.page())
        let html = String(decoding: page.html, as: UTF8.self)
        for part in [
            #"dir="rtl""#, #"content="dark""#, #"value="Ann""#, #"data-begin="/live?scheme=dark&amp;dir=rtl""#,
            #"aria-pressed="true" autofocus>Dark</button>"#,
        ] { #expect(html.contains(part), "\(part) is not in \(html)") }
        #expect(html.ranges(of: "autofocus").count == 1)
        #expect(page.sheet.contains("color-scheme:dark"))
        // The page was loaded: the next change is a change again.
        _ = await viewing.tap(3, "add")
        await bench.settle(viewing)
        #expect(sink.writes.last?.letters.contains("g") == false)
        #expect(try await self.html(viewing).contains("autofocus>Dark") == false)
        await bench.desk.stop()
    }

    @Test func `A form sends what was typed together with the switch`() async throws {
        let viewing = try await bench.open(with: workbench)
        let page = try #require(await viewing.page())
        let form = LiveForm(fields: [
            ("n", "\(page.number)"), (await viewing.key("name"), "Ann"), ("do", #"["look","size","320x568"]"#),
        ])
        #expect(await viewing.post(form) == .taken)
        let after = try #require(await viewing.page())
        #expect(String(decoding: after.html, as: UTF8.self).contains(#"value="Ann""#))
        #expect(after.sheet.contains("width:320px;height:568px"))
        #expect(await viewing.post(LiveForm(fields: [("do", #"["look","size",""]"#)])) == .taken)
        #expect(await viewing.page()?.sheet.contains("320px") == false)
        await bench.desk.stop()
    }

    @Test func `Words that are no look change nothing`() async throws {
        let (viewing, sink) = try await bench.shown(with: workbench)
        let before = try await html(viewing)
        #expect(await viewing.act(1, #"["look","size","1x1"]"#, #"["look","scheme","<b>"]"#) == .taken)
        guard case .refused(.malformed) = await viewing.act(2, #"["look","song","1"]"#) else {
            Issue.record("a look of an unknown kind is taken")
            return
        }
        await bench.settle(viewing)
        #expect(sink.writes.allSatisfy { !$0.letters.contains("g") })
        #expect(
            try await html(viewing).replacing(/name="n" value="\d+"/, with: "")
                == before.replacing(/name="n" value="\d+"/, with: ""))
        await bench.desk.stop()
    }

    @Test func `Faults come to the page that is shown, and go`() async throws {
        let (viewing, sink) = try await bench.shown(with: workbench)
        #expect(try await html(viewing).contains(#"<div id="a-d" hidden></div>"#))
        try bench.source.replace(by: #"[{"kind": "labl", "payload": {"text": "<i>"}}]"#)
        await bench.desk.renew(bench.source)
        await bench.settle(viewing)
        let written = sink.writes.flatMap { $0.all("r") }.compactMap { $0.array?.compactMap(\.string) }
        let list = try #require(written.first { $0.dropFirst().first == "a-d" }?.last)
        #expect(list.contains("No kind is called labl") && list.contains("did you mean label?"))
        #expect(try await html(viewing).contains("1 error"))
        try bench.source.replace(by: LiveBench.document)
        await bench.desk.renew(bench.source)
        await bench.settle(viewing)
        #expect(try await html(viewing).contains(#"<div id="a-d" hidden></div>"#))
        await bench.desk.stop()
    }

    @Test func `Other pages have none, and their widgets no look`() async throws {
        let (viewing, sink) = try await bench.shown()
        try bench.source.replace(by: #"[{"kind": "labl"}]"#)
        await bench.desk.renew(bench.source)
        #expect(await viewing.act(1, #"["look","dir","rtl"]"#) == .taken)
        await bench.settle(viewing)
        #expect(sink.writes.allSatisfy { !$0.letters.contains("r") && !$0.letters.contains("g") })
        let page = try await html(viewing)
        #expect(!page.contains("bench") && !page.contains("labl") && !page.contains("rtl"))
        await bench.desk.stop()
    }
}
