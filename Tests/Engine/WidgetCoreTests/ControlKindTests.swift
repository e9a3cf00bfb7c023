import Testing
import WidgetCore
import WidgetPredicates

/// Goal: one row holds everything that the runtime knows about a kind of control. Method: the rows as text, and widgets
/// with one control of each kind.
@Suite struct `The table of kinds` {
    private static let kinds: [NodeKind] = [
        .box, .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments,
        .picker, .datePicker, .pageControl, .activity, .progress, .web, .list, .grid, .row, .sectionHeader,
        .sectionFooter, .bar, .barTitle, .tabs, .tab, .form, .screen, .constraint, .unknown("map"),
    ]

    @Test func `Each kind has a different name, and an unknown one has the author's`() {
        #expect(Set(Self.kinds.map(\.row.name)).count == Self.kinds.count)
        #expect(NodeKind.unknown("map").row.name == "map" && !NodeKind.unknown("map").row.traits.isPrinted)
    }

    @Test func `The table of kinds says what a person can change, and how`() {
        let controls = Self.kinds.filter(\.row.isControl)
        #expect(
            Set(controls) == [
                .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .picker, .datePicker,
                .pageControl,
            ])
        #expect(Set(Self.kinds.filter(\.row.holdsTypedText)) == [.textField, .textArea, .searchField])
        #expect(Set(Self.kinds.filter { $0.row.typing == .lines }) == [.textArea])
        #expect(controls.allSatisfy { $0.row.traits.hasValue }, "what can be changed is read aloud")
    }

    private static func program(_ kind: NodeKind, _ properties: [(PropertyName, Value)]) -> Program {
        var scene = Scene("main", nodes: [Node(kind, identifier: "control")])
        for (name, value) in properties { scene.nodes[0][name] = .literal(value) }
        scene.nodes[0].events[.change] = [.assign(.content, .literal(.string("changed")))]
        return Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main")
    }

    /// The spoken value of a control after an input, or the reason of its refusal.
    private static func given(
        _ value: Value, _ kind: NodeKind, _ properties: [(PropertyName, Value)]
    ) throws -> (value: String?, refusal: String?, hasChanged: Bool) {
        let program = program(kind, properties)
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        let key = ViewKey(screen: try #require(store.visible).number, node: 0)
        let done = Reducer.reduce(.input(key, value), store, in: program, Environment())
        let view = Evaluator(program).view(of: done.store, Environment())
        let node = AccessibleNode(view.root).children.first
        return (node?.value, done.refusal, done.store.visible?.content.shown == "changed")
    }

    private static let planets: (PropertyName, Value) = (
        .titles, .array(["Mercury", "Venus", "Earth"].map { .string($0) })
    )

    @Test(arguments: [NodeKind.picker, .segments])
    func `A choice is fitted by title or by place`(kind: NodeKind) throws {
        for (value, shown) in [
            (Value.string("Earth"), "Earth"), (.integer(1), "Venus"), (.integer(7), "Earth"), (.double(0.6), "Venus"),
        ] {
            let done = try Self.given(value, kind, [Self.planets])
            #expect(done.value == shown && done.refusal == nil && done.hasChanged)
        }
        let refused = try Self.given(.string("Pluto"), kind, [Self.planets, (.value, .integer(0))])
        #expect(refused.value == "Mercury" && !refused.hasChanged)
        #expect(refused.refusal == "Pluto is not a value for a \(kind.row.name)")
    }

    @Test func `Numbers are fitted between their limits, and truth into switches`() throws {
        #expect(try Self.given(.integer(9), .slider, []).value == "1")
        #expect(try Self.given(.integer(9), .stepper, [(.maximum, .integer(5))]).value == "5")
        #expect(try Self.given(.integer(9), .pageControl, [(.pageCount, .integer(4))]).value == "3")
        #expect(try Self.given(.string("yes"), .toggle, []).value == "on")
        #expect(try Self.given(.string("1815-12-10"), .datePicker, []).value?.hasPrefix("1815-12-10") ?? false)
        #expect(try Self.given(.string("soon"), .datePicker, []).refusal != nil)
    }

    @Test func `Keys move values by the step of their kind, and leave all others`() {
        func moved(_ kind: NodeKind, _ properties: [(PropertyName, Value)], _ direction: Double = 1) -> Double? {
            let node = ViewNode(
                ViewKey(screen: 1, node: 0), kind, properties: properties.map { ViewProperty($0.0, $0.1) })
            return kind.row.value(of: node, moved: direction)?.number
        }
        #expect(moved(.slider, [(.value, .double(0.5))]) == 0.55)
        #expect(moved(.slider, [(.minimum, .integer(10)), (.maximum, .integer(50)), (.value, .integer(20))]) == 22)
        #expect(moved(.stepper, [(.step, .integer(3)), (.value, .integer(4))], -1) == 1)
        #expect(moved(.picker, [(.value, .integer(1))]) == 2 && moved(.segments, [], -1) == -1)
        #expect(moved(.pageControl, [(.value, .integer(1))]) == 2)
        for kind in Self.kinds where ![.slider, .stepper, .picker, .segments, .pageControl].contains(kind) {
            #expect(moved(kind, []) == nil, "\(kind)")
        }
    }

    @Test func `Names of properties are equal when they are spelled the same`() {
        #expect(PropertyName("text") == .text && PropertyName("text") != .value)
        #expect(Set([PropertyName("a"), PropertyName("a"), PropertyName("b")]).count == 2)
    }
}

