import CWidgetLinux
import HostileWidgets
import JSONText
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Measures running widgets: from an archive to the first text and JSON, and one change in a long list.

func measured(_ count: Int, _ body: () throws -> Void) rethrows -> (median: Double, best: Double) {
    var times: [Double] = []
    let clock = ContinuousClock()
    for _ in 0..<count {
        let time = try clock.measure(body)
        times.append(Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3)
    }
    times.sort()
    return (times[count / 2], times[0])
}

func line(_ what: String, _ time: (median: Double, best: Double), _ note: String = "") {
    func shown(_ value: Double) -> String { NumberFormat.fixed(value, digits: 3) }
    print("\(what): median \(shown(time.median)) ms, best \(shown(time.best)) ms \(note)")
}

func list(_ count: Int) throws -> (Program, Store) {
    let item = EntityModel.Entity(
        "Item",
        properties: ["id", "name", "group", "note"].map {
            .attribute(EntityModel.Attribute($0, .string, jsonKeyPath: [$0]))
        }, identity: ["id"])
    let model = EntityModel([item])
    var scene = Scene("main", nodes: [Node(.list), Node(.row), Node(.label), Node(.label), Node(.label)])
    scene.sources = [
        Source(
            "p",
            .query(
                RecordQuery(
                    entity: "Item", predicate: try CompiledPredicate("name != nil"),
                    sort: [try RecordQuery.SortKey("name")]))
        )
    ]
    scene.nodes[0].list = ListTemplate(source: "p")
    scene.nodes[0].list?.prototypes = ["Cell": 1]
    scene.nodes[1].children = [2, 3, 4]
    for id in 1...4 { scene.nodes[id].prototype = 1 }
    scene.nodes[2][.text] = try Expression(keyPath: "content.name")
    scene.nodes[3][.text] = try Expression(keyPath: "content.group")
    scene.nodes[4][.text] = try Expression(keyPath: "content.note")
    var action = ServiceAction(
        "one", url: Template("https://example.com/", .keys), parameters: StructuredTemplate(.null))
    action.result = .init(entity: "Item", isArray: false)
    let program = Program(
        identifier: "bench", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
        initial: "main", model: model, services: [Service("S", actions: ["one": action])])
    var mapper = RecordMapper(
        RecordEdit(RecordTable(model: model)), transformers: Transformers(), environment: Environment())
    _ = try mapper.store(
        (0..<count).map { index in
            .dictionary(
                PredicateDictionary(
                    [("id", "\(index)"), ("name", "name \(100_000 + index)"), ("group", "group"), ("note", "a note")]
                        .map { ($0.0, .string($0.1)) }))
        }, as: "Item")
    let store = Store(records: mapper.edit.table)
    return (program, Reducer.reduce(.start, store, in: program, Environment()).store)
}

func benchList() throws {
    let (program, start) = try list(10_000)
    let evaluator = Evaluator(program)
    line("10,000 rows, first view", measured(5) { _ = evaluator.view(of: start, Environment()) })
    var cache = EvaluationCache()
    var view = evaluator.view(of: start, Environment(), cache: &cache)
    var store = start
    let slot = program.model["Item"]?.slot("note") ?? 0
    var round = 0
    var bytes = 0
    var rows = 0
    let time = measured(201) {
        round += 1
        var edit = RecordEdit(store.records)
        edit.set(slot, of: 5_000, to: .string("note \(round)"))
        store.records = edit.table
        store = Reducer.reduce(.time, store, in: program, Environment()).store
        let next = evaluator.view(of: store, Environment(), cache: &cache)
        let patch = ViewJSON.document(next.difference(from: view))
        view = next
        bytes = patch.count
        rows = cache.reevaluatedRows
    }
    line("10,000 rows, one field changes", time, "(\(bytes) bytes of patch, \(rows) row evaluated again)")
}

func benchArchive(_ path: String) throws {
    func first() throws -> (WidgetInstance, Program) {
        let program = try BundleReading.program(of: try BundleSource(opening: path).take().opened)
        var instance = WidgetInstance(program, environment: Environment(now: 551_217_600))
        instance.send(.start)
        _ = instance.settle()
        return (instance, program)
    }
    try line(
        "archive to first text, all of it",
        measured(11) {
            var (instance, _) = try first()
            _ = ViewText().text(instance.view())
        })
    try line(
        "archive to first JSON, all of it",
        measured(11) {
            var (instance, _) = try first()
            _ = ViewJSON.document(instance.view(), size: (375, 667))
        })
    let taken = try BundleSource(opening: path).take()
    func unpacked() throws -> WidgetInstance {
        let program = try BundleReading.program(of: taken.opened)
        var instance = WidgetInstance(program, environment: Environment(now: 551_217_600))
        instance.send(.start)
        _ = instance.settle()
        return instance
    }
    try line(
        "unpacked bundle to first JSON",
        measured(21) {
            var instance = try unpacked()
            _ = ViewJSON.document(instance.view(), size: (375, 667))
        })
    try line(
        "unpacked bundle to first text",
        measured(21) {
            var instance = try unpacked()
            _ = ViewText().text(instance.view())
        })
    var (instance, _) = try first()
    line("warm view to text", measured(101) { _ = ViewText().text(instance.view()) })
    line("warm view to JSON", measured(101) { _ = ViewJSON.document(instance.view(), size: (375, 667)) })
    let frames = ViewFrames(instance.program, PrintOptions())
    line("warm view to frames", measured(101) { _ = frames.document(instance.view()) })
    // The cost of one more widget: each with a separate program, seen once; and each sharing the program of the others.
    var instances: [WidgetInstance] = []
    for isShared in [false, true] {
        instances = []
        let count = 200
        let before = linux_resident_bytes()
        for _ in 0..<count {
            var one = instance
            if isShared {
                one = WidgetInstance(instance.program, environment: Environment(now: 551_217_600))
                one.send(.start)
                _ = one.settle()
            } else {
                one = try unpacked()
            }
            _ = one.view()
            instances.append(one)
        }
        let each = (linux_resident_bytes() - before) / Int64(count) / 1_024
        print("memory per instance, program \(isShared ? "shared" : "its own"): \(each) KiB (\(count) instances)")
    }
}

switch CommandLine.arguments.dropFirst().first {
case "hostile-names": for widget in try HostileWidget.all() { print(widget.name) }
case "hostile-bundles": try HostileFiles.write(into: CommandLine.arguments.last ?? "")
case "hostile": try await benchHostile(CommandLine.arguments.last ?? "")
case "scenes": try PageBench.scenes(CommandLine.arguments.dropFirst(2).first)
case "rows": try PageBench.rows()
case "documents":
    try DocumentTimes.list(keyed: false)
    try DocumentTimes.list(keyed: true)
    try DocumentTimes.swiftList()
case "hostile-document-names": for document in HostileDocument.all { print(document.name) }
case "hostile-document": DocumentTimes.hostile(CommandLine.arguments.last ?? "")
case "archive": try PageBench.archive(CommandLine.arguments.last ?? "")
default:
    try benchList()
    guard CommandLine.arguments.count < 2 || CommandLine.arguments[1] != "list" else { break }
    if CommandLine.arguments.count > 1 { try benchArchive(CommandLine.arguments[1]) }
}
