import Testing
import WidgetDeflate
import WidgetHTTPServer
import WidgetRender
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Goal: a widget is used with forms and redirects alone. Method: a server on loopback, and bytes as browsers send them.
@Suite(.ownThreads) struct `Pages without script` {
    @Test func `The first page is still, makes no viewing, and is evaluated once`() throws {
        let bench = try PageBench()
        for _ in 0..<5 {
            let page = try bench.get("/")
            #expect(page.status == 200 && page.value("Content-Type") == "text/html; charset=utf-8")
            #expect(page.text.contains("inert") && page.text.contains(">Run</button>"))
            #expect(page.text.contains("count 0"))
        }
        #expect(bench.desk.count == 0 && bench.source.stillCount == 1)
    }

    @Test func `The sheets of the first pages of two programs are both there`() throws {
        let bench = try PageBench()
        func sheets() throws -> [String] {
            try bench.get("/").text.split(separator: "\"").map(String.init).filter {
                $0.hasPrefix("/assets/") && $0.hasSuffix(".css")
            }
        }
        let first = try sheets()
        try bench.source.replace(
            by: #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": "Other"}, "style": {"alpha": 0.5}}]}"#)
        let second = try sheets()
        #expect(first.count == 3 && second.count == 3 && first != second && bench.source.stillCount == 2)
        for path in first + second { #expect(try bench.get(path).status == 200, "\(path)") }
        #expect(try bench.get("/").text.contains("Other"))
    }

    @Test func `Run leads to a page with the number of its view, the line about it, and the script`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        #expect(bench.desk.count == 1 && address.utf8.count == "/live/".utf8.count + 32)
        let page = try bench.get(address)
        #expect(page.status == 200)
        #expect(page.text.contains(#"name="n" value="1""#) && page.text.contains(#"role="status""#))
        #expect(page.text.contains(LiveScript.fileName) && page.text.contains(#"data-live="\#(address)""#))
        for path in [LiveScript.fileName, LiveSheet.fileName, "base.css"] {
            #expect(try bench.get("/assets/\(path)").status == 200, "\(path)")
        }
        #expect(try bench.get("\(address)/a/1.css").status == 200)
        #expect(try bench.get("\(address)/a/99.css").status == 404)
    }

    @Test func `A form changes the widget once, however often the page after it is loaded`() async throws {
        let bench = try PageBench()
        let address = try bench.open()
        let (name, add) = (try await bench.key("name", address), try await bench.key("add", address))
        _ = try bench.get(address)
        let answer = try bench.submit("\(address)/a", ("n", "1"), (name, "Ann"), ("do", #"["tap","\#(add)"]"#))
        #expect(answer.status == 303 && answer.value("Location") == address)
        for _ in 0..<3 { #expect(try bench.get(address).text.contains("count 1 name Ann")) }
        // A form of the page before, which has no text, does not take the text away.
        _ = try bench.submit("\(address)/a", ("n", "1"), (name, ""), ("do", #"["tap","\#(add)"]"#))
        #expect(try bench.get(address).text.contains("count 2 name Ann"))
    }

    @Test func `A form in parts is a form too, and one of another kind is refused`() async throws {
        let bench = try PageBench()
        let address = try bench.open()
        let (name, add) = (try await bench.key("name", address), try await bench.key("add", address))
        _ = try bench.get(address)
        func part(_ name: String, _ value: String, _ more: String = "") -> String {
            "--xx\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\(value)\r\n"
        }
        let parts = part("n", "1") + part(name, "Bo")
        let file = part(add, "bytes", "; filename=\"a.png\"")
        let type = "multipart/form-data; boundary=xx"
        #expect(try bench.post("\(address)/a", Array("\(parts)\(file)--xx--\r\n".utf8), type: type).status == 303)
        #expect(try bench.get(address).text.contains("name Bo"))
        for (body, type, status) in [
            ("--xx\r\nContent-Disp", type, 400), (parts, "multipart/form-data", 400), ("n=1", "text/plain", 415),
            (#"do=["fly"]"#, "application/x-www-form-urlencoded", 400),
        ] {
            #expect(try bench.post("\(address)/a", Array(body.utf8), type: type).status == status, "\(body.prefix(20))")
        }
        let large = try bench.connect()
        let answer = try large.ask(
            "POST \(address) HTTP/1.1\r\nHost: \(bench.host)\r\n\(bench.origin)Content-Type: \(type)\r\n"
                + "Content-Length: 90000000\r\n\r\n")
        #expect(answer.status == 413)
        #expect(try bench.get(address).text.contains("count 0 name Bo"))
    }

    @Test func `Pages are compressed for those who take it`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        for path in ["/", address] {
            let plain = try bench.get(path)
            let packed = try bench.get(path, "Accept-Encoding: gzip\r\n")
            #expect(plain.value("Content-Encoding") == nil && packed.value("Content-Encoding") == "gzip", "\(path)")
            #expect(packed.body.count < plain.body.count && packed.body.starts(with: [0x1F, 0x8B]))
            #expect(plain.value("Vary") == "Accept-Encoding" && packed.value("Vary") == "Accept-Encoding")
        }
        let stream = try EventReader(bench, "\(address)/events?after=0", "Accept-Encoding: gzip\r\n")
        #expect(stream.waits(for: "data: {") && !stream.text.contains("gzip"))
        stream.close()
    }

    @Test func `A viewing that is not there says so, begins anew, and shows the texts again`() async throws {
        let bench = try PageBench()
        let address = try bench.open()
        let name = try await bench.key("name", address)
        #expect(try bench.post("\(address)/end").status == 204)
        for path in [address, "/live/00000000000000000000000000000000", "/live/x"] {
            #expect(try bench.get(path).status == 410, "\(path)")
            let answer = try bench.submit(path, ("n", "1"), (name, "<b>Ann"), ("do", #"["enter"]"#), ("9.9", "more"))
            #expect(answer.status == 410 && answer.text.contains(#"action="/live""#), "\(path)")
            #expect(answer.text.contains(">Your name</label>") && answer.text.contains("&lt;b&gt;Ann</textarea>"))
            // Each text is on a line below its name.
            #expect(answer.text.contains("</label><br><textarea"), "\(answer.text)")
            #expect(answer.text.contains("more</textarea>") && !answer.text.contains("enter"))
            #expect(try bench.act(path, 1).status == 410)
        }
        #expect(try bench.get(address).text.contains("because it was left"))
        #expect(bench.desk.count == 0)
        // The page that comes in its place says so, until something else is done than to type.
        let next = try #require(
            try bench.post("/live", [], "\(bench.origin)Referer: http://\(bench.host)\(address)\r\n").value("Location"))
        #expect(try bench.get(next).text.contains("because it was left. Its data have ended with it"))
        let (field, add) = (try await bench.key("name", next), try await bench.key("add", next))
        #expect(try bench.act(next, 1, #"["input","\#(field)","Ann"]"#).status == 204)
        #expect(try bench.get(next).text.contains("was begun anew"))
        #expect(try bench.act(next, 2, #"["tap","\#(add)"]"#).status == 204)
        #expect(try !bench.get(next).text.contains("was begun anew"))
        #expect(try !bench.get(try bench.open()).text.contains("was begun anew"))
    }

    @Test func `Pages about pages are in the language of their reader, and details in English`() throws {
        var options = PageOptions()
        options.locale = "ar_EG"
        let bench = try PageBench(options: options)
        #expect(try bench.get("/").text.contains("<button>تشغيل</button>"))
        let address = try bench.open()
        #expect(try bench.post("\(address)/end").status == 204)
        for path in [address, "/live/00000000000000000000000000000000"] {
            let gone = try bench.get(path)
            #expect(gone.status == 410 && gone.text.contains("<html lang=\"ar\" dir=\"rtl\">"), "\(gone.text)")
            #expect(gone.text.contains("انتهت هذه الصفحة") && gone.text.contains("<button>البدء من جديد</button>"))
        }
        let open = try bench.open()
        let refused = try bench.submit("\(open)/a", ("n", "1"), ("do", "[1]"))
        #expect(refused.status == 400 && refused.text.contains("تعذر على الخادم قراءة ما أُرسل."), "\(refused.text)")
        #expect(refused.text.contains("<p lang=\"en\">The button of the form means nothing.</p>"), "\(refused.text)")
        #expect(refused.text.contains(">العودة إلى الصفحة</a>"))
    }
}
