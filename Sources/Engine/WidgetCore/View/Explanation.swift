internal import WidgetPredicates

/// The origin of a value on the screen.
package struct Explanation: Sendable {
    package enum Origin: Sendable {
        /// The author wrote it as a constant.
        case authored
        /// An expression computed it from its inputs.
        case bound
        /// A person typed it, or an assignment put it there.
        case given
    }

    package struct Input: Sendable {
        package var keyPath: String
        package var value: Value
    }

    package var origin: Origin
    package var value: Value
    /// The expression, as it was written.
    package var source: String
    package var place: Place?
    package var inputs: [Input]
    /// Inputs that are not among them, because there are more than an explanation names.
    package var omittedCount = 0
}

extension Evaluator {
    /// Explains the value of a property of a node; `nil` for one that was neither authored nor given.
    ///
    /// - Parameter meter: fuel that several explanations share; without it, each gets a new one.
    package func explanation(
        of property: PropertyName, at key: ViewKey, in store: Store, _ environment: Environment, meter: Meter? = nil
    ) -> Explanation? {
        let meter = meter ?? Meter(budget)
        guard let place = store.screens.firstIndex(where: { $0.number == key.screen }),
            let scope = ScreenScope(program, store, screen: place, environment, meter: meter),
            let node = scope.scene.node(key.node)
        else { return nil }
        // The names around a node are those of its items, and of the parameters of components that it is in.
        var item = (try? scope.scope(of: key.node, item: key.item)) ?? nil
        if item == nil, let itemKey = key.item {
            let content = itemKey.content(scope.scene, scope.screen, in: scope.records).moved(to: scope.records)
            item = ItemScope(scope, content: content, key: itemKey, prototype: node.prototype ?? key.node, log: nil)
        }
        let subject = item.map { Value.object($0) } ?? .object(scope)
        if let given = PropertyReader.slot(property, of: key.node, item: key.item, in: scope) {
            let assignment = scope.scene.reactions.lazy.flatMap { $0.steps }.compactMap { step -> Expression? in
                if case .assign(.property(key.node, property), let expression) = step { expression } else { nil }
            }.first
            return explanation(
                .given, given, assignment?.source ?? "", assignment?.place ?? node.place, assignment, subject, scope)
        }
        guard let expression = node[property] else { return nil }
        let value = PropertyReader.value(property, of: key.node, item: item, in: scope)
        return explanation(
            expression.literal == nil ? .bound : .authored, value, expression.source, expression.place ?? node.place,
            expression, subject, scope)
    }

    private func explanation(
        _ origin: Explanation.Origin, _ value: Value, _ source: String, _ place: Place?, _ expression: Expression?,
        _ subject: Value, _ scope: ScreenScope
    ) -> Explanation {
        let paths = expression?.keyPaths ?? []
        let inputs = paths.prefix(budget.inputCount).map { path in
            let value = try? CompiledExpression("%K", arguments: [.string(path)])
                .value(for: subject, environment: scope.context.predicates)
            return Explanation.Input(keyPath: path, value: value ?? .null)
        }
        return Explanation(
            origin: origin, value: value, source: source, place: place, inputs: inputs,
            omittedCount: paths.count - inputs.count)
    }
}

extension Expression {
    /// The key paths that it reads from the scope, each once. Steps that read from the value of the step before do not
    /// count.
    package var keyPaths: [String] {
        var trees: [SyntaxTree] = []
        var templates: [Template] = []
        if case .compiled(let compiled) = start { trees.append(compiled.tree) }
        if case .scope = start {
            for step in steps {
                switch step {
                case .truth(let predicate): trees.append(predicate.tree)
                case .choice(let predicate, let whenTrue, let whenFalse):
                    trees.append(predicate.tree)
                    for case .template(let template)? in [whenTrue, whenFalse] { templates.append(template) }
                case .format(let template): templates.append(template)
                default: continue
                }
            }
        }
        var paths: [String] = []
        func add(_ more: [String]) {
            for path in more where !paths.contains(path) { paths.append(path) }
        }
        if case .match(let table) = start { add(table.keyPaths) }
        // The parts of a joined text.
        if case .members(let members) = start { add(members.flatMap { $0.expression.keyPaths }) }
        add(templates.flatMap { $0.keyPaths })
        for node in trees.flatMap({ $0.nodes }) {
            guard case .keyPath(base: nil, let path) = node.kind, !paths.contains(path.text) else { continue }
            paths.append(path.text)
        }
        return paths
    }
}