/// Goal: the front end determines the authored names. Method: expressions that use names of a test's vocabulary.
@Suite struct `A vocabulary` {
    private static func text(_ path: String, _ vocabulary: Vocabulary) throws -> String {
        var scene = Scene("main", nodes: [Node(.box), Node(.label), Node(.textField, identifier: "field")])
        scene.nodes[0].children = [1, 2]
        scene.nodes[1][.text] = try Expression(keyPath: path)
        scene.nodes[2][.text] = .literal(.string("typed"))
        scene.nodes[2]["own.colour"] = .literal(.string("red"))
        scene.nodes[2].fieldName = "name"
        scene.names = ["field": .node(2)]
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: false)],
            initial: "main", vocabulary: vocabulary)
        let store = Reducer.reduce(.start, Store(model: .empty), in: program, Environment()).store
        return AccessibleNode(Evaluator(program).view(of: store, Environment()).root).children.first?.name ?? ""
    }

    @Test func `A vocabulary decides what an element can be asked for`() throws {
        let vocabulary = Vocabulary(
            keys: ["words": .init(.text), "isOpen": .init(.readOnly, isInverse: true)], valueKey: "main",
            facts: [
                "parameter": .fieldName, "filled": .fieldValue, "own": .attachments(prefix: "own."), "me": .element,
            ])
        for (path, expected) in [
            ("field.words", "typed"), ("field.main", "typed"), ("field.parameter", "name"), ("field.filled", "typed"),
            ("field.own.colour", "red"), ("field.own.identifier", "field"), ("field.me.words", "typed"),
            ("field.isOpen", "1"),
        ] {
            let shown = try Self.text(path, vocabulary)
            #expect(shown == expected, "\(path)")
            let unknown = try Self.text(path, Vocabulary(valueKey: "none"))
            #expect(unknown.isEmpty || path == "field.isOpen", "\(path)")
        }
    }

    @Test func `A vocabulary says who may delete a row, and what others are told`() throws {
        var scene = Scene("main", nodes: [Node(.list), Node(.row)])
        scene.sources = [Source("p", .query(RecordQuery(entity: "Item", sort: [try RecordQuery.SortKey("name")])))]
        scene.nodes[0].list = ListTemplate(source: "p")
        scene.nodes[0].list?.prototypes = ["Row": 1]
        let table = try SampleModel.table([SampleModel.item("1", "mine"), SampleModel.item("2", "theirs")])
        func deleted(_ row: Int) throws -> (count: Int, refusal: String?) {
            let program = `An action`.program(scene)
            let store = Reducer.reduce(.start, Store(records: table), in: program, Environment()).store
            let list = ViewKey(screen: try #require(store.visible).number, node: 0)
            let view = Evaluator(program).view(of: store, Environment())
            guard case .row(let key) = view.row(row, of: list) else { return (-1, "no row is there") }
            let done = Reducer.reduce(.deleteRow(key), store, in: program, Environment())
            return (done.store.records.count, done.refusal)
        }
        #expect(try deleted(0) == (2, "rows cannot be deleted here"))
        scene.nodes[0].list?.rules.mayDelete = Expression(
            .compiled(try CompiledExpression("TERNARY(content.name == 'mine', TRUE, FALSE)")))
        scene.nodes[0].list?.rules.deletionRefusal = "not yours"
        #expect(try deleted(0) == (1, nil))
        #expect(try deleted(1) == (2, "not yours"))
    }
}
