internal import WidgetCore

/// The rules that a stack view makes for the children that it arranges.
struct StackRules {
    private let stack: Int
    private let geometry: StackGeometry
    private let system: LayoutSystem
    private let forms: RuleForms
    private let arranged: [[Int]]
    private let children: [Int]
    private let insets: AreaInsets
    /// By box: the width with each text on one line.
    private let widest: [Double]

    /// Distances that are as short as possible, and centres that are equally far apart.
    private static let tight: Float = 49
    private static let centering: Float = 150
    /// Below what an author requires: lengths that are equal.
    private static let sharing: Float = 999.5
    /// Children with a common first baseline lie at the top of a stack that is higher, those with a last one at the bottom.
    private static let resting: Float = 25

    /// - Parameter arranged: the children of each stack (``LayoutSystem/arranged``).
    init(_ stack: Int, _ arranged: [[Int]], _ system: LayoutSystem, _ forms: RuleForms, widest: [Double]) {
        self.stack = stack
        self.widest = widest
        self.system = system
        self.forms = forms
        geometry = system.boxes[stack].look?.stack ?? StackGeometry()
        self.arranged = arranged
        children = arranged[stack]
        insets = geometry.isMarginsRelative ? system.margins(stack) : AreaInsets()
    }

    private var isHorizontal: Bool { geometry.axis == .horizontal }

    /// True if no child can be stretched.
    private var isDecided: Bool { children.allSatisfy { system.boxes[$0].kind.hasOneSize || isFixed($0) } }

    /// True if no child can be stretched without end.
    private var isBound: Bool {
        children.allSatisfy {
            system.boxes[$0].kind.hasOneSize || system.rules.isBound(system.boxes[$0].node, geometry.axis)
        }
    }

    /// True if the children have rooms that are equally long, which controls of one size do not fill.
    private var isTracked: Bool {
        geometry.distribution == .fillEqually && !geometry.isBaselineRelative && children.contains { hasOneSize($0) }
            && !children.allSatisfy { hasOneSize($0) } && !children.contains { isFixed($0) }
    }

    private func hasOneSize(_ child: Int) -> Bool { system.boxes[child].kind.hasOneSize }

    /// The length from the beginning of a child to the gap before the next one, or to the end of the stack.
    private func room(_ place: Int) -> LinearForm {
        guard place + 1 < children.count else { return end(stack, insets) - start(children[place]) }
        return (start(children[place + 1]) - start(children[place])).plus(-geometry.spacing)
    }

    /// True if room is between the children.
    private var spreads: Bool {
        [.equalSpacing, .equalCentering].contains(geometry.distribution) && children.count > 1
    }

    private var across: Axis { isHorizontal ? .vertical : .horizontal }

    private var isMirrored: Bool { isHorizontal && system.isRightToLeft(stack) }

    /// - Parameter add: takes each rule and its axis.
    func add(_ add: (LevelRule, Axis) -> Void) {
        let width = forms.form(stack, isHorizontal ? .width : .height)
        guard let first = children.first, let last = children.last else {
            add(width.rule(level: StackRules.tight), geometry.axis)
            add(forms.form(stack, isHorizontal ? .height : .width).rule(level: StackRules.tight), across)
            return
        }
        add((start(first) - start(stack, insets)).rule(), geometry.axis)
        distribute { add($0, geometry.axis) }
        let rest = end(last) - end(stack, insets)
        if isTracked, system.boxes[last].kind.hasOneSize {
            // Its room ends with the stack, not the control.
            add(rest.rule(.lessOrEqual), geometry.axis)
        } else if spreads || !isBound {
            add(rest.rule(), geometry.axis)
        } else {
            // Children whose lengths are decided leave room behind them, not between them, and so do those at their longest.
            add(rest.rule(.lessOrEqual), geometry.axis)
            add(rest.rule(level: isDecided ? StackRules.tight : StackRules.sharing), geometry.axis)
        }
        align { add($0, across) }
    }

    // MARK: - Along

    private func start(_ box: Int, _ insets: AreaInsets = AreaInsets()) -> LinearForm {
        isHorizontal
            ? forms.form(box, .leading, insets, isRightToLeft: isMirrored).mirrored(isMirrored)
            : forms.form(box, .top, insets)
    }

    private func end(_ box: Int, _ insets: AreaInsets = AreaInsets()) -> LinearForm {
        isHorizontal
            ? forms.form(box, .trailing, insets, isRightToLeft: isMirrored).mirrored(isMirrored)
            : forms.form(box, .bottom, insets)
    }

    private func length(_ box: Int) -> LinearForm { forms.form(box, isHorizontal ? .width : .height) }

    /// True for a child whose length along the stack an author's rule says.
    private func isFixed(_ child: Int) -> Bool { system.rules.isFixed(system.boxes[child].node, geometry.axis) }

