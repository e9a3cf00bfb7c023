import Testing
import WidgetContract
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

/// Goal: a bundle of the framework makes the same statements about itself as a document does. Method: the section of a
/// sample's `Info.plist`.
@Suite struct TermsSectionTests {
    /// The sample with a section, each line of which is one value of the property list.
    private static func program(_ section: String, isCompiled: Bool = false) throws -> Program {
        var manifest = ""
        var files = try SampleBundle.compiled("HarbourLog") { sources in
            manifest = String(decoding: sources["Info.plist"] ?? [], as: UTF8.self).replacing(
                "</dict>\n</plist>", with: "<key>WidgetContract</key>\n\(section)\n</dict>\n</plist>")
            sources["Info.plist"] = Array(manifest.utf8)
        }
        // The form with lines, as bundles may have it.
        if !isCompiled { files["Info.plist"] = Array(manifest.utf8) }
        return try WidgetKitReader.program(BundleFiles(files), identifier: "test.HarbourLog")
    }

    private static let whole = """
        <dict><key>modes</key><array><string>compact</string></array>
        <key>insets</key><dict><key>left</key><string>proposed.left - 30</string><key>top</key><integer>4</integer></dict>
        <key>visible</key><string>entries.count &gt; 0</string>
        <key>update</key><dict><key>interval</key><real>600</real><key>deadline</key><integer>5</integer></dict>
        <key>watch</key><string>entries.count</string>
        <key>groups</key><string>group.com.example</string>
        <key>needs</key><array><string>links</string></array>
        <key>links</key><dict><key>entry</key><dict>
        <key>pattern</key><string>harbour://log/{id}</string><key>scene</key><string>LogViewController</string>
        <key>reveal</key><dict><key>list</key><string>tableView</string><key>key</key><string>entryId</string>
        <key>part</key><string>id</string></dict></dict></dict></dict>
        """

    @Test func `A section of Info.plist declares what a document can`() throws {
        let program = try Self.program(Self.whole)
        let faults = program.diagnostics.filter { $0.place?.file == "Info.plist" }
        #expect(faults.isEmpty, "\(faults)")
        #expect(program.terms.modes == [.compact] && program.terms.needs == [.links])
        #expect(program.terms.policy == DataUpdatePolicy(interval: 600, deadline: 5))
        #expect(program.terms.groups == ["group.com.example"])
        #expect(program.terms.links.map(\.name) == ["entry"])
        #expect(program.termPlaces["modes"]?.description == "Info.plist:26:23 (WidgetContract.modes)")
    }

    @Test func `A section of a compiled Info.plist declares the same, without lines`() throws {
        let program = try Self.program(Self.whole, isCompiled: true)
        #expect(program.terms.modes == [.compact] && program.terms.links.map(\.name) == ["entry"])
        #expect(program.termPlaces["modes"]?.description == "Info.plist (WidgetContract.modes)")
    }

    @Test func `C10: Visibility follows the records of a bundle of the framework`() throws {
        let program = try Self.program(Self.whole)
        var instance = WidgetInstance(program)
        instance.send(.start)
        #expect(!instance.view().isVisible)
        _ = instance.settle()
        #expect(instance.view().isVisible)
    }

    @Test func `C8: A bundle of the framework answers the margins of its host`() throws {
        var instance = WidgetInstance(try Self.program(Self.whole))
        instance.send(.start)
        instance.show(
            in: Display(mode: .compact, insets: Insets(top: 0, leading: 47, bottom: 39, trailing: 0)),
            abilities: Set(HostAbility.allCases))
        #expect(instance.view().insets == Insets(top: 4, leading: 17, bottom: 39, trailing: 0))
    }

    @Test(arguments: [
        (
            "<string>all</string>",
            "Info.plist:26:1 (WidgetContract): error: WidgetContract is string, and has to be a dictionary [bad-value]"
        ),
        (
            "<dict><key>mode</key>\n<string>compact</string></dict>",
            "Info.plist:27:1 (WidgetContract.mode): warning: WidgetContract has no mode [unknown-key]; did you mean modes?"
        ),
        (
            "<dict><key>update</key><dict><key>interval</key>\n<real>inf</real></dict></dict>",
            "Info.plist:27:1 (WidgetContract.update.interval): error: interval of a update is \"inf\"; expected number [bad-payload]"
        ),
        (
            "<dict><key>visible</key>\n<string>count &gt;</string></dict>",
            "Info.plist:27:1 (WidgetContract.visible): error:"
        ),
        (
            "<dict><key>links</key><dict><key>a</key>\n<dict><key>pattern</key><string>a://b</string><key>scene</key><string>Log</string></dict></dict></dict>",
            "Info.plist:27:1 (WidgetContract.links.a): error: The link a leads to Log, which the bundle does not have [dead-link]"
        ),
    ]) func `A fault in the section is reported with its line, and the widget runs`(
        section: String, message: String
    ) throws {
        let program = try Self.program(section)
        let faults = program.diagnostics.filter { $0.place?.file == "Info.plist" }.map(\.description)
        #expect(faults.count == 1 && faults[0].hasPrefix(message), "\(faults)")
        var instance = WidgetInstance(program)
        #expect(instance.send(.start) == nil)
        _ = instance.settle()
        #expect(instance.view().isVisible)
    }

