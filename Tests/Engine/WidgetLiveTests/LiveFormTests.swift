import Testing
import WidgetCore
import WidgetEngine
import WidgetPredicates

@testable import WidgetLive

/// Pages without script: their forms are compared with what they showed.
@Suite struct LiveFormTests {
    private static func post(
        _ viewing: OnePage, _ number: Int, _ fields: [(String, String)], button: String? = nil
    ) async -> LiveOutcome {
        var all = [(name: "n", value: "\(number)")]
        for (identifier, value) in fields { all.append((await viewing.key(identifier), value)) }
        if let button { all.append(("do", button)) }
        return await viewing.post(LiveForm(fields: all))
    }

    @Test func `Fields come first, and then the button`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let number = try #require(await viewing.page()).number
        let tap = #"["tap","\#(await viewing.key("add"))"]"#
        let fields = [("name", "Ann"), ("loud", ""), ("wants", "on")]
        #expect(await Self.post(viewing, number, fields, button: tap) == .taken)
        #expect(await viewing.text("shown") == "count 1 name Ann")
        let wants = try #require(ViewKey(await viewing.key("wants")))
        #expect(await viewing.view.node(wants)?.isTrue(.value) == true)
        await bench.desk.stop()
    }

    @Test func `A switch that is not in the form is off`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let wants = try #require(ViewKey(await viewing.key("wants")))
        var number = try #require(await viewing.page()).number
        #expect(await Self.post(viewing, number, [("wants", "on")]) == .taken)
        #expect(await viewing.view.node(wants)?.isTrue(.value) == true)
        number = try #require(await viewing.page()).number
        #expect(await Self.post(viewing, number, [("name", "")]) == .taken)
        #expect(await viewing.view.node(wants)?.isTrue(.value) == false)
        await bench.desk.stop()
    }

    @Test func `A stale page changes only what its reader has changed`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let stale = try #require(await viewing.page()).number
        #expect(await Self.post(viewing, stale, [("name", "newer"), ("wants", "on")]) == .taken)
        _ = await viewing.page()
        // The first page is posted again, with the values that it showed and one other.
        #expect(await Self.post(viewing, stale, [("name", ""), ("loud", "x")]) == .taken)
        #expect(await viewing.text("name") == "newer")
        #expect(await viewing.text("loud") == "X")
        let wants = try #require(ViewKey(await viewing.key("wants")))
        #expect(await viewing.view.node(wants)?.isTrue(.value) == true)
        await bench.desk.stop()
    }

    @Test func `A page that is long gone is compared with the present one`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        #expect(await Self.post(viewing, 99, [("name", "Ann"), ("loud", "")]) == .taken)
        #expect(await viewing.text("shown") == "count 0 name Ann")
        await bench.desk.stop()
    }

    @Test func `Forms are limited like other acts`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let number = try #require(await viewing.page()).number
        for _ in 0..<60 { #expect(await Self.post(viewing, number, []) == .taken) }
        guard case .refused(.tooFast) = await Self.post(viewing, number, []) else {
            Issue.record("the flood was taken")
            return
        }
        await bench.desk.stop()
    }

    @Test func `Enter submits the field whose text has changed, or else the first that can be`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let number = try #require(await viewing.page()).number
        #expect(await Self.post(viewing, number, [("loud", "hey")], button: #"["enter"]"#) == .taken)
        #expect(await viewing.text("shown") == "count 100 name ")
        #expect(await viewing.text("loud") == "HEY")
        let next = try #require(await viewing.page()).number
        #expect(await Self.post(viewing, next, [("loud", "HEY")], button: #"["enter"]"#) == .taken)
        #expect(await viewing.text("shown") == "count 200 name ")
        await bench.desk.stop()
    }

    @Test(arguments: ["", "x", "[]", #"["tap"]"#, #"["enter",1]"#, #"{"tap":1}"#, "[[[[[[[[1]]]]]]]]"])
    func `A button that means nothing is refused, with the fields`(text: String) async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let number = try #require(await viewing.page()).number
        guard case .refused(.malformed) = await Self.post(viewing, number, [("name", "A")], button: text) else {
            Issue.record("taken")
            return
        }
        #expect(await viewing.text("name").isEmpty)
        await bench.desk.stop()
    }

    @Test func `Fields without a control, and too many of them, change nothing`() async throws {
        let bench = try LiveBench()
        let viewing = try await bench.open()
        let odd = ["", "n", "x", "1.1@", "9.9", "constructor", "1.\u{0}"].map { (name: $0, value: "v") }
        let file = LiveFile(name: "a.png", contentType: "image/png", bytes: [1])
        let form = LiveForm(fields: odd, files: odd.map { ($0.name, file) })
        #expect(await viewing.post(form) == .taken)
        #expect(await viewing.text("shown") == "count 0 name ")
        let many = LiveForm(fields: Array(repeating: ("x", "y"), count: 3_000))
        guard case .refused(.malformed) = await viewing.post(many) else {
            Issue.record("taken")
            return
        }
        await bench.desk.stop()
    }

    // MARK: - Each kind of control

    private static func inputs(
        _ kind: NodeKind, _ properties: [ViewProperty], _ posted: [String]
    ) -> [LiveEvent] {
        let node = ViewNode(ViewKey(screen: 1, node: 2), kind, properties: properties)
        let view = View(
            screen: "a", title: "", root: ViewNode(ViewKey(screen: 1, node: 0), .screen, children: [node]))
        let form = LiveForm(fields: posted.map { ("1.2", $0) })
        return FormReading(form).inputs(since: view, [:], 200, 100)
    }

    private static let key = ViewKey(screen: 1, node: 2)

    @Test func `A text has changed unless only its blanks and lines are a browser's`() {
        func text(_ old: String, _ posted: String, _ kind: NodeKind = .textField) -> [LiveEvent] {
            Self.inputs(kind, [ViewProperty(.text, .string(old))], [posted])
        }
        #expect(text("a", "a").isEmpty)
        #expect(text("a", "b") == [.input(Self.key, .text("b"))])
        #expect(text("a\nb", "ab").isEmpty)
        #expect(text(" a ", "a").isEmpty)
        #expect(text("\t a\u{C}", "a").isEmpty && text("  ", "").isEmpty)
        let long = String(repeating: "e\u{301} ", count: 100_000)
        #expect(text(long, String(long.dropLast())).isEmpty && text(long, long).isEmpty)
        #expect(text("a\nb", "a\r\nb", .textArea).isEmpty)
        #expect(text("a\nb", "a\r\n\r\nb", .textArea) == [.input(Self.key, .text("a\n\nb"))])
        #expect(text("a", "", .searchField) == [.input(Self.key, .text(""))])
        #expect(Self.inputs(.textField, [ViewProperty(.text, .string("old"))], []).isEmpty)
        let secret = [ViewProperty(.text, .string("old")), ViewProperty(.isSecure, .boolean(true))]
        #expect(Self.inputs(.textField, secret, [""]).isEmpty)
        #expect(Self.inputs(.textField, secret, ["new"]) == [.input(Self.key, .text("new"))])
        let locked = [ViewProperty(.text, .string("old")), ViewProperty(.readOnly, .boolean(true))]
        #expect(Self.inputs(.textArea, locked, ["new"]).isEmpty)
    }

    @Test func `Choices, sliders and dates are numbers and moments`() {
        let two = [ViewProperty(.value, .integer(2))]
        #expect(Self.inputs(.segments, two, ["2"]).isEmpty)
        #expect(Self.inputs(.segments, two, ["0"]) == [.input(Self.key, .number(0))])
        #expect(Self.inputs(.picker, two, ["1"]) == [.input(Self.key, .number(1))])
        #expect(Self.inputs(.picker, two, ["x"]).isEmpty && Self.inputs(.picker, two, []).isEmpty)
        #expect(Self.inputs(.slider, two, ["2"]).isEmpty)
        #expect(Self.inputs(.slider, two, ["2.5"]) == [.input(Self.key, .number(2.5))])
        #expect(Self.inputs(.slider, two, ["inf"]).isEmpty && Self.inputs(.slider, two, ["nan"]).isEmpty)
        let date = [ViewProperty(.value, .date(30))]
        #expect(Self.inputs(.datePicker, date, ["2001-01-01T00:00"]).isEmpty)
        #expect(
            Self.inputs(.datePicker, date, ["2018-06-20T20:00"]) == [.input(Self.key, .text("2018-06-20T20:00"))])
        #expect(Self.inputs(.datePicker, date, [""]).isEmpty && Self.inputs(.datePicker, date, ["soon"]).isEmpty)
        let on = [ViewProperty(.value, .boolean(true))]
        #expect(Self.inputs(.toggle, on, ["on"]).isEmpty)
        #expect(Self.inputs(.toggle, on, []) == [.input(Self.key, .truth(false))])
        #expect(Self.inputs(.toggle, on + [ViewProperty(.disabled, .boolean(true))], []).isEmpty)
    }

    @Test func `A date is posted in the form of its mode`() {
        func node(_ mode: DateMode) -> ViewNode {
            ViewNode(Self.key, .datePicker, properties: [ViewProperty(.dateMode, .string(mode.rawValue))])
        }
        for (mode, text) in [
            (DateMode.dateAndTime, "2001-01-01T00:01"), (.dateAndTime, "2001-01-02"), (.date, "2001-01-02"),
            (.time, "22:30"), (.yearAndMonth, "2001-01"), (.countdown, "90"),
        ] {
            // The zone of the widget is not known here.
            #expect(LiveInput.text(text).value(for: node(mode))?.string == text, "\(mode) \(text)")
        }
        #expect(LiveInput.text("22:30").value(for: node(.date)) == nil)
        #expect(LiveInput.number(3).value(for: node(.dateAndTime)) == nil)
        #expect(LiveInput.text("1").value(for: ViewNode(Self.key, .picker))?.isIdentical(to: .integer(1)) == true)
    }

    @Test func `A date that a form posts as it was shown is not an input`() {
        let zone = "2001-01-01 02:00"
        let node = [ViewProperty(.value, .date(0)), ViewProperty(.dateText, .string(zone))]
        #expect(Self.inputs(.datePicker, node, ["2001-01-01T02:00"]).isEmpty)
        #expect(Self.inputs(.datePicker, node, ["2001-01-01T00:00"]).count == 1)
    }

    @Test func `Switches of rows that the page did not have are not off`() {
        let list = ViewKey(screen: 1, node: 3)
        let rows = (0..<300).map { place in
            let item = ItemKey(list: 3, number: place, isRecord: false)
            let toggle = ViewNode(
                ViewKey(screen: 1, node: 5, item: item), .toggle, properties: [ViewProperty(.value, .boolean(true))])
            return ViewNode(ViewKey(screen: 1, node: 4, item: item), .row, children: [toggle])
        }
        let view = View(screen: "a", title: "", root: ViewNode(list, .list, children: rows))
        let reading = FormReading(LiveForm(fields: []))
        #expect(reading.inputs(since: view, [:], 200, 100).count == 100)
        #expect(reading.inputs(since: view, [list: 200], 200, 100).count == 200)
        #expect(reading.inputs(since: view, [:], 400, 100).count == 300)
        // Headers of sections are not rows: these 150 are all on the page.
        let headers = (0..<60).map { place in
            ViewNode(
                ViewKey(screen: 1, node: 6, item: ItemKey(list: 3, number: 1_000 + place, isRecord: false)),
                .sectionHeader)
        }
        let sections = View(
            screen: "a", title: "", root: ViewNode(list, .list, children: headers + rows.prefix(150)))
        #expect(reading.inputs(since: sections, [:], 200, 100).count == 150)
    }
}
