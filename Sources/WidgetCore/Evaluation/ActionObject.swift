internal import Predicates

/// An action as expressions see it: how far it is, and what it would be given.
final class ActionObject: PredicateObject {
    private let id: String
    private let screen: ScreenScope

    init(_ id: String, in screen: ScreenScope) {
        self.id = id
        self.screen = screen
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "status": return screen.screen.actions[id].map { .object(StatusObject($0)) } ?? .null
        case "pickedNumber":
            let forms = screen.action(id)?.sender.flatMap { screen.scene.node($0)?.pickerForms } ?? []
            return .integer(
                Int64(
                    forms.count { form in
                        screen.meter?.spend(Meter.item)
                        guard let container = screen.scene.node(form)?.form?.media?.container else { return false }
                        return !PropertyReader.value(.value, of: container, item: nil, in: screen).isNull
                    }))
        case "actionName": return screen.action(id)?.name.map { .string($0) } ?? .null
        case "content": return content
        case "isSearching", "searching": return .boolean(!(screen.screen.searching[id] ?? "").isEmpty)
        case "searchString": return .string(screen.screen.searching[id] ?? "")
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }

    /// What is in its form now; else what it was given last, or would be given.
    private var content: Value {
        guard let action = screen.action(id) else { return .null }
        if let form = action.form.flatMap({ screen.scene.node($0)?.form }) {
            let reader = FormReader(form, screen)
            return reader.missing.isEmpty ? reader.value : .null
        }
        if let given = screen.screen.arguments[id] { return screen.current(given) }
        guard let argument = action.argument, let deeper = screen.deeper else { return .null }
        return (try? argument.value(.object(deeper), deeper.context)) ?? .null
    }
}

/// How far something is.
final class StatusObject: PredicateObject {
    private let state: StatusState

    init(_ state: StatusState) {
        self.state = state
    }

    func value(forKey key: String) -> Value? {
        switch key {
        case "inProgress", "isInProgress": .boolean(state.isInProgress)
        case "isSuccess", "success": .boolean(state.isSuccess)
        case "isFailure", "failure": .boolean(state.isFailure)
        case "error": state.error.map { .string($0) } ?? .null
        case "progress": state.progress.map { .double($0) } ?? .null
        default: key == "self" || key == "SELF" ? nil : .null
        }
    }
}
