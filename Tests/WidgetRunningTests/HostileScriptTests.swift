import Testing
import WidgetCore
import WidgetRunning

/// Goal: a script costs what is in it. Method: scripts and screens that took minutes.
@Suite struct `A long script` {
    @Test func `of 20,000 steps is read at once, and the place of what is wrong is still told`() throws {
        let steps = Array(repeating: #"{"wait": 0}"#, count: 20_000) + [#"{"bogus": 1}"#]
        do throws(WidgetError) {
            _ = try EventScript(Array("[\(steps.joined(separator: ",\n"))]".utf8))
            Issue.record("the last step is none")
        } catch {
            #expect("\(error)".contains("line 20001, column 1: {\"bogus\": 1} is no step"))
        }
    }

    @Test(arguments: ["tap", "expect", "input"])
    func `with many combining marks on one letter is refused`(step: String) {
        let marks = "e" + String(repeating: "\u{301}\u{323}", count: 200_000)
        do throws(WidgetError) {
            _ = try EventScript(Array("[{\"\(step)\": \"\(marks)\", \"value\": \"\"}]".utf8))
            Issue.record("it takes hours to compare")
        } catch {
            #expect("\(error)".contains("more than 64 combining marks"))
        }
    }

    @Test func `that misses a name among 60,000 is told them all, each once`() {
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
