import Testing
import WidgetPredicates

@testable import WidgetCore

/// Goal: an event at a row means the row that a person saw, though the list has changed since. Method: lists that change between
/// the view and the event.
@Suite struct `A row and its key` {
    static func key(_ row: Int, _ program: Program, _ store: Store) throws -> ViewKey {
        let view = Evaluator(program).view(of: store, Environment())
        guard case .row(let key) = view.row(row, of: try #require(view.root.children.first).key) else {
            throw Missing()
        }
        return key
    }

    struct Missing: Error {}

    @Test func `A row is chosen by its key, though others have come before it`() throws {
        let (program, before) = try `A budget`.list(3)
        let key = try Self.key(1, program, before)
        var store = before
        store.records = try SampleModel.table([SampleModel.item("9", "a", group: "g")], in: store.records)
        store = Reducer.reduce(.time, store, in: program, Environment()).store
        #expect(try Self.key(2, program, store) == key)
        let chosen = Reducer.reduce(.select(key), store, in: program, Environment())
        #expect(chosen.refusal == nil)
        #expect(chosen.store.visible?.touched[0]?.member("name").shown == "n100001")
    }

    @Test func `A row that was deleted is refused, and no other one is deleted for it`() throws {
        var (program, store) = try `A budget`.list(3)
        var scene = try #require(program.scenes["main"])
        scene.nodes[0].list?.rules.mayDelete = Expression(.compiled(try CompiledExpression("TRUE")))
        program = `An action`.program(scene)
        store = Reducer.reduce(.start, Store(records: store.records), in: program, Environment()).store
        let key = try Self.key(1, program, store)
        let done = Reducer.reduce(.deleteRow(key), store, in: program, Environment())
        #expect(done.refusal == nil && done.store.records.count == store.records.count - 1)
        for event in [Event.deleteRow(key), .select(key), .tap(key)] {
            let again = Reducer.reduce(event, done.store, in: program, Environment())
            #expect(again.refusal == "the row is not in the list any longer")
            #expect(again.store.records.count == done.store.records.count)
        }
    }

    @Test func `Other elements than rows are refused, and so are keys that no row has`() throws {
        let (program, store) = try `A budget`.list(2)
        let row = try Self.key(0, program, store)
        func refusal(_ change: (inout ViewKey) -> Void) -> [String?] {
            var key = row
            change(&key)
            return [Event.select(key), .deleteRow(key)].map {
                Reducer.reduce($0, store, in: program, Environment()).refusal
            }
        }
        let (none, missing) = ("the element is not a row of a list", "the row is not in the list any longer")
        #expect(refusal { $0.item = nil } == [missing, missing])
        #expect(
            refusal {
                $0.node = 0; $0.item = nil
            } == [none, none])
        #expect(refusal { $0.node = 2 } == [none, none])
        #expect(refusal { $0.item?.turn = ItemKey.headerTurn } == [none, none])
        #expect(refusal { $0.item?.turn = 1 } == [missing, missing])
        #expect(refusal { $0.item?.number = .min } == [missing, missing])
        #expect(refusal { $0.item?.isRecord = false } == [missing, missing])
        #expect(refusal { $0.screen += 1 } == ["the element is not on the screen", "the element is not on the screen"])
    }

    // MARK: - Places

    static func row(_ number: Int, turn: Int = 0, children: [ViewNode] = []) -> ViewNode {
        ViewNode(
            ViewKey(screen: 1, node: 5, item: ItemKey(list: 2, number: number, isRecord: true, turn: turn)), .row,
            children: children)
    }

    static func view(_ rows: [ViewNode], kind: NodeKind = .list) -> View {
        let list = ViewNode(ViewKey(screen: 1, node: 2), kind, children: rows)
        return View(screen: "s", title: "", root: ViewNode(ViewKey(screen: 1, node: 0), .screen, children: [list]))
    }

    static let list = ViewKey(screen: 1, node: 2)

    static func number(_ row: CountedRow) -> Int? {
        guard case .row(let key) = row else { return nil }
        return key.item?.number
    }

    @Test(arguments: [NodeKind.list, .grid]) func `Rows are counted within sections, which begin with headers`(
        kind: NodeKind
    ) {
        let view = Self.view(
            [
                Self.row(7, turn: -1), Self.row(7), Self.row(8), Self.row(8, turn: -2), Self.row(9, turn: -1),
                Self.row(9),
            ],
            kind: kind)
        #expect(
            Self.number(view.row(1, of: Self.list)) == 8 && Self.number(view.row(0, inSection: 1, of: Self.list)) == 9)
        let place = view.place(ofRow: Self.row(9).key)
        #expect(place?.list == Self.list && place?.section == 1 && place?.row == 0)
        #expect(view.place(ofRow: Self.row(7, turn: -1).key) == nil)
        guard case .missing(let reason) = view.row(2, inSection: 0, of: Self.list) else {
            Issue.record("a row"); return
        }
        #expect(reason == "the list has no row 2, but 2 rows")
    }

    @Test func `Sections without headers are those of the source, and rows that repeat others are not counted`() {
        var view = Self.view([1, 2, 3].map { Self.row($0) })
        view.sections[2] = [.init(start: 0, count: 2, name: "a"), .init(start: 2, count: 1, name: "b")]
        #expect(Self.number(view.row(0, inSection: 1, of: Self.list)) == 3)
        #expect(view.place(ofRow: Self.row(2).key)?.row == 1)
        let endless = Self.view([Self.row(1), Self.row(2), Self.row(1, turn: 1), Self.row(2, turn: 1)])
        #expect(Self.number(endless.row(1, of: Self.list)) == 2 && Self.number(endless.row(2, of: Self.list)) == nil)
        #expect(endless.place(ofRow: Self.row(2, turn: 1).key)?.row == 1)
    }

    @Test func `An element within a row leads to the row`() {
        let label = ViewNode(ViewKey(screen: 1, node: 6, item: Self.row(1).key.item), .label)
        let view = Self.view([Self.row(1, children: [label])])
        #expect(view.row(around: label.key) == Self.row(1).key && view.row(around: Self.row(1).key) == Self.row(1).key)
        #expect(view.row(around: Self.list) == nil && view.row(around: ViewKey(screen: 9, node: 9)) == nil)
        #expect(view.place(ofRow: label.key) == nil)
    }
}
