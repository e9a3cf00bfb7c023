internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

extension ProgramCheck {
    /// The settings that something gives a value: a scheme's `defaults`, a binding of a screen, or a service's
    /// authorization.
    ///
    /// - Parameter declared: those of `defaults`.
    static func settings(
        _ scenes: [Scene], _ facts: [String: ScreenFacts], _ services: [Service], declared: Set<String>
    ) -> PathCheck.Settings {
        var names = declared
        for step in scenes.flatMap({ $0.reactions }).flatMap({ $0.steps }) {
            if case .assign(.setting(let name), _) = step { names.insert(first(of: name)) }
        }
        for service in services { names.formUnion([service.authorization?.setting].compactMap { $0 }.map(first)) }
        // A class of the host may set others.
        let areAll = facts.values.allSatisfy { !$0.isHostClass && !$0.hasHostService }
        return PathCheck.Settings(names, areAll: areAll)
    }

    private static func first(of path: String) -> String { String(path.prefix { $0 != "." }) }
}

extension ProgramCheck {
    /// Reports settings whose first values their controls cannot show.
    mutating func checkSettings(_ settings: [String: (value: Value, place: Place)]) {
        for scene in scenes where hasRoom {
            for case .assign(.property(let id, .value), let expression) in scene.reactions.flatMap({ $0.steps }) {
                guard let node = scene.node(id), expression.steps.isEmpty,
                    expression.source.hasPrefix("defaults."),
                    let setting = settings[String(expression.source.dropFirst("defaults.".count))]
                else { continue }
                checkLimits(of: node, setting)
                guard node.kind == .toggle, let text = setting.value.string,
                    !AuthoredKind.boolean.accepts(.text(text), coerces: true)
                else { continue }
                report(
                    Finding(
                        .warning, .badValue,
                        "\(ShownText.quoted(text, limit: String.excerptByteCount)) is neither true nor false, and the switch \(node.identifier?.excerpt ?? "") shows it",
                        at: setting.place, hint: "write true or false"))
            }
        }
    }

    /// Reports the first value of a setting that lies outside of the limits of the control which shows it.
    private mutating func checkLimits(of node: Node, _ setting: (value: Value, place: Place)) {
        guard case .range(let usual) = node.kind.row.value, let value = setting.value.number else { return }
        for limit in [PropertyName.minimum, .maximum] where node[limit] != nil && node[limit]?.literal == nil { return }
        let low = node[.minimum]?.literal?.number ?? 0
        let high = node[.maximum]?.literal?.number ?? usual
        guard low <= high, !(low...high).contains(value) else { return }
        report(
            Finding(
                .warning, .outOfRange,
                "\(Value.text(value)) cannot be a value of the \(node.kind.spoken) \(node.identifier?.excerpt ?? ""), which goes from \(Value.text(low)) to \(Value.text(high))",
                at: setting.place, value: Value.text(value),
                hint: "it begins with \(Value.text(min(max(value, low), high))); write that, or other limits"))
    }

    /// Reports displays that wait for a signal which no action sends.
    mutating func checkSignals() {
        let known = actionNames.sorted()
        guard !known.isEmpty else { return }
        for scene in scenes {
            for mediator in facts[scene.name]?.mediators.all ?? [] where hasRoom {
                guard let value = mediator.attribute("renderOn"), let text = value.json.string, !text.isEmpty,
                    !(facts[scene.name]?.hasHostService ?? true)
                else { continue }
                let end = ProgramCheck.ends.first { text.hasSuffix($0) }
                let name = String(text.dropLast(end?.count ?? 0))
                if end != nil, known.contains(name) { continue }
                // A class of the host may send any other signal.
                guard let nearest = NearestName.of(name, in: known) else { continue }
                report(
                    Finding(
                        .warning, .unknownAction,
                        "\(mediator.id.excerpt) waits for the signal \(text.excerpt), which no action sends",
                        at: value.place, hint: "did you mean \(nearest)\(end ?? "Ready")?"))
            }
        }
    }

    /// The ends of the names of signals, behind that of their action.
    private static let ends = ["Start", "Ready", "Error"]
}
