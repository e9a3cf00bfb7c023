import Predicates
import Testing
import WidgetCore
import WidgetRunning

/// Goal: a widget that never comes to rest, and a host that never listens, cost no more than they may. Method: a timer
/// that turns as often as it can, and buttons tapped again and again.
@Suite struct `A widget without rest` {
    static func widget(_ budget: Budget) -> WidgetInstance {
        var scene = Scene("main", nodes: [Node(.button)])
        scene.nodes[0].events[.tap] = [.open(.literal(.string("https://x.example")))]
        scene.onLoad = [.every(name: "t", seconds: 0.1, [.assign(.content, .literal(.integer(1)))])]
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: true)],
            initial: "main")
        return WidgetInstance(program, budget: budget)
    }

    @Test func `is late, and that is said`() {
        var calm = Self.widget(Budget())
        calm.send(.start)
        calm.advance(by: 10)
        #expect(calm.diagnostics.isEmpty)
        var hasty = Self.widget(Budget(unrestStepCount: 50))
        hasty.send(.start)
        hasty.advance(by: 100)
        let turns = hasty.log.count { $0.kind == .timer }
        #expect(hasty.diagnostics.map(\.code) == [.stepBudget] && turns <= 50 && hasty.environment.now == 100)
        hasty.advance(by: 0.5)
        #expect(hasty.log.count { $0.kind == .timer } - turns < 10, "what was missed is not made up for")
    }

    @Test func `is heard out for its last wishes and words alone`() {
        var widget = Self.widget(Budget())
        widget.send(.start)
        let key = ViewKey(screen: widget.store.visible?.number ?? 0, node: 0)
        for _ in 0..<250 { widget.send(.tap(key)) }
        let opened = widget.takeEffects().count { if case .open = $0 { true } else { false } }
        #expect(opened == 200 && widget.takeEffects().isEmpty)
        for _ in 0..<60 { widget.advance(by: 10) }
        #expect(widget.log.count <= 5_000)
    }
}
