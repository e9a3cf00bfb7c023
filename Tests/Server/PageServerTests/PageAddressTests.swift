import Testing
import WidgetLive
import WidgetRender

@testable import PageServer

@Suite struct `Addresses of live pages` {
    @Test func `Sheets and pictures of a widget lie under its page`() {
        #expect(PageAddress.page("v") == "/live/v")
        let place = LiveRoutes.place("v", begin: "/live", PageOptions())
        #expect(
            place.page == "/live/v" && place.address == "/live/v/a"
                && place.options.sheets.allSatisfy { $0.hasPrefix("/assets/") })
        let name = String(repeating: "0a", count: 16)
        #expect(PageAddress.name(at: "http://127.0.0.1:1/live/\(name)") == name)
        for address in ["", "http://127.0.0.1:1/", "/live/", "/live/x", "/other/\(name)", "/live/\(name)/events"] {
            #expect(PageAddress.name(at: address) == nil, "\(address)")
        }
    }

    @Test func `A script has an address of the page's own server`() {
        #expect(ScriptAddress("/assets/live-0a.js") != nil)
        for text in ["//evil.example/x.js", "https://evil.example/x.js", "/a\"b", "/a>", "", "x.js"] {
            #expect(ScriptAddress(text) == nil, "\(text)")
        }
    }

    @Test func `The line about a page comes into its place as text`() {
        var status = LiveStatus()
        status.notice = "<b>"
        let html = Array("<p id=\"a-s\" class=\"status\" role=\"status\"></p><main>".utf8)
        let added = String(decoding: status.added(to: html), as: UTF8.self)
        #expect(added == "<p id=\"a-s\" class=\"status\" role=\"status\">&lt;b&gt;</p><main>")
        #expect(LiveStatus().added(to: html) == html)
        status.address = "https://a.example/?b=\"&c"
        let linked = String(decoding: status.added(to: html), as: UTF8.self)
        #expect(linked.contains("The widget wants to open <a href=\"https://a.example/?b=&quot;&amp;c\" rel="))
    }
}
