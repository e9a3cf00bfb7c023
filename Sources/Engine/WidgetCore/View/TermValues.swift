package import WidgetContract
internal import WidgetPredicates

/// The terms of a widget at one moment: whether it is shown, and with which margins.
extension Evaluator {
    func addTerms(to view: inout View, _ store: Store, _ environment: Environment) {
        let terms = program.terms
        view.insets = environment.display.insets
        let extras = ["proposed": Display.value(of: environment.display.insets)]
        for (side, term) in terms.insets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let value = value(of: term, named: "insets.\(side.rawValue)", in: &view, store, environment, extras),
                let points = value.number, points.isFinite
            else { continue }
            view.insets[side] = min(max(points, InsetSide.range.lowerBound), InsetSide.range.upperBound)
        }
        if let visible = terms.visible,
            let value = value(of: visible, named: "visible", in: &view, store, environment, [:])
        {
            view.isVisible = value.truth
        }
    }

    /// The value of a term; `nil` if it fails, which is reported.
    private func value(
        of term: TermExpression, named name: String, in view: inout View, _ store: Store, _ environment: Environment,
        _ extras: [String: Value]
    ) -> Value? {
        do throws(PredicateError) {
            return try value(of: term, store, environment, extras: extras)
        } catch {
            view.diagnostics.append(
                Finding(
                    .warning, Finding.Code(error), "\(error.sentence) in `\(name)` of the widget",
                    at: program.termPlaces[name], hint: error.hint))
            return nil
        }
    }
}

extension Insets {
    /// Physical margins by their sides.
    fileprivate subscript(_ side: InsetSide) -> Double {
        get {
            switch side {
            case .left: leading
            case .top: top
            case .right: trailing
            case .bottom: bottom
            }
        }
        set {
            switch side {
            case .left: leading = newValue
            case .top: top = newValue
            case .right: trailing = newValue
            case .bottom: bottom = newValue
            }
        }
    }
}

extension Evaluation {
    /// The events of a node in a host without input: a control cannot be changed, and a touch leads to where it can.
    func locked(_ node: NodePlan, _ properties: inout [ViewProperty]) -> [NodeEvent] {
        guard node.kind.row.isControl else { return node.events }
        let leadsElsewhere = node.leadsElsewhere || !scope.scene.instead.isEmpty
        let lock: PropertyName = node.kind.row.holdsTypedText || leadsElsewhere ? .readOnly : .disabled
        properties.removeAll { $0.name == lock }
        properties.append(ViewProperty(lock, .boolean(true)))
        return leadsElsewhere ? [.tap] : []
    }

    /// True for a node that is made for each item of the repetition that the item is one of.
    func isTemplate(_ id: NodeID, of item: ItemScope) -> Bool {
        guard let list = item.key?.list, let repetition = scope.node(list)?.repetition else { return false }
        return repetition.template.contains(id)
    }
}

extension Program {
    /// True for a widget that is made to lie on the ground of its host, among others.
    package var isOverlay: Bool { !terms.modes.isEmpty }

    /// The faults of a place for the widget: a mode that it does not have, and abilities that it needs.
    package func faults(of display: Display, abilities: Set<HostAbility>) -> [Finding] {
        var faults: [Finding] = []
        if terms.mode(for: display.mode) != display.mode {
            faults.append(
                Finding(
                    .warning, .undeclaredMode, "The widget has no mode \(display.mode.rawValue)",
                    at: termPlaces["modes"], hint: "it is shown in its mode \(terms.largestMode.rawValue)"))
        }
        let lacking = terms.lacking(in: abilities).map { $0.rawValue }
        if !lacking.isEmpty {
            faults.append(
                Finding(
                    .warning, .missingAbility, "The widget needs \(NameList(lacking)), which this host lacks",
                    at: termPlaces["needs"], hint: "show it in another host"))
        }
        return faults
    }
}
