import WidgetCore
import WidgetDocuments
import WidgetPredicates
import WidgetRender

/// Any bytes give a widget that can be shown and touched everywhere, or a refusal; and the same when everything is done
/// again, with rows of earlier views or without. No limit is exceeded, and each policy for bad elements holds.
///
/// The input is the first document, another one that it can push and host, and a component.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocument(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    for policy in ElementPolicy.allCases {
        let first = driven(bytes, policy)
        precondition(first == driven(bytes, policy), "the same events do not give the same bytes")
    }
    return 0
}

private func driven(_ bytes: [UInt8], _ policy: ElementPolicy) -> [UInt8] {
    var input = DocumentInput(
        identifier: "fuzz",
        documents: [
            DocumentFile(path: "Main.widgets.json", name: "Main", bytes: bytes),
            DocumentFile(path: "Other.widgets.json", name: "Other", bytes: bytes),
        ], first: "Main")
    input.components = [DocumentFile(path: "components/part.json", name: "part", bytes: bytes)]
    input.policy = policy
    // Inputs are small; so are the limits, or most of the time would go to what is stopped anyway.
    input.limits.nodeCount = 2_000
    input.limits.settingCount = 5_000
    let program: Program
    do {
        program = try DocumentReader.program(input)
    } catch {
        return Array("\(error)".utf8)
    }
    for scene in program.scenes.values {
        precondition(scene.nodes.count <= input.limits.nodeCount, "a screen has more nodes than its limit")
        for (id, node) in scene.nodes.enumerated() {
            precondition(
                node.children.allSatisfy { $0 != id && scene.node($0)?.parent == id }, "a child has another parent")
        }
    }
    let budget = Budget(nodeCount: 2_000, rowCount: 200, stepCount: 300, unrestStepCount: 1_000, fuel: 50_000)
    var store = Store(model: program.model)
    var environment = Environment(now: 551_217_600)
    func send(_ event: Event) {
        store = Reducer.reduce(event, store, in: program, environment, budget: budget).store
    }
    send(.start)
    var shown: [UInt8] = []
    var cache = EvaluationCache()
    let evaluator = Evaluator(program, budget: budget)
    for round in 0..<3 {
        let view = evaluator.view(of: store, environment)
        checkReuse(evaluator, store, environment, &cache, view)
        shown += ViewJSON.document(view, size: (375, 667)) + Array(ViewText(width: 60).text(view).utf8)
        var keys: [ViewKey] = view.alerts.map(\.key)
        view.visit { node in
            if !node.events.isEmpty || node.kind.row.isControl || node.kind == .list { keys.append(node.key) }
            return keys.count < 12
        }
        for key in keys {
            switch round {
            case 0: send(.tap(key))
            case 1: send(.input(key, .string("a\"\\$content.name%@")))
            default:
                var row = key
                if case .row(let found) = view.row(0, of: key) { row = found }
                send(.select(row))
            }
            if round < 2 { checkReuse(evaluator, store, environment, &cache) }
        }
        environment.now += 60
        send(.time)
    }
    send(.back)
    checkReuse(evaluator, store, environment, &cache)
    return shown
}

/// A view whose rows come from the one before is the same as a view that is evaluated anew.
private func checkReuse(
    _ evaluator: Evaluator, _ store: Store, _ environment: Environment, _ cache: inout EvaluationCache,
    _ fresh: View? = nil
) {
    let fresh = fresh ?? evaluator.view(of: store, environment)
    let reused = evaluator.view(of: store, environment, cache: &cache)
    // Not by their difference: an element that is shown as a text is another object in each view.
    precondition(
        ViewJSON.document(fresh, size: (375, 667)) == ViewJSON.document(reused, size: (375, 667)),
        "a view differs from the one without a cache")
    precondition(fresh.diagnostics == reused.diagnostics, "the faults differ from those without a cache")
}
