import HostileWidgets
import TestSupport
import Testing
import WidgetCore

/// Goal: nothing that is authored stops, fills or breaks whoever runs it. Method: bundles that try, each stopped by a
/// limit that is named, with the rest of the screen as it was. What that costs is measured by `make bench`.
@Suite struct `A hostile bundle` {
    @Test(arguments: try HostileWidget.all()) func `is stopped by a limit with a name`(widget: HostileWidget) async {
        // A tenth of what is usual, because programs for tests take ten times as long.
        let outcome = await widget.run(
            Budget(
                byteCount: 400 << 10, textByteCount: 25 << 10, nodeCount: 12_000, rowCount: 2_000,
                unrestStepCount: 2_000,
                fuel: 200_000, recordCount: 10_000))
        if let refusal = outcome.refusal {
            // What it begins with cannot be read, or a step of its script had nothing to do.
            #expect(widget.codes.contains(.badFile), "\(refusal)")
        } else {
            #expect(!outcome.codes.isDisjoint(with: widget.codes), "\(outcome.codes)")
            for text in widget.intact { #expect(outcome.shown.contains(text), "\(outcome.shown.prefix(2_000))") }
        }
    }
}
