internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetDocuments
internal import WidgetPredicates

/// Makes steps of the commands of native code, for one screen.
struct NativeCommandSteps {
    private let program: Program
    private let scene: Scene
    private let budget: Budget

    /// The reason why a command has no effect.
    struct Fault: Error {
        var message: String
        var hint: String?

        var diagnostic: Finding { Finding(.error, .nativeFault, message, hint: hint) }
    }

    init(_ program: Program, _ scene: Scene, _ budget: Budget) {
        (self.program, self.scene, self.budget) = (program, scene, budget)
    }

    func steps(_ action: NativeCommand.Action) throws(Fault) -> [Step] {
        switch action {
        case .set(let name, let value):
            return [.assign(.state(StatePath(try state(name))), .literal(try self.value(value)))]
        case .append(let name, let item):
            var edit = ListEdit(.append, state: StatePath(try state(name)))
            edit.value = .literal(try value(item))
            return [.edit(edit)]
        case .update(let name, let place, let item):
            var edit = ListEdit(.update, state: StatePath(try state(name)))
            (edit.place, edit.value) = (.literal(.integer(Int64(place))), .literal(try value(item)))
            return [.edit(edit)]
        case .remove(let name, let place):
            var edit = ListEdit(.remove, state: StatePath(try state(name)))
            edit.place = .literal(.integer(Int64(place)))
            return [.edit(edit)]
        case .push(let name, let with, let result): return [try show(name, isPushed: true, with, result)]
        case .present(let name, let with, let result): return [try show(name, isPushed: false, with, result)]
        case .back(let value):
            return [try value.map { json throws(Fault) in .leave(try literal(json), isDismissal: false) } ?? .back]
        case .dismiss(let value):
            return [try value.map { json throws(Fault) in .leave(try literal(json), isDismissal: true) } ?? .dismiss]
        case .alert(let title, let message): return [.alert(title: title, message: .literal(.string(message)))]
        case .open(let url): return [.open(.literal(.string(url)))]
        case .refresh(nil):
            return scene.data.filter { !$0.isWriting(by: program.services) }.map { .ask($0.id) }
        case .refresh(let name?):
            try check(name, among: scene.data.map { $0.id }, is: "source", of: scene.name)
            return [.ask(name)]
        case .focus(let name):
            guard case .node? = scene.names[name] else {
                let names = scene.names.filter { if case .node = $0.value { true } else { false } }
                throw unknown(name, among: Array(names.keys), is: "element", of: scene.name)
            }
            return [.focusOn(name)]
        case .cache(let key, let value, let seconds):
            try check(key, among: Array(scene.cached.keys), is: "cached value", of: scene.name)
            return [.cache(CacheStep(key, value: try literal(value), seconds: seconds.map { .literal(.double($0)) }))]
        case .uncache(let key):
            try check(key, among: Array(scene.cached.keys), is: "cached value", of: scene.name)
            return [.cache(CacheStep(key))]
        case .call(let name, let service, let with, let then, let otherwise):
            var call = ServiceCall(try self.service(service), name)
            let actions = program.services[call.service].map { Array($0.actions.keys) } ?? []
            try check(name, among: actions, is: "action", of: call.service)
            call.argument = try with.map { json throws(Fault) in try literal(json) }
            call.then = then.map { [.handle($0, argument: nil)] } ?? []
            call.otherwise = otherwise.map { [.handle($0, argument: nil)] } ?? []
            return [.call(call)]
        case .after(let seconds, let handler):
            guard seconds.isFinite else { throw Fault(message: "A closure is to be called after \(seconds) seconds") }
            return [
                .after(name: "closure \(handler)", seconds: max(seconds, 0), [.handle(handler, argument: nil)])
            ]
        }
    }

    // MARK: - Parts

    private func state(_ name: String) throws(Fault) -> String {
        try check(name, among: Array(scene.states.keys), is: "state", of: scene.name)
        return name
    }

    private func value(_ json: JSONValue) throws(Fault) -> Value {
        guard let value = NativeValues.value(json, budget) else {
            throw Fault(
                message:
                    "A value of the program has values more than \(budget.valueDepth) deep in each other, more than \(budget.valueCount) of them, or a text of more than \(budget.textByteCount) bytes",
                hint: "it has no effect")
        }
        return value
    }

    private func literal(_ json: JSONValue) throws(Fault) -> Expression { .literal(try value(json)) }

    private func show(
        _ name: String, isPushed: Bool, _ with: JSONValue?, _ result: String?
    ) throws(Fault) -> Step {
        let entry = DocumentReader.entry(of: name, isPushed: isPushed)
        guard program.scenes[name] != nil, program.entries[entry] != nil else {
            throw unknown(name, among: Array(program.scenes.keys), is: "document", of: "the program")
        }
        let content = try with.map { json throws(Fault) in try literal(json) } ?? .literal(.null)
        guard let result else { return .show(entry, content: content) }
        return .showForResult(entry, content: content, result: [.handle(result, argument: nil)])
    }

    private func service(_ name: String?) throws(Fault) -> String {
        let names = Array(program.services.keys)
        if let name {
            try check(name, among: names, is: "service", of: "the program")
            return name
        }
        guard names.count == 1 else {
            throw Fault(
                message: "The program calls a service without its name, and has \(names.count)",
                hint: names.isEmpty ? nil : "there are \(NameList(names.sorted()))")
        }
        return names[0]
    }

    private func check(_ name: String, among names: [String], is what: String, of owner: String) throws(Fault) {
        guard !names.contains(name) else { return }
        throw unknown(name, among: names, is: what, of: owner)
    }

    private func unknown(_ name: String, among names: [String], is what: String, of owner: String) -> Fault {
        let known = names.sorted()
        return Fault(
            message: "The program names the \(what) \(name.excerpt), which \(owner.excerpt) does not have",
            hint: NearestName.of(name, in: known).map { "did you mean \($0.excerpt)?" }
                ?? (known.isEmpty ? nil : "it has \(NameList(known.map { $0.excerpt }))"))
    }
}
