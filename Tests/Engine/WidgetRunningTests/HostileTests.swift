import HostileWidgets
import Testing
import WidgetCore
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

/// Goal: no bundle hangs, fills or breaks the program that runs it. Method: bundles that try, each stopped by a named
/// limit, with the rest of the screen as it was. `make bench` measures the costs.
@Suite struct `A hostile bundle` {
    /// A tenth of what is usual, because programs for tests take ten times as long.
    private static let budget = Budget(
        byteCount: 400 << 10, textByteCount: 25 << 10, nodeCount: 12_000, rowCount: 2_000, unrestStepCount: 2_000,
        fuel: 200_000, recordCount: 10_000)

    @Test(arguments: try HostileWidget.all()) func `A hostile bundle is stopped by a limit with a name`(
        widget: HostileWidget
    ) async {
        let outcome = await widget.run(Self.budget)
        #expect(outcome.repeated.isEmpty, "what is wrong is said once, however often it happens")
        if let refusal = outcome.refusal {
            // Its first screen cannot be read, or a step of its script had no element.
            #expect(widget.codes.contains(.badFile), "\(refusal)")
        } else {
            #expect(!outcome.codes.isDisjoint(with: widget.codes), "\(outcome.codes)")
            for text in widget.intact { #expect(outcome.shown.contains(text), "\(outcome.shown.prefix(2_000))") }
        }
    }

    /// Documents that are schemes and service descriptions at once, spoilt in a few places.
    @Test(arguments: Corpus.files(in: "schemes")) func `A widget survives any damage to a good scheme`(good: Corpus)
        async throws
    {
        var chance = SeededGenerator(seed: 0x5EED)
        var widget = try HostileWidget("spoilt", stoppedBy: [])
        let words = [
            "null", "true", "-1", "1e308", "\"\"", "\"$content.name\"", "\"%@%@\"", "[]", "{}", "\"@self\"", "\"p\"",
            "\"t\"",
            "{\"from\": \"p.value\"}", "\"SELF\"", "\"nextAction\"",
        ]
        for round in 0..<40 {
            var bytes = good.bytes
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                let place = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: bytes[place] = UInt8.random(in: 32...126, using: &chance)
                case 1: bytes.removeSubrange(place..<min(place + 8, bytes.count))
                default:
                    // One value in place of another.
                    guard let start = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
                        let end = bytes[start...].firstIndex(where: {
                            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\n")
                        })
                    else { continue }
                    bytes.replaceSubrange(
                        (start + 1)..<end, with: Array((words.randomElement(using: &chance) ?? "").utf8))
                }
            }
            widget.files["LogViewController.json"] = bytes
            widget.files["StubService.json"] = bytes
            let first = await widget.run(Self.budget)
            let second = await widget.run(Self.budget)
            #expect(first.shown == second.shown && first.codes == second.codes, "round \(round)")
        }
    }
}

/// Goal: the cost of a script is proportional to its length. Method: scripts and screens that once took minutes.
@Suite struct `A long script` {
    @Test func `A script of 20,000 steps is read at once, and the place of an error in it is still reported`() throws {
        let steps = Array(repeating: #"{"wait": 0}"#, count: 20_000) + [#"{"bogus": 1}"#]
        do throws(WidgetError) {
            _ = try EventScript(Array("[\(steps.joined(separator: ",\n"))]".utf8))
            Issue.record("the last step is not a step")
        } catch {
            #expect("\(error)".contains("line 20001, column 1: {\"bogus\": 1} is not a step"))
        }
    }

    @Test(arguments: ["tap", "expect", "input"])
    func `A script with many combining marks on one letter is refused`(step: String) {
        let marks = "e" + String(repeating: "\u{301}\u{323}", count: 200_000)
        do throws(WidgetError) {
            _ = try EventScript(Array("[{\"\(step)\": \"\(marks)\", \"value\": \"\"}]".utf8))
            Issue.record("it takes hours to compare")
        } catch {
            #expect("\(error)".contains("more than 64 combining marks"))
        }
    }

    @Test func `A step that misses a name among 60,000 lists them all, each once`() {
        var place = 0
        let children = (0..<60_000).map { number in
            place += 1
            return ViewNode(ViewKey(screen: 0, node: place), .label, identifier: "element \(number / 2 * 2)")
        }
        let view = View(
            screen: "Main", title: "", root: ViewNode(ViewKey(screen: 0, node: 0), .box, children: children))
        let names = ElementSearch(view).names
        #expect(names.count == 30_000 && names.first == "element 0" && names.last == "element 59998")
    }
}
