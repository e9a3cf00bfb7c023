import HostileWidgets
import TestSupport
import Testing
import WidgetCore

/// Goal: nothing that is authored stops, fills or breaks whoever runs it. Method: bundles that try, each stopped by a
/// limit that is named, with the rest of the screen as it was. What that costs is measured by `make bench`.
@Suite struct `A hostile bundle` {
    /// A tenth of what is usual, because programs for tests take ten times as long.
    private static let budget = Budget(
        byteCount: 400 << 10, textByteCount: 25 << 10, nodeCount: 12_000, rowCount: 2_000, unrestStepCount: 2_000,
        fuel: 200_000, recordCount: 10_000)

    @Test(arguments: try HostileWidget.all()) func `is stopped by a limit with a name`(widget: HostileWidget) async {
        let outcome = await widget.run(Self.budget)
        #expect(outcome.repeated.isEmpty, "what is wrong is said once, however often it happens")
        if let refusal = outcome.refusal {
            // What it begins with cannot be read, or a step of its script had nothing to do.
            #expect(widget.codes.contains(.badFile), "\(refusal)")
        } else {
            #expect(!outcome.codes.isDisjoint(with: widget.codes), "\(outcome.codes)")
            for text in widget.intact { #expect(outcome.shown.contains(text), "\(outcome.shown.prefix(2_000))") }
        }
    }

    /// Documents that are schemes and service descriptions at once, spoilt in a few places.
    @Test(arguments: Corpus.files(in: "schemes")) func `is survived however a good one is spoilt`(good: Corpus)
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
