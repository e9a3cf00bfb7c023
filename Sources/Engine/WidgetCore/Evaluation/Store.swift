package import WidgetPredicates

/// The state of a widget: its records, its open screens and the values typed into them. It is a value, so a copy is a
/// snapshot.
package struct Store: Sendable {
    package var records: RecordTable
    /// The settings that were set. Only these are saved.
    package var defaults: [String: Value] = [:] {
        didSet { settings = Store.settings(defaults, initialSettings) }
    }
    /// The program's values of settings that are not set.
    package var initialSettings: [String: Value] = [:] {
        didSet { settings = Store.settings(defaults, initialSettings) }
    }
    /// All settings as a dictionary, for expressions.
    package private(set) var settings = PredicateDictionary()
    /// A stack; the last is visible. Those behind the tabs that are not chosen lie below those of the chosen tab.
    package var screens: [Screen] = []
    package var alerts: [Alert] = []
    package var timers: [PendingTimer] = []
    package var requests: [PendingRequest] = []
    /// The values that the host keeps beyond the widget's life.
    package var cache = CacheMemory()
    /// The values of the first screen's parameters, as its host gives them.
    package var parameters = Value.null
    var answers = AnswerCache()
    /// The records that scripted services have answered with.
    var scripted = ScriptedAnswers()
    var nextNumber = 1
    /// The items that were revealed so far.
    var revealCount = 0

    package init(model: EntityModel) {
        records = RecordTable(model: model)
    }

    package init(records: RecordTable) {
        self.records = records
    }

    private static func settings(_ own: [String: Value], _ initial: [String: Value]) -> PredicateDictionary {
        // A setting that was set to nothing is as good as one that was not set.
        let all = initial.merging(own.filter { !$0.value.isNull }) { $1 }
        return PredicateDictionary(all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    package var visible: Screen? { screens.last }

    /// The time of the next timer, or of the next cached value that expires.
    package var nextDeadline: Double? {
        let next = min(timers.lazy.map { $0.due }.min() ?? .infinity, cache.nextExpiry)
        return next.isFinite ? next : nil
    }

    /// True if no request and no timer due within a minute is pending. Repeating timers do not count.
    package func isSettled(now: Double) -> Bool {
        requests.isEmpty && !timers.contains { $0.due - now < 60 && $0.isOneShot }
    }

    mutating func number() -> Int {
        defer { nextNumber += 1 }
        return nextNumber
    }

    func place(ofScreen number: Int) -> Int? { screens.firstIndex { $0.number == number } }
}

/// An open screen.
package struct Screen: Sendable {
    package let number: Int
    package let scene: String
    /// The presentation level. A presented screen begins a new level, and a pushed screen has that of the one below.
    package let level: Int
    package internal(set) var hasBar: Bool
    /// The tabs in whose stacks it lies, the outermost first: a bar of tabs may be presented from a tab of another.
    package var tabs: [TabPlace] = []
    package var content: Value = .null
    package var title: Value = .null
    package var slots: [SlotKey: Value] = [:]
    package var sources: [String: SourceState] = [:]
    /// The states of data sources that were asked.
    package var data: [String: DataState] = [:]
    package var statuses: [String: StatusState] = [:]
    /// The states of actions, by their ids, from their first run on.
    package var actions: [String: StatusState] = [:]
    package var arguments: [String: Value] = [:]
    package var selection: [NodeID: [Value]] = [:]
    /// The last touched row of each list that does not collect choices.
    package var touched: [NodeID: Value] = [:]
    /// The item that was revealed last.
    package var revealed: RevealedPlace?
    /// The element with the keyboard focus.
    package var focus: NodeID?
    /// The item of that element, if it is repeated.
    var focusItem: ItemKey?
    /// The fields that forms have refused, until the forms are sent.
    package var refused: [NodeID: RefusedField] = [:]
    package var searching: [String: String] = [:]
    /// The steps that wait for its result.
    var opener: ScreenOpener?
    /// The states that steps have changed.
    package var states: [String: Value] = [:]
    /// The sizes of those, so that a change of one item need not look at all others.
    var stateExtents: [String: ValueExtent] = [:]
    /// The last results of observed expressions, by their index among the scene's observations.
    var observed: [Int: Value] = [:]
    /// The elements with steps for coming and going that are shown.
    var mounted: [MountedElement] = []
    /// False until the elements of the opened screen have come.
    var isMounted = false
    /// Those that have come at least once.
    var known: Set<SlotKey> = []

    /// The items that a list shows as chosen.
    func chosen(in list: NodeID) -> [Value] { (selection[list] ?? []) + (touched[list].map { [$0] } ?? []) }
}

/// The form that has refused a field, and whether the form demands a value of it.
package struct RefusedField: Equatable, Sendable {
    package var form: NodeID
    package var isMandatory: Bool
}

/// The key of a property with a typed or assigned value.
package struct SlotKey: Hashable, Sendable {
    package var node: NodeID
    package var property: PropertyName
    package var item: ItemKey?

    package init(_ node: NodeID, _ property: PropertyName, item: ItemKey? = nil) {
        self.node = node
        self.property = property
        self.item = item
    }
}

/// The key of a list's item.
package struct ItemKey: Hashable, Sendable {
    /// The list.
    package var list: NodeID
    /// The record's number; for other items, their index.
    package var number: Int
    package var isRecord: Bool
    /// The repetition, for items that are shown several times. The header and the footer of a section are about its
    /// first item.
    package var turn: Int
    /// The item that this one lies in.
    package var outer: OuterItem?

    package static let headerTurn = -1
    package static let footerTurn = -2

    package init(list: NodeID, number: Int, isRecord: Bool, turn: Int = 0, outer: ItemKey? = nil) {
        self.outer = outer.map(OuterItem.init)
        self.list = list
        self.number = number
        self.isRecord = isRecord
        self.turn = turn
    }
}

/// The key of an item that another one lies in.
package final class OuterItem: Hashable, Sendable {
    package let key: ItemKey

    init(_ key: ItemKey) {
        self.key = key
    }

    package static func == (first: OuterItem, second: OuterItem) -> Bool { first.key == second.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

package struct SourceState: Sendable {
    package enum Items: Sendable {
        case records([RecordID])
        case values([Value])

        package var count: Int {
            switch self {
            case .records(let ids): ids.count
            case .values(let values): values.count
            }
        }
    }

    package struct Section: Equatable, Sendable {
        package var start: Int
        package var count: Int
        package var name: String
    }

    package var items = Items.values([])
    package var sections: [Section] = []
    package var search = ""
    package var filter: CompiledPredicate?
    package var master: Value = .null
    /// The number of changes of the answer.
    package var revision = 0
    package var isFetched = false
    /// True if items in memory have been dropped.
    package var isReset = false
    /// The records that the answer was computed from.
    var table: RecordTable?
    var conditions: QueryConditions?

    package init() {}

    /// The initial state of a source.
    package init(_ source: Source) {
        search = source.search
    }
}

package struct StatusState: Equatable, Sendable {
    package var isInProgress = false
    package var isSuccess = false
    package var isFailure = false
    package var error: String?
    package var progress: Double?

    package init() {}
}

package struct Alert: Sendable {
    package var number: Int
    package var title: String
    package var message: String
    package var button: String
    /// Its buttons, if it has others than that one.
    var answers: [AlertReply] = []
    /// The context of their steps.
    var frame: StepFrame?

    init(number: Int, title: String, message: String, button: String) {
        (self.number, self.title, self.message, self.button) = (number, title, message, button)
    }
}

package struct PendingTimer: Sendable {
    enum Purpose: Sendable {
        case steps([Step], StepFrame, name: String, every: Double?)
        case response(request: Int, RequestOutcome)
        case resend(request: Int)
    }

    package var number: Int
    package var due: Double
    var screen: Int?
    var purpose: Purpose

    /// True if the timer fires once. Repeating timers do not keep a widget from settling.
    package var isOneShot: Bool {
        if case .steps(_, _, _, let every) = purpose { every == nil } else { true }
    }
}

package struct PendingRequest: Sendable {
    package var number: Int
    /// The identifier by which steps can cancel it.
    package var id: String
    package var action: String
    package var service: String
    var argument: Value
    var sender: SenderKey?
    var screen: Int?
    /// The data source or call that it was made for.
    var origin: RequestOrigin?
    /// The cause of a request of documents; `nil` for one of a scheme.
    var cause: RequestCause?
    /// The number of chained requests before this one.
    var chained: Int
    var request: ServiceRequest
    /// The number of attempts that reached no server.
    var attempts = 0
    /// The provisional record, which the record of the answer replaces.
    var provisional: RecordID?
    /// True if its answer replaces what the action answered with before its description was changed.
    var replaces = false

    /// The action with what it asks: screens ask the same action about different things.
    var scriptKey: String {
        var identity = argument.shown
        if case .object(let object) = argument { identity = object.value(forKey: "objectId")?.text ?? identity }
        return "\(service) \(action) \(request.url) \(identity)"
    }
}

/// The sender of an action: an element of a screen.
package struct SenderKey: Hashable, Sendable {
    var screen: Int
    var node: NodeID
}

/// The outcome of a request.
package enum RequestOutcome: Sendable {
    case response(status: Int, body: Value)
    /// The server says that its answer from before is still right. The body is that answer's.
    case notModified(body: Value)
    /// The body of the response is not JSON.
    case unreadable(status: Int, message: String)
    /// The server is busy and asks for a retry in so many seconds.
    case postponed(status: Int, body: Value, seconds: Int)
    /// No server has seen the request.
    case failure(String)
    /// The request was sent, and no answer came: what the server has done is not known.
    case unanswered(String)

    /// The body of an answer that can be used, now or the same as before.
    var usableBody: Value? {
        switch self {
        case .response(200..<300, let body), .notModified(let body): body
        case .response, .unreadable, .postponed, .failure, .unanswered: nil
        }
    }
}

/// The context of steps.
struct StepFrame: Sendable {
    var screen: Int
    /// The item of the row, and the row's prototype.
    var item: ItemKey?
    var content: Value?
    var prototype: NodeID?
    var sender: NodeID?
    /// The node whose surroundings expressions see, in scenes with local values.
    var scopeNode: NodeID?
    /// The form that uploads its media, in place of the usual sender.
    var uploader: NodeID?
    var argument: Value = .null
    /// True if the steps run because a screen has opened, and not because of an event after that.
    var isOpening = false
}

// MARK: - From one program to another

extension Store {
    /// This store, moved to another program. Records of kinds that both programs know keep the values that fit. Screens
    /// keep the values typed into elements of the same name.
    package func moved(from old: Program, to new: Program) -> Store {
        var store = Store(records: moved(records, to: new.model))
        store.defaults = defaults
        store.initialSettings = new.settings
        store.nextNumber = nextNumber
        store.revealCount = revealCount
        store.cache = cache
        store.parameters = parameters
        store.scripted = scripted.keeping { store.records[$0] != nil }
        for (screen, before, scene) in screens(of: old, in: new) {
            store.screens.append(store.moved(screen, from: before, to: scene))
        }
        return store
    }

    /// An open screen, moved to another scene, whose elements are known by their names.
    func moved(_ screen: Screen, from before: Scene, to scene: Scene) -> Screen {
        var kept = Screen(
            number: screen.number, scene: screen.scene, level: screen.level, hasBar: screen.hasBar, tabs: screen.tabs)
        kept.content = screen.content.moved(to: records)
        kept.statuses = Dictionary(scene.statuses.map { ($0.id, StatusState()) }) { first, _ in first }
        // In order, because several slots can move to one.
        for (key, value) in screen.slots.sorted(by: { $0.key.node < $1.key.node }) where key.item == nil {
            guard let name = before.node(key.node)?.identifier, case .node(let id) = scene.names[name] else {
                continue
            }
            kept.slots[SlotKey(id, key.property)] = value
        }
        for (key, value) in screen.slots {
            guard let moved = SlotKey(key, from: before, to: scene) else { continue }
            kept.slots[moved] = value
        }
        for source in scene.sources {
            guard let state = screen.sources[source.id] else { continue }
            kept.sources[source.id, default: SourceState()].search = state.search
            kept.sources[source.id, default: SourceState()].filter = state.filter
        }
        for source in scene.data {
            guard let state = screen.data[source.id], let old = before.data(source.id), source.asksTheSame(as: old)
            else { continue }
            kept.data[source.id] = state
            // Requests do not move with a screen.
            kept.data[source.id]?.status.isInProgress = false
        }
        kept.searching = screen.searching
        for (name, value) in screen.states where scene.states[name] != nil {
            kept.states[name] = value.moved(to: records)
            kept.stateExtents[name] = screen.stateExtents[name]
        }
        kept.observed = scene.observed(from: before, screen.observed)
        kept.mounted = screen.mounted.compactMap { element in
            MountedElement.key(element.key, from: before, to: scene).map {
                MountedElement(key: $0, item: element.item)
            }
        }
        kept.known = Set(screen.known.compactMap { MountedElement.key($0, from: before, to: scene) })
        return kept
    }

    /// The state with which a run begins again: this one, which is that of its start, moved to the present program.
    ///
    /// Numbers continue, so that no answer to an earlier request is taken for one to a new request. Settings that were
    /// set since the start are set to nothing, so that saving them forgets their values.
    package func begunAgain(from old: Program, to new: Program, after last: Store) -> Store {
        var store = moved(from: old, to: new)
        store.nextNumber = max(nextNumber, last.nextNumber)
        store.revealCount = last.revealCount
        store.cache = last.cache
        for name in last.defaults.keys where store.defaults[name] == nil { store.defaults[name] = .null }
        return store
    }

    private func moved(_ table: RecordTable, to model: EntityModel) -> RecordTable {
        var edit = RecordEdit(RecordTable(model: model))
        // The numbers of records that the new program does not know stay reserved.
        edit.reserve(table.nextID - 1)
        for record in table.all {
            let entity = table.model.entities[record.entity]
            guard let place = model.place(of: entity.name) else { continue }
            let known = model.entities[place]
            var fields = Record(id: record.id, new: place, of: model).fields
            for (slot, property) in known.properties.enumerated() {
                guard let before = entity.slot(property.name), entity.properties[before].isSameKind(as: property) else {
                    continue
                }
                fields[slot] = record.fields[before]
            }
            edit.restore(Record(id: record.id, entity: place, fields: fields))
        }
        return edit.table
    }
}

extension SlotKey {
    /// The same slot of an item in another scene, if list and element are known there by their names.
    init?(_ old: SlotKey, from before: Scene, to scene: Scene) {
        guard let item = old.item, item.outer == nil, before.node(item.list)?.repetition?.key != nil,
            let list = before.node(item.list)?.identifier, let name = before.node(old.node)?.identifier,
            case .node(let newList) = scene.names[list], case .node(let node) = scene.names[name],
            scene.node(newList)?.repetition?.key != nil
        else { return nil }
        self.init(
            node, old.property, item: ItemKey(list: newList, number: item.number, isRecord: false, turn: item.turn))
    }
}

extension EntityModel.Property {
    fileprivate func isSameKind(as other: EntityModel.Property) -> Bool {
        switch (self, other) {
        case (.attribute(let first), .attribute(let second)): first.kind == second.kind
        case (.relationship(let first), .relationship(let second)):
            first.destination == second.destination && first.isToMany == second.isToMany
        default: false
        }
    }
}
