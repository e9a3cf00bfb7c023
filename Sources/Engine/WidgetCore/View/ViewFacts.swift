internal import WidgetPredicates

/// The inputs of a view that all of its rows share. Rows are reused only where these are the same.
struct ViewFacts: Sendable {
    private let program: Program
    private let screen: Int
    private let environment: Environment
    private let hidden: [NodeID: Bool]
    private let refused: [NodeID: RefusedField]
    private let limits: [Int]
    private let focus: NodeID?
    private let chosen: [NodeID: Value]
    private let slots: [SlotKey: Value]

    init(_ scope: ScreenScope, hidden: [NodeID: Bool], _ budget: Budget) {
        program = scope.program
        screen = scope.screen.number
        // Rows that read the clock or a random number say so themselves.
        var environment = scope.environment
        (environment.now, environment.seed) = (0, 0)
        self.environment = environment
        self.hidden = hidden
        refused = scope.screen.refused
        limits = [budget.textByteCount, budget.depth, budget.rowCount, budget.bindingDepth]
        focus = scope.screen.focus
        chosen = scope.screen.touched
        slots = scope.screen.slots
    }

    func allowsRows(of other: ViewFacts) -> Bool {
        program === other.program && screen == other.screen && limits == other.limits && hidden == other.hidden
            && refused == other.refused && environment == other.environment
    }

    /// The elements that have lost and got the keyboard focus, and the lists with another chosen item.
    func movedMarks(since other: ViewFacts) -> [NodeID] {
        var moved = focus == other.focus ? [] : [focus, other.focus].compactMap { $0 }
        for list in Set(chosen.keys).union(other.chosen.keys) {
            let (now, before) = (chosen[list], other.chosen[list])
            if let now, let before, now.isIdentical(to: before) { continue }
            moved.append(list)
        }
        return moved
    }

    /// The outermost items with other typed or assigned values; `nil` for more than are looked up one by one.
    func editedItems(since other: ViewFacts) -> [ItemKey]? {
        if slots.isEmpty, other.slots.isEmpty { return [] }
        var edited: Set<ItemKey> = []
        func add(_ key: SlotKey) {
            guard var item = key.item else { return }
            while let outer = item.outer?.key { item = outer }
            edited.insert(item)
        }
        for (key, value) in slots where edited.count <= ViewFacts.editedCount {
            guard let old = other.slots[key]?.comparable(hasRecords: true), value.isUnchanged(from: old) else {
                add(key)
                continue
            }
        }
        for key in other.slots.keys where edited.count <= ViewFacts.editedCount && slots[key] == nil { add(key) }
        return edited.count > ViewFacts.editedCount ? nil : Array(edited)
    }

    private static let editedCount = 64
}
