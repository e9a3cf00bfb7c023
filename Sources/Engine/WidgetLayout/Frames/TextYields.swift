internal import WidgetCore

/// The order in which texts of equal resistance give way in rows that are too short: texts that can have more lines before
/// those of one line, and of each sort the first. What lies in stacks gives way before the texts beside them. In rows that rules
/// make, those that hug their content less give way before all others.
///
/// Pages have the same order (``StackPlanner``, ``RowBuilder``).
struct TextYields {
    /// By box: the part of a level by which it resists less than its author wrote.
    private var yields: [Float]
    /// By box: the resistance of a text, and in a stack that of its weakest one; `nil` for what holds no text.
    private(set) var weakest: [Float?]

    subscript(box: Int) -> Float { yields[box] }

    /// The ranks that pages can tell from each other.
    private static let rankCount = 5
    /// The step from one rank to the next, in the row around all others and in each row inside it. The smallest that is
    /// added to a level must not be lost in rounding.
    private static let steps: [Float] = [0.04, 0.007, 0.001]

    /// - Parameter arranged: the children of each stack (``LayoutSystem/arranged``).
    init(_ system: LayoutSystem, _ arranged: [[Int]], _ rows: [PlacedRow]) {
        let boxes = system.boxes
        yields = Array(repeating: 0, count: boxes.count)
        weakest = Array(repeating: nil, count: boxes.count)
        // Those inside come behind those around them.
        for index in boxes.indices.reversed() {
            if WeakestTexts.isText(boxes[index].kind) {
                weakest[index] = (boxes[index].geometry?.resistance ?? Priorities.resistance).horizontal
            } else if boxes[index].look?.stack != nil {
                weakest[index] = arranged[index].compactMap { weakest[$0] }.min()
            }
        }
        var depths = Array(repeating: 0, count: boxes.count)
        for index in boxes.indices {
            guard let stack = boxes[index].look?.stack else { continue }
            let isRow = stack.axis == .horizontal
            for child in arranged[index] {
                (yields[child], depths[child]) = (yields[index], depths[index] + (isRow ? 1 : 0))
            }
            guard isRow, depths[index] < TextYields.steps.count else { continue }
            let strengths = arranged[index].enumerated().compactMap { place, child in
                weakest[child].map { (child, TextStrength($0, boxes[child].kind, boxes[child].look, place)) }
            }
            guard strengths.count > 1 else { continue }
            for (rank, (child, _)) in strengths.sorted(by: { $0.1 > $1.1 }).enumerated() {
                yields[child] += Float(min(rank, TextYields.rankCount - 1)) * TextYields.steps[depths[index]]
            }
        }
        for row in rows {
            let strengths = row.members.enumerated().map { place, child in
                (child, TextStrength(boxes[child].kind, boxes[child].look, place))
            }
            for (rank, (child, _)) in strengths.sorted(by: { $0.1 > $1.1 }).enumerated() {
                yields[child] = Float(min(rank, TextYields.rankCount - 1)) * TextYields.steps[0]
            }
        }
    }
}

/// The strength with which a text, or a stack with texts, keeps its width among others in a row.
struct TextStrength: Hashable, Comparable {
    private var resistance: Float
    private var hugging: Float = 0
    private var sort: Sort
    private var place: Int

    private enum Sort: Int { case stack, lines, line, other }

    init(_ resistance: Float, _ kind: NodeKind, _ look: Look?, _ place: Int) {
        self.resistance = resistance
        self.place = place
        switch kind {
        case .label: sort = look?.appearance.lines ?? 1 == 1 ? .line : .lines
        case .button: sort = .line
        default: sort = look?.stack == nil ? .other : .stack
        }
    }

    /// A member of a row that rules make, by its own priorities.
    init(_ kind: NodeKind, _ look: Look?, _ place: Int) {
        self.init((look?.geometry.resistance ?? Priorities.resistance).horizontal, kind, look, place)
        hugging = (look?.geometry.hugging ?? Priorities.hugging).horizontal
    }

    static func < (one: TextStrength, other: TextStrength) -> Bool {
        (one.resistance, one.hugging, one.sort.rawValue, one.place)
            < (other.resistance, other.hugging, other.sort.rawValue, other.place)
    }
}
