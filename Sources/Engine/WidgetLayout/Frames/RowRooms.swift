internal import WidgetCore

/// The room that texts keep in stacks, and in rows that rules make: that of the longest word, or of the beginning of the only line,
/// before texts of the same resistance keep theirs on one line. In a row that is too short for that, each part keeps an equal share
/// first, or the room of its words if that is less.
///
/// Pages keep the same (``StackPlanner``, ``RowBuilder``, ``RowNeeds``).
struct RowRooms {
    private let arranged: [[Int]]
    private let yields: TextYields
    private let rows: [PlacedRow]
    /// By box: the width of the longest word, or of the beginning of a line; `nil` for other things than texts in stacks and rows.
    private var words: [Double?]
    /// By box: the width below which words break or lines are cut off.
    private var narrowest: [Double]
    /// By box: the width with each text on one line.
    private(set) var widest: [Double]
    /// Controls in rows that have one width for all that they show, with that width.
    private var others: [(box: Int, width: Double, resistance: Float)] = []
    /// By box: true for a stack in which a line could be cut off without a word of it being broken.
    private var hasLine: [Bool]
    /// By box: true for a stack in a row.
    private var isInRow: [Bool]

    /// Above the resistance of a text, the part of a level by which its longest word resists more.
    private static let word: Float = 0.4
    /// The same for shares of rows that are too short: above the word of the strongest text.
    private static let share: Float = 0.42
    /// The same for controls that have one width for all that they show, and give no room to texts.
    private static let other: Float = 0.44
    /// Lengths that differ by less are the same.
    private static let slack = 0.05

    init(
        _ system: LayoutSystem, _ arranged: [[Int]], _ rows: [PlacedRow], _ yields: TextYields,
        _ sizes: inout ContentSizes
    ) {
        self.arranged = arranged
        self.rows = rows
        self.yields = yields
        words = Array(repeating: nil, count: system.boxes.count)
        narrowest = Array(repeating: 0, count: system.boxes.count)
        widest = narrowest
        hasLine = Array(repeating: false, count: system.boxes.count)
        isInRow = hasLine
        guard !rows.isEmpty || system.boxes.contains(where: { $0.isRuled && $0.look?.stack != nil }) else { return }
        let members = Set(rows.flatMap { $0.members })
        // Those inside first.
        for index in system.boxes.indices.reversed() where system.boxes[index].isRuled {
            let box = system.boxes[index]
            if let stack = box.look?.stack { measure(index, stack, system) }
            if index > 0, system.boxes[box.parent].look?.stack != nil || members.contains(index) {
                measure(index, box, system, &sizes)
            }
            if let width = system.rules.fixedLength(box.node, .horizontal) {
                (narrowest[index], widest[index], hasLine[index]) = (width, width, false)
            }
        }
    }

    /// Measures a stack by its children.
    private mutating func measure(_ index: Int, _ stack: StackGeometry, _ system: LayoutSystem) {
        let children = arranged[index]
        let isRow = stack.axis == .horizontal
        let around = isRow ? gaps(index, system) : margins(index, system)
        func width(_ widths: [Double]) -> Double { around + (isRow ? widths.reduce(0, +) : widths.max() ?? 0) }
        narrowest[index] = width(children.map { narrowest[$0] })
        widest[index] = width(children.map { widest[$0] })
        hasLine[index] = children.contains { hasLine[$0] || narrowest[$0] > words[$0] ?? narrowest[$0] }
        isInRow[index] = index > 0 && system.boxes[system.boxes[index].parent].look?.stack?.axis == .horizontal
    }

    /// Measures a box by its text, or by its size.
    private mutating func measure(
        _ index: Int, _ box: LayoutSystem.Box, _ system: LayoutSystem, _ sizes: inout ContentSizes
    ) {
        guard box.look?.stack == nil, let width = box.size.width else { return }
        (narrowest[index], widest[index]) = (width, width)
        guard let text = box.text, WeakestTexts.isText(box.kind) else {
            let isRow = system.boxes[box.parent].look?.stack?.axis == .horizontal
            if isRow, RowNeeds.points(box.kind, box.look) > 0, !box.kind.hasOneSize {
                let resistance = box.geometry?.resistance ?? Priorities.resistance
                others.append((index, width, resistance.horizontal))
            }
            return
        }
        if RowRooms.isLine(box) {
            words[index] = min(width, SystemMeasures.cutLine * text.font.size)
        } else {
            var longest = sizes.longestWord(of: text)
            if box.kind == .button {
                // What lies around its title stays, and it is wide enough to be touched.
                longest += max(width - sizes.size(of: text).width, 0)
                longest = max(longest, min(width, SystemMeasures.leastButton))
            }
            (words[index], narrowest[index]) = (longest, longest)
        }
    }