    private func size(_ box: Int) -> Double? {
        isHorizontal ? system.boxes[box].size.width : system.boxes[box].size.height
    }

    /// The distance between two children, less the spacing.
    private func gap(_ first: Int, _ second: Int) -> LinearForm {
        let isBaseline = geometry.isBaselineRelative && !isHorizontal
        let from = isBaseline ? baseline(first, .lastBaseline) : end(first)
        let to = isBaseline ? baseline(second, .firstBaseline) : start(second)
        return (to - from).plus(-geometry.spacing)
    }

    private func distribute(_ add: (LevelRule) -> Void) {
        let pairs = zip(children, children.dropFirst())
        switch geometry.distribution {
        case .fill:
            for (first, second) in pairs { add(gap(first, second).rule()) }
            fillEvenly(add)
        case .fillEqually:
            let (isTracked, isDecided) = (isTracked, isDecided)
            // A child with a length of its author's keeps it, and the others share the rest.
            let first = children.first { isTracked ? !hasOneSize($0) : !isFixed($0) } ?? children[0]
            for (before, child) in pairs {
                add(gap(before, child).rule(isTracked && hasOneSize(before) ? .greaterOrEqual : .equal))
            }
            for (place, child) in children.enumerated() where child != first && !isDecided {
                let own = isTracked && hasOneSize(child) ? room(place) : length(child)
                add((own - length(first)).rule(level: StackRules.sharing))
            }
        case .fillProportionally:
            for (first, second) in pairs { add(gap(first, second).rule()) }
            let measured = children.filter { size($0).map { $0 > 0 } ?? false }
            for child in measured.dropFirst() {
                let factor = (size(child) ?? 0) / (size(measured[0]) ?? 1)
                add(length(child).plus(length(measured[0]), times: -factor).rule(level: 999))
            }
        case .equalSpacing:
            for (first, second) in pairs { add(gap(first, second).rule(.greaterOrEqual)) }
            equalGaps(add)
        case .equalCentering:
            for (first, second) in pairs { add(gap(first, second).rule(.greaterOrEqual)) }
            guard children.count > 2 else { return tighten(add) }
            for index in children.indices.dropFirst(2) {
                let (one, two) = (center(children[index - 2]), center(children[index - 1]))
                let three = center(children[index])
                add((three - two).plus(one - two).rule(level: StackRules.centering - Float(min(index, 90))))
            }
            tighten(add)
        }
    }

    private func center(_ box: Int) -> LinearForm { start(box).plus(length(box), times: 0.5) }

    /// Of children that hug their content equally, the first one fills what is left. Those that are made for the items of a list
    /// share it.
    private func fillEvenly(_ add: (LevelRule) -> Void) {
        for (place, child) in children.enumerated() {
            let level = StackRules.tight + StackRules.later * Float(min(place, 90))
            if let size = size(child) {
                add(length(child).plus(-size).rule(.lessOrEqual, level: level))
            } else if system.boxes[child].look?.stack != nil {
                add(length(child).rule(level: level))
                // A stack that shows nothing now hugs what it could show, so that others do not move once it does.
                let hugging =
                    system.rules.loosestParts[system.boxes[child].node, geometry.axis] - SystemSolver.looseness
                if arranged[child].isEmpty, hugging > level { add(length(child).rule(level: hugging)) }
            }
        }
        guard isHorizontal else { return }
        for (before, child) in zip(children, children.dropFirst())
        where system.boxes[before].node == system.boxes[child].node {
            let more = length(child) - length(before)
            add(more.plus(widest[before] - widest[child]).rule(level: StackRules.alike))
        }
    }

    /// Above the weights by which children are tight.
    private static let alike: Float = 49.95
    /// The weight by which each child is tighter than the one before.
    private static let later: Float = 0.01

    private func equalGaps(_ add: (LevelRule) -> Void) {
        guard children.count > 2 else { return tighten(add) }
        let first = start(children[1]) - end(children[0])
        for index in children.indices.dropFirst(2) {
            add((start(children[index]) - end(children[index - 1]) - first).rule())
        }
        tighten(add)
    }

    /// A stack whose length nothing else decides has the least distances.
    private func tighten(_ add: (LevelRule) -> Void) {
        for (first, second) in zip(children, children.dropFirst()) {
            add(gap(first, second).rule(level: StackRules.tight))
        }
    }

    // MARK: - Across

    private func low(_ box: Int, _ insets: AreaInsets = AreaInsets()) -> LinearForm {
        forms.form(box, isHorizontal ? .top : .left, insets)
    }

    private func high(_ box: Int, _ insets: AreaInsets = AreaInsets()) -> LinearForm {
        forms.form(box, isHorizontal ? .bottom : .right, insets)
    }

    private func baseline(_ box: Int, _ attribute: LayoutRule.Attribute) -> LinearForm {
        let own = system.boxes[box]
        let distance = SystemSolver.baseline(of: own, isFirst: attribute == .firstBaseline)
        return forms.form(box, attribute, baseline: distance)
    }

