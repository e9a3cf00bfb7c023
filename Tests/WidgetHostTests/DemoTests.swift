import Testing
import WidgetCore
import WidgetHost
import WidgetRender

@Suite(.enabled(if: DemoBundle.isThere)) struct `The demo bundle` {
    @Test func `prints`() throws {
        var demo = try WidgetInstance.demo()
        demo.send(.start)
        print(demo.text())
        let isAtRest = demo.settle(); #expect(isAtRest)
        print(demo.text())
        for entry in demo.log { print(entry.kind, entry.text) }
        for diagnostic in demo.diagnostics { print(diagnostic) }
    }
}
