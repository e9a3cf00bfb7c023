import Files
import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: a host loads, keeps and drives widgets, and its refusals say why.
@Suite struct `A host` {
    @Test(.enabled(if: DemoBundle.isThere))
    func `defect 3: refuses an identifier that is not the bundle's with a typed error`() {
        #expect(throws: WidgetError.identifierMismatch(expectedPrefix: "mobi.favio.WidgetDemo", found: "mobi.other")) {
            _ = try DemoBundle.program(identifier: "mobi.other")
        }
    }

    @Test(.enabled(if: DemoBundle.isThere)) func `keeps records and settings, each widget its own`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let first = try DrivenWidget.demo().started()
        first.send(.setting("showAvatars", .boolean(true)))
        try first.save(to: "\(scratch.path)/one.sqlite")
        let kept = try RecordStore(path: "\(scratch.path)/one.sqlite").load(model: first.program.model)
        #expect(kept.records.count == first.store.records.count)
        #expect(kept.defaults["showAvatars"]?.truth ?? false)
        for record in first.store.records.all {
            #expect(kept.records[record.id]?.isIdentical(to: record) ?? false)
        }
        let again = try DrivenWidget.demo(store: kept)
        again.send(.start)
        #expect(again.view().title == "Favio Mobile" && again.column("timeLabel").count == 6)
        #expect(try RecordStore(path: "\(scratch.path)/two.sqlite").load(model: first.program.model).records.count == 0)
    }

    @Test func `says of every value on the screen where it came from`() throws {
        let widget = try MediatorTestWidget.values()
        let evaluator = Evaluator(widget.program)
        var unexplained: [String] = []
        var origins: Set<String> = []
        widget.view().visit { node in
            for property in node.properties {
                let found = evaluator.explanation(of: property.name, at: node.key, in: widget.store, widget.environment)
                if let found {
                    origins.insert("\(found.origin)")
                    if !found.value.isIdentical(to: property.value) {
                        unexplained.append("\(node.key) \(property.name)")
                    }
                } else if node.key.node >= 0, property.name.name != "focused" {
                    unexplained.append("\(node.key) \(property.name)")
                }
            }
            return true
        }
        #expect(unexplained.isEmpty && origins == ["authored", "bound", "given"])
    }

    @Test func `plays a script, and names the step that fails`() async throws {
        let script = try EventScript(
            Array(
                #"[{"expect": "Harbour Log"}, {"snapshot": "log"}, {"select": "tableView", "row": 0}, {"expect": "nowhere"}]"#
                    .utf8))
        let widget = try SampleBundle.widget("HarbourLog")
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        do throws(WidgetError) {
            try await run.play(script)
            Issue.record("the last step must fail")
        } catch {
            #expect("\(error)".contains("step 4") && run.output.hasPrefix("== log\n"))
        }
    }

    @Test(arguments: [
        "", "{}", "[5]", #"[{"tap": 5}]"#, #"[{"input": "a"}]"#, #"[{"select": "a", "row": 1.5}]"#, #"[{"wait": -1}]"#,
    ])
    func `refuses a script that is none`(text: String) {
        #expect(throws: WidgetError.self) { _ = try EventScript(Array(text.utf8)) }
    }
}
