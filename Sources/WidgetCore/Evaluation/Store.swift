package import Predicates

/// What has become of a widget: its records, its open screens and what was typed into them. A value: a copy
/// is that moment.
package struct Store: Sendable {
    package var records: RecordTable
    /// The user's settings.
    package var defaults: [String: Value] = [:] {
        didSet {
            settings = PredicateDictionary(defaults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
    }
    /// The same, as expressions see them.
    private(set) var settings = PredicateDictionary()
    /// From the first to the one that is seen.
    package var screens: [Screen] = []
    package var alerts: [Alert] = []
    package var timers: [PendingTimer] = []
    package var requests: [PendingRequest] = []
    var answers = AnswerCache()
    var nextNumber = 1

    package init(model: EntityModel) {
        records = RecordTable(model: model)
    }

    package init(records: RecordTable) {
        self.records = records
    }

    package var visible: Screen? { screens.last }

    /// When something will happen by itself.
    package var nextDeadline: Double? { timers.map(\.due).min() }

    /// Whether nothing is under way that will change anything within the minute.
    package func isAtRest(now: Double) -> Bool {
        requests.isEmpty && !timers.contains { $0.due - now < 60 && $0.isMomentous }
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
    /// Screens presented over each other have different levels; within one they were pushed.
    package let level: Int
    package let hasBar: Bool
    package var content: Value = .null
    package var title: Value = .null
    package var slots: [SlotKey: Value] = [:]
    package var sources: [String: SourceState] = [:]
    package var statuses: [String: StatusState] = [:]
    /// Of actions, by their ids; there is one after the first run.
    package var actions: [String: StatusState] = [:]
    package var arguments: [String: Value] = [:]
    package var selection: [NodeID: [Value]] = [:]
    /// The row of each list that was touched last, where lists do not collect what is chosen.
    package var touched: [NodeID: Value] = [:]
    /// Where text is being typed.
    package var focus: NodeID?
    /// Fields that were asked for and are missing.
    package var missing: Set<NodeID> = []
    package var searching: [String: String] = [:]
    /// What observed expressions gave last, in the order of the scene's observations.
    var observed: [Int: Value] = [:]

    /// What a list shows as chosen.
    func chosen(in list: NodeID) -> [Value] { (selection[list] ?? []) + (touched[list].map { [$0] } ?? []) }
}

/// A property that has been given a value, by a person who typed it or by an assignment.
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

/// Which of a list's items.
package struct ItemKey: Hashable, Sendable {
    /// The list.
    package var list: NodeID
    /// A record's number, or the place of what is no record.
    package var number: Int
    package var isRecord: Bool
    /// Which time, where items come more than once.
    package var turn: Int

    package init(list: NodeID, number: Int, isRecord: Bool, turn: Int = 0) {
        self.list = list
        self.number = number
        self.isRecord = isRecord
        self.turn = turn
    }
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
    /// Counts the answers that were different.
    package var revision = 0
    package var isFetched = false
    /// Whether items in memory have been dropped.
    package var isReset = false
    /// What the answer was made from.
    var table: RecordTable?
    var conditions: QueryConditions?

    package init() {}

    /// As a source begins.
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

package struct Alert: Equatable, Sendable {
    package var number: Int
    package var title: String
    package var message: String
    package var button: String
}

package struct PendingTimer: Sendable {
    enum Purpose: Sendable {
        case steps([Step], StepFrame, name: String, every: Double?)
        case response(request: Int, Outcome)
        case resend(request: Int)
    }

    package var number: Int
    package var due: Double
    var screen: Int?
    var purpose: Purpose

    /// Whether the timer fires once. Repeating timers do not keep a widget from settling.
    package var isMomentous: Bool {
        if case .steps(_, _, _, let every) = purpose { every == nil } else { true }
    }
}

package struct PendingRequest: Sendable {
    package var number: Int
    /// What it can be cancelled by.
    package var id: String
    var action: String
    var service: String
    var argument: Value
    var sender: SenderKey?
    var screen: Int?
    /// How often a chain has called the next.
    var chained: Int
    var request: Request
    /// How often no server could be reached.
    var attempts = 0
    /// The record that stands in for the one that the answer will bring.
    var provisional: RecordID?
}

/// Who asked for something: an element of a screen.
package struct SenderKey: Hashable, Sendable {
    var screen: Int
    var node: NodeID
}

/// How a request ended.
package enum Outcome: Sendable {
    case response(status: Int, body: Value)
    /// A body that is no JSON.
    case unreadable(status: Int, message: String)
    /// The server is busy, and wants to be asked again in so many seconds.
    case postponed(status: Int, body: Value, seconds: Int)
    /// No server has seen the request.
    case failure(String)
    /// The request was sent, and no answer came: what the server has done is not known.
    case unanswered(String)
}

/// From where steps are taken.
struct StepFrame: Sendable {
    var screen: Int
    /// The item whose row it was, and that row's prototype.
    var item: ItemKey?
    var content: Value?
    var prototype: NodeID?
    var sender: NodeID?
    /// The form that sends what it has taken, in place of the usual sender.
    var uploader: NodeID?
    var argument: Value = .null
}

// MARK: - From one program to another

extension Store {
    /// What a store of one program is to another: records whose kinds both know stay with the values that fit, and
    /// screens stay with what was typed into elements of the same name.
    package func moved(from old: Program, to new: Program) -> Store {
        var store = Store(records: moved(records, to: new.model))
        store.defaults = defaults
        store.nextNumber = nextNumber
        for screen in screens {
            guard let scene = new.scenes[screen.scene], let before = old.scenes[screen.scene] else { break }
            var kept = Screen(number: screen.number, scene: screen.scene, level: screen.level, hasBar: screen.hasBar)
            kept.content = screen.content.moved(to: store.records)
            kept.statuses = Dictionary(scene.statuses.map { ($0.id, StatusState()) }) { first, _ in first }
            // In their order, as several can go to one.
            for (key, value) in screen.slots.sorted(by: { $0.key.node < $1.key.node }) where key.item == nil {
                guard let name = before.node(key.node)?.identifier, case .node(let id) = scene.names[name] else {
                    continue
                }
                kept.slots[SlotKey(id, key.property)] = value
            }
            for source in scene.sources {
                guard let state = screen.sources[source.id] else { continue }
                kept.sources[source.id, default: SourceState()].search = state.search
                kept.sources[source.id, default: SourceState()].filter = state.filter
            }
            kept.searching = screen.searching
            store.screens.append(kept)
        }
        // Screens from one on that is gone would have nothing to return to.
        return store
    }

    private func moved(_ table: RecordTable, to model: EntityModel) -> RecordTable {
        var edit = RecordEdit(RecordTable(model: model))
        // What the new one does not know is still kept, under its number.
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