    @Test func `A section that is nested too deeply is not read, and says so`() throws {
        let nested = String(repeating: "<array>", count: 40) + String(repeating: "</array>", count: 40)
        let program = try Self.program("<dict><key>modes</key>\(nested)</dict>")
        #expect(program.diagnostics.contains { $0.code == .depthBudget && $0.place?.file == "Info.plist" })
        #expect(program.terms.modes.isEmpty)
    }

    // MARK: - A host that gives nothing else

    @Test func `C9: A widget is shown in its largest mode where the host wants one that it does not have`() throws {
        var instance = WidgetInstance(try Self.program(Self.whole))
        #expect(instance.environment.display.mode == .compact)
        #expect(!instance.diagnostics.contains { $0.code == .undeclaredMode })
        instance.show(in: Display(mode: .expanded), abilities: Set(HostAbility.allCases))
        #expect(instance.environment.display.mode == .compact)
        let faults = instance.diagnostics.filter { $0.code == .undeclaredMode }
        #expect(faults.map(\.message) == ["The widget has no mode expanded"])
        #expect(faults.first?.place?.line == 26)
        instance.show(in: Display(mode: .compact), abilities: [.input])
        #expect(instance.diagnostics.contains { $0.message == "The widget needs links, which this host lacks" })
    }

    @Test func `C17: The declared watch expression decides, unless the host has another`() throws {
        let program = try SampleBundle.widget("HarbourLog") { sources in
            LiveLog.sources(&sources)
            let manifest = String(decoding: sources["Info.plist"] ?? [], as: UTF8.self)
            let section =
                "<key>WidgetContract</key><dict><key>watch</key><string>entries.count</string></dict></dict>\n</plist>"
            sources["Info.plist"] = Array(manifest.replacing("</dict>\n</plist>", with: section).utf8)
        }.instance.program
        func digests(_ watched: TermExpression?) throws -> [DataUpdateAnswer?] {
            var instance = WidgetInstance(program)
            instance.watched = watched
            var driver = WidgetDriver(instance, clock: .script)
            return try [["Fog"], ["Fog and rain"], ["Fog and rain", "A ship"]].enumerated().map { number, titles in
                driver.beginUpdate(number, within: 10)
                try LiveLog.answer(&driver, LiveLog.answer(titles))
                return driver.takeUpdateAnswer()?.answer
            }
        }
        let declared = try digests(nil)
        #expect(declared[0] != nil && declared[0] == declared[1] && declared[1] != declared[2])
        let given = try digests(.value(.integer(1)))
        #expect(given[0] != nil && given[0] == given[1] && given[1] == given[2])
    }

    @Test func `A running widget has the interval and the links that it declares`()
        async throws
    {
        // The sample's own answers take a moment of its clock.
        let clock = ManualClock()
        let widget = RunningWidget(
            WidgetInstance(try Self.program(Self.whole)), network: DeniedNetwork(), clock: clock)
        await widget.start()
        async let first = widget.update()
        await widget.becomes { $0.data.counts.joined == 1 }
        await clock.step(by: .seconds(4))
        #expect(await first == .newData)
        let started = await widget.snapshot().data
        #expect((started.untilNext ?? 0) > 500, "\(started)")
        var result = await widget.open("harbour://log/2")
        if result == .pending {
            await clock.step(by: .seconds(4))
            result = await widget.snapshot().link ?? result
        }
        #expect(result == .handled)
        #expect(await widget.open("harbour://log/2", by: LinkRouter()) != .handled)
        await widget.stop()
        let own = RunningWidget(
            WidgetInstance(try Self.program(Self.whole)), network: DeniedNetwork(), policy: DataUpdatePolicy(),
            clock: clock)
        await own.start()
        async let second = own.update()
        await own.becomes { $0.data.counts.joined == 1 }
        await clock.step(by: .seconds(4))
        #expect(await second == .newData)
        #expect(await own.snapshot().data.untilNext == nil)
        await own.stop()
    }
}