    private static func isLine(_ box: LayoutSystem.Box) -> Bool { box.kind == .label && box.text?.most == 1 }

    private func margins(_ index: Int, _ system: LayoutSystem) -> Double {
        guard system.boxes[index].look?.stack?.isMarginsRelative ?? false else { return 0 }
        let margins = system.margins(index)
        return margins.left + margins.right
    }

    private func gaps(_ row: Int, _ system: LayoutSystem) -> Double {
        let spacing = max(system.boxes[row].look?.stack?.spacing ?? 0, 0)
        return spacing * Double(max(arranged[row].count - 1, 0)) + margins(row, system)
    }

    // MARK: - Rules

    func add(_ forms: RuleForms, _ shortRows: ShortRows, _ add: (LevelRule) -> Void) {
        for (index, word) in words.enumerated() {
            guard let word, let resistance = yields.weakest[index] else { continue }
            add(least(index, word, resistance - yields[index], forms))
        }
        for index in hasLine.indices where hasLine[index] && isInRow[index] {
            guard let resistance = yields.weakest[index] else { continue }
            add(least(index, narrowest[index], resistance - yields[index], forms))
        }
        for other in others { add(least(other.box, other.width, other.resistance, forms, RowRooms.other)) }
        for (index, share) in shortRows.shares.sorted(by: { $0.key < $1.key }) {
            add(least(index, share.width, share.resistance, forms, RowRooms.share))
        }
    }

    private func least(
        _ index: Int, _ width: Double, _ resistance: Float, _ forms: RuleForms, _ more: Float = RowRooms.word
    ) -> LevelRule {
        forms.form(index, .width).plus(-width).rule(
            .greaterOrEqual, level: min(resistance + more, LevelRule.required - 1))
    }

    // MARK: - Rows that are too short

    /// The parts of rows that are too short for their words.
    struct ShortRows {
        fileprivate var rows: Set<Int> = []
        fileprivate var shares: [Int: (width: Double, resistance: Float)] = [:]

        fileprivate func isSame(as other: ShortRows) -> Bool {
            rows == other.rows
                && shares.allSatisfy { abs($1.width - (other.shares[$0]?.width ?? .infinity)) < RowRooms.slack }
        }
    }

    /// Finds the rows that are too short, now that their widths are known.
    ///
    /// - Returns: true if they are others, or shorter, than before.
    func update(_ shortRows: inout ShortRows, _ system: LayoutSystem) -> Bool {
        var found = ShortRows()
        var widths = system.boxes.map { $0.frame.width }
        // Those around first: what lies in a part has the room that the part will have.
        for row in system.boxes.indices where system.boxes[row].isRuled && yields.weakest[row] != nil {
            guard let stack = system.boxes[row].look?.stack, stack.axis == .horizontal,
                stack.distribution != .fillEqually, stack.distribution != .fillProportionally
            else { continue }
            let room = widths[row] - gaps(row, system)
            share(row, arranged[row], room, &widths, wasShort: shortRows.rows.contains(row), system, &found)
        }
        for row in rows {
            let (room, wasShort) = (widths[row.around] - row.gaps, shortRows.rows.contains(row.key))
            share(row.key, row.members, room, &widths, wasShort: wasShort, system, &found)
        }
        defer { shortRows = found }
        return !found.isSame(as: shortRows)
    }

    private func share(
        _ row: Int, _ children: [Int], _ length: Double, _ widths: inout [Double], wasShort: Bool,
        _ system: LayoutSystem, _ found: inout ShortRows
    ) {
        var (room, parts, lines) = (length, [Int](), [Int]())
        for child in children {
            let box = system.boxes[child]
            if system.rules.isFixed(box.node, .horizontal) {
                room -= narrowest[child]
            } else if yields.weakest[child] == nil {
                room -= RowNeeds.points(box.kind, box.look)
            } else if RowRooms.isLine(box) {
                room -= words[child] ?? 0
                lines.append(child)
            } else {
                parts.append(child)
            }
        }
        guard !parts.isEmpty, parts.count + lines.count > 1 else { return }
        let share = max(room / Double(parts.count), 0)
        let kept = parts.map { ($0, min(narrowest[$0], share)) } + lines.map { ($0, words[$0] ?? 0) }
        guard wasShort || kept.contains(where: { widths[$0] < $1 - RowRooms.slack }) else { return }
        found.rows.insert(row)
        let resistance = (parts + lines).reduce(0) { max($0, yields.weakest[$1] ?? 0) }
        for (part, width) in kept {
            found.shares[part] = (width, resistance)
            if !wasShort { widths[part] = width < narrowest[part] ? width : max(widths[part], width) }
        }
    }
}
