import Testing

@testable import WidgetLive

@Suite("Limits of viewings") struct LiveLimitTests {
    @Test func `A limit of one address is below that of all`() {
        let limits = LiveLimits()
        #expect(limits.viewingsPerAddress < limits.viewings)
    }
}
