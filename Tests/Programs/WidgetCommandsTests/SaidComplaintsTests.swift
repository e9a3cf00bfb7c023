import Testing
import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetTestSupport

@testable import WidgetCommands

/// Goal: a fault of a page is said once for a save. Method: saves, and pages on several threads that have faults.
@Suite struct `Faults that pages show` {
    private static func complaint(_ number: Int) -> BundleComplaint { BundleComplaint(.error, "fault \(number)") }

    private let printed = Guarded("")
    private let said: SaidComplaints

    init() {
        let printed = printed
        said = SaidComplaints(
            Terminal(
                output: TerminalStream { $0.count },
                error: TerminalStream { bytes in
                    printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                    return bytes.count
                }))
    }

    private func count(_ number: Int) -> Int {
        printed.withLock { $0.split(separator: "\n").count { $0 == "error: fault \(number)" } }
    }

    @Test func `A fault is said once, and again when it comes back after a save without it`() {
        for _ in 0..<2 { said.say([Self.complaint(1)], of: 0) }
        said.say([Self.complaint(1)], of: said.begin())
        #expect(count(1) == 1)
        _ = said.begin()
        said.say([Self.complaint(1)], of: said.begin())
        #expect(count(1) == 2)
    }

    @Test func `A page that still shows the save before does not hide a fault that comes back`() {
        said.say([Self.complaint(1)], of: 0)
        _ = said.begin()
        said.say([Self.complaint(1), Self.complaint(2)], of: 0)
        #expect(count(1) == 1 && count(2) == 1)
        said.say([Self.complaint(1), Self.complaint(2)], of: said.begin())
        #expect(count(1) == 2 && count(2) == 2)
    }

    @Test func `Each fault is said once while pages on other threads have faults and the source is saved`() {
        together(5) { thread in
            for number in 0..<200 {
                if thread == 4 {
                    _ = said.begin()
                } else {
                    said.say([Self.complaint(thread * 200 + number)], of: number)
                }
            }
        }
        #expect((0..<800).allSatisfy { count($0) == 1 })
    }
}
