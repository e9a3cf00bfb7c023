import Testing
import WidgetContract
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: a link from elsewhere leads to its screen and row, whenever it comes. Method: a log whose entries arrive when
/// the test says so.
@Suite struct `A link into a widget` {
    private static func router() throws -> LinkRouter {
        LinkRouter([
            try LinkRoute(
                LinkPattern("harbour://log/{id}"), entry: "LogViewController",
                reveal: LinkReveal(list: "tableView", keyPath: ["entryId"], part: "id")),
            try LinkRoute(LinkPattern("harbour://about"), entry: "NoSuchScreen"),
        ])
    }

    private static func destination(_ address: String) throws -> LinkDestination {
        try router().destination(of: address).get()
    }

    /// The titles of the rows that are shown as chosen.
    private static func chosen(_ view: View) -> [String] {
        var found: [String] = []
        view.visit { node in
            if node.kind == .row, node.isTrue(.selected) {
                View(screen: "", title: "", root: node).visit { part in
                    if part.identifier == "titleText" { found.append(part.text(.text)) }
                    return true
                }
            }
            return true
        }
        return found
    }

    @Test func `C19: A link leads to its row, which is shown as chosen`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        #expect(Self.chosen(widget.view()).isEmpty)
        let destination = try Self.destination("harbour://log/2")
        widget.change { driver in
            let (result, _) = driver.follow(destination)
            #expect(result == .handled)
        }
        #expect(Self.chosen(widget.view()) == ["A gull took the biscuits"])
        #expect(widget.store.screens.count == 1)
    }

    @Test func `U5: A link before the list has loaded is pending, and its row is shown when it comes`() throws {
        let widget = try SampleBundle.widget("HarbourLog", changing: LiveLog.sources)
        let destination = try Self.destination("harbour://log/1")
        var visit: LinkVisit?
        widget.change { driver in
            let (result, pending) = driver.follow(destination)
            #expect(result == .pending)
            visit = pending
        }
        let pending = try #require(visit)
        widget.change { driver in
            #expect(driver.result(of: pending) == .pending)
            #expect(throws: Never.self) { try LiveLog.answer(&driver, LiveLog.answer(["Fog", "Lamp changed"])) }
            #expect(driver.result(of: pending) == .handled)
        }
        #expect(Self.chosen(widget.view()) == ["Lamp changed"])
    }

    @Test func `U5: A link to a row that is not in the loaded list is not found`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        let destination = try Self.destination("harbour://log/999")
        widget.change { driver in
            let (result, _) = driver.follow(destination)
            #expect(result == .notFound(reason: "the list tableView has no row whose entryId is \"999\""))
        }
        #expect(Self.chosen(widget.view()).isEmpty)
    }

    @Test func `U5: A link leads to its screen when others are in front`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        try widget.select("tableView", row: 0)
        #expect(widget.store.screens.count == 2)
        let destination = try Self.destination("harbour://log/2")
        widget.change { driver in
            let (result, _) = driver.follow(destination)
            #expect(result == .handled)
        }
        #expect(widget.store.screens.count == 1 && Self.chosen(widget.view()) == ["A gull took the biscuits"])
    }

    @Test func `A link to a screen that the widget does not have is not found, and changes nothing`() throws {
        let widget = try SampleBundle.widget("HarbourLog").started()
        let destination = try Self.destination("harbour://about")
        let before = widget.text()
        widget.change { driver in
            let (result, _) = driver.follow(destination)
            #expect(result == .notFound(reason: "the widget has no screen NoSuchScreen"))
        }
        #expect(widget.text() == before)
    }

    @Test func `A running widget says how a pending link has ended`() async throws {
        let server = PlayedServer([LiveLog.answer(["Fog", "Lamp changed"])], isHolding: true)
        let widget = RunningWidget(try LiveLog.instance(), network: server)
        await widget.start()
        let router = try Self.router()
        #expect(await widget.open("harbour://log/1", by: router) == .pending)
        #expect(await widget.open("harbour://elsewhere", by: router) != .handled)
        #expect(await widget.open("harbour://log/1", by: router) == .pending)
        await server.release()
        await widget.becomes { $0.link != .pending }
        #expect(await widget.snapshot().link == .handled)
        #expect(Self.chosen(await widget.snapshot().view) == ["Lamp changed"])
        await widget.stop()
    }
}

/// Goal: a program can look at the place in which it is shown. Method: labels that are bound to the environment.
@Suite struct `The place of a widget` {
    private static func widget(_ display: Display, _ abilities: Set<HostAbility>) throws -> DrivenWidget {
        let names = ["mode", "height", "left", "input", "links"]
        let paths = [
            "display.mode", "display.max.height", "display.insets.left", "host.input", "host.links",
        ]
        let bindings = zip(names, paths).map { name, path in
            #""\#(name)": {"bindings": [{"from": "environment.\#(path)", "placeholder": "none"}]}"#
        }
        let labels = names.enumerated().map { place, name in TestStoryboard.label(name, y: place * 30) }
        let widget = try TestStoryboard.widget(
            labels.joined(), #"{"elements": {\#(bindings.joined(separator: ","))}}"#.dropFirst().dropLast().description)
        var instance = widget.instance
        instance.show(in: display, abilities: abilities)
        return try DrivenWidget(instance).started()
    }

    private static func texts(_ widget: DrivenWidget) -> [String] {
        ["mode", "height", "left", "input", "links"].map { widget.column($0).joined() }
    }

    @Test func `C9: Expressions read the mode and the room that the host gives`() throws {
        let compact = Display(mode: .compact, maximum: Size(width: 320, height: 110))
        #expect(Self.texts(try Self.widget(compact, [])).prefix(2) == ["compact", "110"])
        let widget = try Self.widget(Display(), [])
        #expect(Self.texts(widget).prefix(2) == ["expanded", "none"])
        // The host changes it while the widget runs.
        widget.change { $0.show(in: compact, abilities: []) }
        #expect(Self.texts(widget).prefix(2) == ["compact", "110"])
    }

    @Test func `C8: Expressions read the margins that the host proposes`() throws {
        let display = Display(insets: Insets(top: 0, leading: 47, bottom: 39, trailing: 0))
        #expect(Self.texts(try Self.widget(display, []))[2] == "47")
    }

    @Test func `C12: Expressions read the abilities of the host`() throws {
        #expect(Self.texts(try Self.widget(Display(), [.links])).suffix(2) == ["0", "1"])
        #expect(Self.texts(try Self.widget(Display(), [.input])).suffix(2) == ["1", "0"])
    }
}
