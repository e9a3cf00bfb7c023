internal import JSONText
internal import WidgetContract

/// Writes one screen as a document, and notes what code it needs.
package final class SceneWriter {
    let program: DeclaredProgram
    let name: String
    /// The states that it uses, in the order of their first use.
    private(set) var states: [AnyStateBox] = []
    /// Those that its widgets declare; they begin anew with each screen.
    private(set) var owned: Set<ObjectIdentifier> = []
    private(set) var handlers: [(name: String, handler: WidgetHandler, what: String)] = []
    private(set) var parameters: [(ItemName, String)] = []
    private var itemNames: [(item: ItemName, name: String)] = []
    private var hasFault = false
    /// The path of the element that is written, for the identity of states.
    var path: [String]
    private var prefix: [String] = []
    /// The kind of the element around, for reports.
    private var kinds: [String] = []
    /// The element whose events are written, for people.
    private var subject: String?
    private var depth = 0
    /// The closures of each event of each place.
    private var handlerCounts: [String: Int] = [:]
    /// The screens that each place shows.
    private var screenCounts: [String: Int] = [:]
    /// The composites that it has taken apart.
    private var compositeCount = 0
    /// The composites that lie in themselves.
    private var endless: Set<String> = []
    /// The line of the widget that is written, or of the closure or the text in it, for reports.
    private var place: SourcePlace?
    private var samples = MemberSamples()
    /// The statements of its widgets about the screen, in their order. The outermost has the last word.
    private var traits = ScreenTraits()
    private(set) var requests: [AnswerRequest] = []

    /// Composites within each other, and in one screen.
    private static let depthLimit = 32
    private static let compositeLimit = 10_000
    /// Composites of one type within each other. A document of more could not be read.
    private static let selfLimit = 16

    init(_ program: DeclaredProgram, _ name: String) {
        self.program = program
        self.name = name
        path = [name]
    }

    // MARK: - The document

    /// - Parameter parameter: the value that the screen gets.
    func document(_ widget: any Widget, parameter: ItemName?) -> JSONValue {
        if let parameter {
            let name = unique(parameter.wanted)
            parameters.append((parameter, name))
            itemNames.append((parameter, name))
        }
        var context = program.context
        let (element, inside) = resolved(widget, &context)
        let isList = element.isList
        let root =
            isList ? .list(widgets(element.children, inside)) : write(element, inside, within: inside.theme)
        if isList { traits.add(element.screen) }
        var members: [(String, JSONValue)] = [("schema", .number(1))]
        if let theme = inside.theme.document(within: WidgetTheme()) { members.append(("theme", theme)) }
        if let title = traits.title { members.append(("title", json(title))) }
        if let hasBar = traits.hasBar { members.append(("bar", .flag(hasBar))) }
        for (name, value) in traits.members { members.append((name, json(value))) }
        let links = traits.links.map { ($0.name, $0.write(self)) }
        if !links.isEmpty { members.append(("links", .record(links))) }
        let events = self.events(traits.events)
        let sources = self.sources
        if !sources.isEmpty { members.append(("sources", .record(sources))) }
        if !parameters.isEmpty {
            members.append(("parameters", .record(parameters.map { ($0.1, JSONValue(.null)) })))
        }
        if !states.isEmpty {
            members.append(("state", .record(states.compactMap { box in box.slot.map { ($0, box.initial) } })))
        }
        if !events.isEmpty { members.append(("on", .record(events))) }
        members.append(("root", root))
        return .record(members)
    }

    // MARK: - Elements

    private func widgets(_ widgets: [any Widget], _ context: WidgetContext) -> [JSONValue] {
        var written: [JSONValue] = []
        for (place, widget) in widgets.enumerated() {
            let length = path.count
            defer { path.removeLast(path.count - length) }
            path.append((widget as? ElementWidget)?.element.identity.map { "id \($0)" } ?? "\(place)")
            var inner = context
            let (element, inside) = resolved(widget, &inner)
            switch element.subject {
            case .group: written += self.widgets(element.children, inside)
            case .conditional(let condition):
                written += conditional(self.widgets(element.children, inside), condition)
            default: written.append(write(element, inside, within: context.theme))
            }
        }
        return written
    }

    /// The element of a widget, with composites taken apart, and the context of its children.
    private func resolved(_ widget: any Widget, _ context: inout WidgetContext) -> (WidgetElement, WidgetContext) {
        var element = widget.element
        for change in element.contextChanges { change(&context) }
        element.contextChanges = []
        var count = 0
        let outer = place
        defer { place = outer }
        while case .composite(let view) = element.subject {
            compositeCount += 1
            place = element.place ?? place
            let name = "\(type(of: view))"
            guard count < SceneWriter.depthLimit, depth < SceneWriter.depthLimit,
                compositeCount <= SceneWriter.compositeLimit,
                !isEndless(name)
            else {
                fault(
                    "\(name) has itself in it, or too many widgets lie in each other",
                    hint: "show it by push, or where a condition of Swift ends it")
                return (WidgetElement(.group), context)
            }
            count += 1
            path.append(name)
            mount(view)
            var inner = view.widget(context).element
            for change in inner.contextChanges { change(&context) }
            inner.contextChanges = []
            if case .kind = inner.subject {
            } else if case .composite = inner.subject {
            } else {
                inner = WidgetElement.kind("vstack", [ElementWidget(element: inner)])
            }
            element = element.adding(to: inner)
        }
        return (element, context)
    }

    /// True for a composite that lies in itself again and again. Its type is taken apart no further in this screen.
    private func isEndless(_ name: String) -> Bool {
        if !endless.contains(name), path.count(where: { $0 == name }) >= SceneWriter.selfLimit { endless.insert(name) }
        return endless.contains(name)
    }

    private func write(
        _ element: WidgetElement, _ context: WidgetContext, within outer: WidgetTheme
    ) -> JSONValue {
        let outerPlace = place
        place = element.place ?? place
        depth += 1
        defer { (depth, place) = (depth - 1, outerPlace) }
        guard depth <= SceneWriter.depthLimit else {
            fault("Widgets lie more than \(SceneWriter.depthLimit) deep in each other", hint: nil)
            return .record([("kind", .text("vstack"))])
        }
        switch element.subject {
        case .kind(let kind): return write(element, kind, context, within: outer)
        case .repeated(let repetition):
            return stack([("items", items(repetition))], after: repetition) { self.widgets(element.children, context) }
        default: return stack([]) { self.widgets(element.children, context) }
        }
    }

    private func write(
        _ element: WidgetElement, _ kind: String, _ context: WidgetContext, within outer: WidgetTheme
    ) -> JSONValue {
        var members: [(String, JSONValue)] = [("kind", .text(kind))]
        if let id = element.id { members.append(("id", .text(id))) }
        let parts = element.parts.map { ($0.name, $0.write(self)) }
        if !element.payload.isEmpty || !parts.isEmpty {
            members.append(("payload", .record(element.payload.map { ($0.name, json($0.value)) } + parts)))
        }
        if let theme = context.theme.document(within: outer) { members.append(("theme", theme)) }
        if let style = style(of: element) { members.append(("style", style)) }
        if let condition = element.condition { members.append(("if", self.condition(condition))) }
        kinds.append(kind)
        defer { kinds.removeLast() }
        var children = element.children
        // The only list of a container is its own.
        var repetition: ListRepetition?
        let filled = WidgetElement.filled(children)
        if filled.count == 1, case .repeated(let list) = filled[0].element.subject {
            repetition = list
            members.append(("items", items(list)))
            children = filled[0].element.children
        }
        subject = element.subjectText(kind)
        let events = self.events(element.events) + changes(element.changes)
        subject = nil
        if !events.isEmpty { members.append(("on", .record(events))) }
        if !element.slots.isEmpty {
            members.append(
                (
                    "slots",
                    .record(
                        element.slots.map { slot in
                            path.append("slot \(slot.name)")
                            defer { path.removeLast() }
                            return (slot.name, one(widgets(slot.widgets, context)))
                        })
                ))
        }
        let written = widgets(children, context)
        traits.add(element.screen)
        if !written.isEmpty { members.append(("children", .list(written))) }
        if let repetition { leave(repetition) }
        return .record(members)
    }

    /// The names of styles, and then the element's own looks.
    private func style(of element: WidgetElement) -> JSONValue? {
        let own = JSONValue.record(element.style.map { ($0.name, json($0.value)) })
        if element.styleNames.isEmpty { return element.style.isEmpty ? nil : own }
        return .list(element.styleNames.map { .text($0) } + (element.style.isEmpty ? [] : [own]))
    }

    /// One element for several.
    private func one(_ elements: [JSONValue]) -> JSONValue {
        elements.count == 1 ? elements[0] : .record([("kind", .text("vstack")), ("children", .list(elements))])
    }

    private func conditional(_ elements: [JSONValue], _ condition: Operand) -> [JSONValue] {
        let text = self.condition(condition)
        return elements.map { element in
            let members = element.object?.members ?? []
            guard !members.contains(where: { $0.name == "if" }) else {
                return .record([("kind", .text(stackKind)), ("if", text), ("children", .list([element]))])
            }
            var all = members.map { ($0.name, $0.value) }
            all.insert(("if", text), at: min(1, all.count))
            return .record(all)
        }
    }

    /// A stack within the stack around it, in its direction.
    private func stack(
        _ members: [(String, JSONValue)], after repetition: ListRepetition? = nil, _ children: () -> [JSONValue]
    ) -> JSONValue {
        if kinds.last == "section" {
            fault("A section has rows beside those of a list", hint: "put the list into a section by itself")
        }
        let kind = kinds.last == "table" ? "section" : stackKind
        kinds.append(kind)
        defer { kinds.removeLast() }
        let written = children()
        if let repetition { leave(repetition) }
        return .record([("kind", .text(kind))] + members + [("children", .list(written))])
    }

    private var stackKind: String { kinds.last == "hstack" ? "hstack" : "vstack" }

    // MARK: - Lists

    private func items(_ repetition: ListRepetition) -> JSONValue {
        let list = json(repetition.list)
        let name = unique(repetition.item.wanted)
        itemNames.append((repetition.item, name))
        var members: [(String, JSONValue)] = [("in", list), ("as", .text(name))]
        samples.enter(repetition.item, of: repetition.list)
        if let key = repetition.key {
            check(key, of: repetition.item)
            members.append(("key", .text("$" + ([name] + key).joined(separator: "."))))
        }
        return .record(members)
    }

    private func leave(_ repetition: ListRepetition) {
        itemNames.removeAll { $0.item === repetition.item }
        samples.leave(repetition.item)
    }

    func itemName(_ item: ItemName) -> String {
        if let name = itemNames.last(where: { $0.item === item })?.name { return name }
        fault("The item \(item.wanted) is used outside of its list", hint: "use it in the closure of its ForEach")
        return "content"
    }

    /// A name that neither a state nor an item around has.
    private func unique(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while itemNames.contains(where: { $0.name == name }) || program.hasSlot(name) {
            name = "\(wanted)\(number)"
            number += 1
        }
        return name
    }

    // MARK: - States

    /// The name of a state of the screen.
    func use(_ box: AnyStateBox) -> String {
        let slot = program.slot(of: box, wanted: box.wanted)
        if !states.contains(where: { $0 === box }) {
            states.append(box)
            if !box.isEncodable {
                fault(
                    "The value of the state \(slot) cannot be encoded",
                    hint: "numbers have to be finite, and its type has to encode all that it decodes")
            }
        }
        return slot
    }

    /// The name of the state that an action changes. Anything else is reported, and `nil`.
    func stateName(_ operand: Operand) -> String? {
        guard case .expression(let pieces, isCondition: false) = operand.form, pieces.count == 1,
            case .name(let name, let keys) = pieces[0], name is AnyStateBox
        else {
            fault("Only a state can be changed by an action", hint: "use a binding of a state, or a closure")
            return nil
        }
        check(keys, of: name)
        return ([name.name(in: self)] + keys).joined(separator: ".")
    }

    /// Takes down a request that the screen reads.
    func use(_ request: AnswerRequest) {
        guard let known = requests.first(where: { $0.name == request.name }) else { return requests.append(request) }
        guard known !== request, known.identity != request.identity else { return }
        fault("Two answers are called \(request.name)", hint: "give one another name: ServiceAnswer(…, named:)")
    }

    /// The sources of the screen. The values of one may be answers, too.
    private var sources: [(String, JSONValue)] {
        var written: [(String, JSONValue)] = []
        while written.count < requests.count {
            let request = requests[written.count]
            written.append((request.name, request.json(self)))
        }
        return written
    }

    /// Names the states of a composite, and continues with those of an earlier build.
    private func mount(_ view: any WidgetView) {
        let isRoot = path.count <= 2
        let typeName = "\(type(of: view))".prefix { $0 != "<" }
        mount(Mirror(reflecting: view), isRoot ? [] : [lowered(String(typeName))], 0)
    }

    private func mount(_ mirror: Mirror, _ names: [String], _ depth: Int) {
        for (label, value) in mirror.children {
            guard let label else { continue }
            let plain = label.hasPrefix("_") ? String(label.dropFirst()) : label
            if let state = value as? any MountedState {
                let key = (path + names + [plain]).joined(separator: "/")
                let box = program.mounted(state, key, wanted: (names + [plain]).joined(separator: "_"), in: name)
                // Expressions that are written as text may name it.
                _ = use(box)
                if program.owner(of: box) == name { owned.insert(ObjectIdentifier(box)) }
            } else if depth < 4, !(value is any Widget) {
                let inner = Mirror(reflecting: value)
                if inner.displayStyle == .class { mount(inner, names + [plain], depth + 1) }
            }
        }
    }

    private func lowered(_ name: String) -> String { (name.first.map { $0.lowercased() } ?? "") + name.dropFirst() }

    // MARK: - Values

    /// An operand as the document has it.
    func json(_ operand: Operand) -> JSONValue {
        let outer = place
        defer { place = outer }
        place = operand.place ?? place
        switch operand.form {
        case .literal(let json):
            guard let text = json.string, text.hasPrefix("$") else { return json }
            return .text("$" + text)
        case .joined(let parts): return .record([("$", .list(parts.map(json)))])
        case .match(let subject, let cases, let otherwise):
            var members = [
                ("match", json(subject)), ("cases", JSONValue.record(cases.map { ($0.name, json($0.value)) })),
            ]
            if let otherwise { members.append(("else", json(otherwise))) }
            return .record(members)
        case .expression(let pieces, isCondition: false):
            if pieces.count == 1, case .text(let name) = pieces[0], ExpressionText.isName(name) {
                return .text("$" + name)
            }
            if pieces.count == 1, case .name(let name, let keys) = pieces[0],
                keys.allSatisfy({ !$0.contains(".") })
            {
                check(keys, of: name)
                return .text("$" + ([name.name(in: self)] + keys).joined(separator: "."))
            }
            return .record([("$", .text(text(pieces)))])
        case .expression(let pieces, isCondition: true): return .record([("$", .text(text(pieces)))])
        }
    }

    /// An operand as a condition.
    func condition(_ operand: Operand) -> JSONValue {
        if case .literal(let json) = operand.form { return json }
        return json(operand)
    }

    private func text(_ pieces: [Operand.Piece]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): return text
            case .name(let name, let keys):
                check(keys, of: name)
                return ExpressionText.path(name.name(in: self), keys)
            }
        }.joined()
    }

    // MARK: - Actions

    private func events(_ events: [(name: String, actions: [WidgetAction])]) -> [(String, JSONValue)] {
        var names: [String] = []
        var all: [String: [WidgetAction]] = [:]
        for (name, actions) in events {
            if all[name] == nil { names.append(name) }
            all[name, default: []] += actions
        }
        return names.map { ($0, actions(all[$0] ?? [], $0)) }
    }

    /// The actions of an event, one or a list.
    func actions(_ actions: [WidgetAction], _ event: String) -> JSONValue {
        let written = actions.map { json($0, event) }
        return written.count == 1 ? written[0] : .list(written)
    }

    private func json(_ action: WidgetAction, _ event: String) -> JSONValue {
        switch action.form {
        case .data(let write): return write(self)
        case .code(let handler, let value):
            let place = path.joined(separator: "/") + "." + event
            handlerCounts[place, default: 0] += 1
            let name = program.handlerName("\(place).\(handlerCounts[place] ?? 0)", in: self.name)
            handlers.append((name, handler, "\(event) of \(subject ?? "the screen")"))
            var members: [(String, JSONValue)] = [("do", .text("native")), ("handler", .text(name))]
            if let value {
                let outer = self.place
                self.place = handler.place
                members.append(("value", json(value)))
                self.place = outer
            }
            return .record(members)
        }
    }

    /// The events of values that change. One name has all actions of its value; the first value has another name.
    private func changes(_ changes: [ValueChange]) -> [(String, JSONValue)] {
        var names: [String] = []
        var actions: [String: [WidgetAction]] = [:]
        for change in changes {
            let value = json(change.value)
            let text = value.string.map { change.isInitial ? String($0.dropFirst()) : $0 } ?? value["$"]?.string
            guard let text else {
                fault("A joined text, a match or a constant is watched", hint: "watch the states in it")
                continue
            }
            let name = value.string == nil && change.isInitial ? "change((\(text)))" : "change(\(text))"
            if actions[name] == nil { names.append(name) }
            actions[name, default: []] += change.actions
        }
        let initial = Set(names.filter { !$0.hasPrefix("change($") })
        return names.map { name in
            let written = self.actions(actions[name] ?? [], name)
            return (name, initial.contains(name) ? .record([("initial", .flag(true)), ("then", written)]) : written)
        }
    }

    /// The name of a screen that an action shows, and that of its parameter.
    func screen(_ value: Operand?, _ make: (Operand) -> any Widget) -> (name: String, parameter: String?) {
        let place = path.joined(separator: "/")
        screenCounts[place, default: 0] += 1
        return program.screen(value, at: "\(place).\(screenCounts[place] ?? 0)", make)
    }

    func fault(_ message: String, hint: String?) {
        program.fault(NativeRemark("\(name): \(message)", hint: hint, file: place?.file, line: place?.line))
    }

    /// Reports keys that the document's value does not have, though the value of Swift does.
    private func check(_ keys: [String], of name: any NamedValue) {
        if let (message, hint) = samples.fault(keys, of: name) { fault(message, hint: hint) }
    }
}
