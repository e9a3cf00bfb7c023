internal import WidgetCore

/// A sum of variables and a number.
struct LinearForm {
    var terms: [LevelRule.Term] = []
    var constant = 0.0

    static func - (first: LinearForm, second: LinearForm) -> LinearForm { first.plus(second, times: -1) }

    func plus(_ other: LinearForm, times factor: Double = 1) -> LinearForm {
        var sum = self
        for term in other.terms { sum.terms.append(LevelRule.Term(term.variable, term.factor * factor)) }
        sum.constant += other.constant * factor
        return sum
    }

    func plus(_ constant: Double) -> LinearForm {
        var sum = self
        sum.constant += constant
        return sum
    }

    func rule(
        _ relation: LevelRule.Relation = .equal, level: Float = LevelRule.required, tag: Int = -1
    ) -> LevelRule {
        LevelRule(terms, constant, relation, level: level, tag: tag)
    }
}

/// The variables of boxes, and attributes of boxes in terms of them.
struct RuleForms {
    enum Part: Int { case x, y, width, height }

    /// The first of the four variables of each box that is solved; -1 for others.
    private(set) var firsts: [Int]
    /// Likewise for the content of boxes that scroll.
    private(set) var contents: [Int: Int] = [:]
    private(set) var count = 0
    private let width: Double
    private let height: Double?

    init(_ system: LayoutSystem) {
        width = system.surroundings.width
        height = system.surroundings.height
        firsts = Array(repeating: -1, count: system.boxes.count)
        for (index, box) in system.boxes.enumerated() where box.isRuled {
            firsts[index] = count
            count += 4
        }
        for (index, box) in system.boxes.enumerated() where box.isRuled && box.isScrolling {
            contents[index] = count
            count += 4
        }
    }

    func variable(_ box: Int, _ part: Part) -> Int { firsts[box] + part.rawValue }

    func form(_ box: Int, _ part: Part, content: Bool = false) -> LinearForm {
        if content, let first = contents[box] {
            return LinearForm(terms: [LevelRule.Term(first + part.rawValue, 1)])
        }
        if box == 0 {
            switch part {
            case .x, .y: return LinearForm()
            case .width: return LinearForm(constant: width)
            case .height: if let height { return LinearForm(constant: height) }
            }
        }
        return LinearForm(terms: [LevelRule.Term(variable(box, part), 1)])
    }

    /// An attribute of an area of a box.
    ///
    /// - Parameter baseline: the distance of the first or last baseline from the box's middle, for boxes with text.
    func form(
        _ box: Int, _ attribute: LayoutRule.Attribute, _ insets: AreaInsets = AreaInsets(), content: Bool = false,
        isRightToLeft: Bool = false, baseline: Double? = nil
    ) -> LinearForm {
        let isHorizontal = attribute.axis == .horizontal
        let start = form(box, isHorizontal ? .x : .y, content: content)
        let length = form(box, isHorizontal ? .width : .height, content: content)
        let (before, after) = isHorizontal ? (insets.left, insets.right) : (insets.top, insets.bottom)
        switch attribute {
        case .leading: return isRightToLeft ? start.plus(length).plus(-after) : start.plus(before)
        case .trailing: return isRightToLeft ? start.plus(before) : start.plus(length).plus(-after)
        case .left, .top: return start.plus(before)
        case .right, .bottom: return start.plus(length).plus(-after)
        case .width, .height: return length.plus(-before - after)
        case .centerX, .centerY: return start.plus(length, times: 0.5).plus((before - after) / 2)
        case .firstBaseline, .lastBaseline:
            guard let baseline else { return start.plus(length) }
            return start.plus(length, times: 0.5).plus(baseline)
        }
    }
}