    /// The level at which a child fills the stack across. An author's length of it comes first. Where several give way, those
    /// around do so last, and controls of one size keep it beside a child with a length.
    private func filling(_ child: Int) -> Float {
        let box = system.boxes[child]
        let resistance = box.geometry?.resistance ?? Priorities.resistance
        let own = across == .horizontal ? resistance.horizontal : resistance.vertical
        guard system.rules.isBound(box.node, across) || own >= LevelRule.required else { return LevelRule.required }
        let depth = Float(system.depth(child)) * StackRules.nesting
        if system.rules.isFixed(box.node, across) { return StackRules.beside - depth }
        return StackRules.filling - depth
    }

    private static let nesting: Float = 0.001
    /// Above what children share.
    private static let filling: Float = 999.8
    /// Below the resistance of controls of one size.
    private static let beside: Float = SystemSolver.rigid - 1
    private static let holding: Float = SystemSolver.rigid - 0.5

    /// True for a row beside whose heights of the author's a text keeps its lines, as a control of one size does its height.
    static func keepsLines(_ stack: Int, _ children: [Int], _ system: LayoutSystem) -> Bool {
        guard let geometry = system.boxes[stack].look?.stack, geometry.axis == .horizontal, geometry.alignment == .fill
        else { return false }
        return children.contains { system.rules.isFixed(system.boxes[$0].node, .vertical) }
    }

    /// In a row with texts, the height of what is not a text and has none of its author's: the most of such heights, so that a
    /// text of several lines makes the row higher and nothing else.
    private var thickness: Double? {
        guard StackRules.keepsLines(stack, children, system), children.contains(where: isText) else { return nil }
        return children.compactMap { child in
            let box = system.boxes[child]
            return system.rules.fixedLength(box.node, .vertical) ?? box.kind.onlyHeight
        }.max()
    }

    private func isText(_ child: Int) -> Bool { WeakestTexts.isText(system.boxes[child].kind) }

    private func align(_ add: (LevelRule) -> Void) {
        let isMirrored = !isHorizontal && system.isRightToLeft(stack)
        var fixed: [LinearForm] = []
        let thickness = thickness
        for child in children {
            let below = low(child) - low(stack, insets)
            let above = high(stack, insets) - high(child)
            switch hasOneSize(child) && geometry.alignment == .fill ? .leading : geometry.alignment {
            case .fill:
                if let thickness, !isText(child), !system.rules.isFixed(system.boxes[child].node, .vertical) {
                    add(below.rule())
                    add(above.rule(.greaterOrEqual))
                    let height = forms.form(child, .height).plus(-thickness)
                    add(height.rule(level: StackRules.filling - Float(system.depth(child)) * StackRules.nesting))
                    continue
                }
                // A child of another length lies at the beginning.
                add((isMirrored ? above : below).rule())
                let level = filling(child)
                add((isMirrored ? below : above).rule(level: level))
                if level < LevelRule.required, system.rules.isFixed(system.boxes[child].node, across) {
                    fixed.append(isMirrored ? below : above)
                }
                continue
            case .leading: add((isMirrored ? above : below).rule())
            case .trailing: add((isMirrored ? below : above).rule())
            case .center: add((below - above).rule())
            case .firstBaseline, .lastBaseline:
                guard isHorizontal else {
                    add((isMirrored ? above : below).rule())
                    break
                }
                let isFirst = geometry.alignment == .firstBaseline
                let attribute: LayoutRule.Attribute = isFirst ? .firstBaseline : .lastBaseline
                add((isFirst ? below : above).rule(level: StackRules.resting))
                if child != children[0] {
                    add((baseline(child, attribute) - baseline(children[0], attribute)).rule())
                }
            }
            add(below.rule(.greaterOrEqual))
            add(above.rule(.greaterOrEqual))
        }
        // Of children with lengths of their author's, the longest lies in the stack as well.
        if fixed.count > 1 { for rest in fixed { add(rest.rule(.greaterOrEqual, level: StackRules.holding)) } }
        // As thick as the thickest child.
        add(forms.form(stack, isHorizontal ? .height : .width).rule(level: StackRules.tight))
    }
}

extension NodeKind {
    /// True for controls that are not stretched across a stack.
    var hasOneSize: Bool { onlyHeight != nil }

    /// The height of a control of one size.
    var onlyHeight: Double? {
        switch self {
        case .toggle: SystemMeasures.toggle.height
        case .stepper: SystemMeasures.stepper.height
        default: nil
        }
    }
}

extension LinearForm {
    /// The form along an axis that runs the other way.
    fileprivate func mirrored(_ isMirrored: Bool) -> LinearForm {
        guard isMirrored else { return self }
        return LinearForm().plus(self, times: -1)
    }
}
