import JSONText
import Testing
import WidgetContract
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// A widget made of documents that a test writes, driven event by event.
struct DocumentBench {
    let program: Program
    var store: Store
    private(set) var environment = Environment()
    /// The addresses that the host was to open.
    private(set) var opened: [String] = []
    /// The reason why the last event opened or sent nothing.
    private(set) var notice: String?
    /// The diagnostics of the last event.
    private(set) var reported: [Finding] = []
    /// The same as texts.
    var faults: [String] { reported.map(\.description) }

    init(
        _ main: String, documents: [String: String] = [:], components: [String: String] = [:],
        theme: String? = nil, policy: ElementPolicy = .skip, limits: DocumentLimits = DocumentLimits()
    ) throws(DocumentError) {
        program = try DocumentBench.program(main, documents, components, theme: theme, policy, limits)
        store = Store(model: program.model)
        send(.start)
    }

    static func program(
        _ main: String, _ documents: [String: String] = [:], _ components: [String: String] = [:],
        theme: String? = nil, _ policy: ElementPolicy = .skip, _ limits: DocumentLimits = DocumentLimits()
    ) throws(DocumentError) -> Program {
        let others = documents.sorted { $0.key < $1.key }.map {
            DocumentFile(path: "\($0.key).widgets.json", name: $0.key, bytes: Array($0.value.utf8))
        }
        let first = DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(main.utf8))
        var input = DocumentInput(identifier: "a.b", documents: [first] + others, first: "Main")
        input.components = components.sorted { $0.key < $1.key }.map {
            DocumentFile(path: "components/\($0.key).json", name: $0.key, bytes: Array($0.value.utf8))
        }
        input.theme = theme.map { DocumentFile(path: "theme.json", name: "theme", bytes: Array($0.utf8)) }
        input.policy = policy
        input.limits = limits
        return try DocumentReader.program(input)
    }

    @discardableResult
    mutating func send(_ event: Event) -> String? {
        let transition = Reducer.reduce(event, store, in: program, environment)
        store = transition.store
        notice = transition.unsent
        reported = transition.diagnostics
        for case .open(let address) in transition.effects { opened.append(address) }
        return transition.refusal
    }

    /// Sends an event to the row at a place of a list.
    @discardableResult
    mutating func send(
        toRow row: Int, inSection section: Int = 0, of list: ViewKey, _ event: (ViewKey) -> Event
    ) -> String? {
        switch view.row(row, inSection: section, of: list) {
        case .row(let key): send(event(key))
        case .missing(let reason): reason
        }
    }

    mutating func pass(_ seconds: Double) {
        environment.now += seconds
        send(.time)
    }

    /// Shows it in another place.
    mutating func show(in display: Display, _ abilities: Set<HostAbility> = Set(HostAbility.allCases)) {
        environment.display = display
        environment.abilities = abilities
    }

    /// Continues for a reader of another language.
    mutating func read(in locale: String) { environment.locale = locale }

    mutating func set(now: Double) { environment.now = now }

    var view: View { Evaluator(program).view(of: store, environment) }

    /// The screen as text, without the spaces around it.
    var text: String {
        String(decoding: ViewText(width: 80).text(view).utf8, as: UTF8.self)
            .trimming { $0 == "\n" || $0 == " " }
    }

    var lines: [String] {
        text.split(separator: "\n").map { line in String(line).trimming { $0 == " " } }
    }

    /// The first node with that identifier, or with that text.
    func key(_ name: String) throws -> ViewKey {
        var found: ViewKey?
        view.visit { node in
            if node.identifier == name || node.text(.text) == name { found = node.key }
            return found == nil
        }
        return try #require(found, "\(name) is not on the screen:\n\(text)")
    }

    mutating func tap(_ name: String) throws -> String? { send(.tap(try key(name))) }

    mutating func type(_ text: String, into name: String) throws -> String? {
        send(.input(try key(name), .string(text)))
    }

    var messages: [String] { program.diagnostics.map(\.description) }

    var codes: [String] { program.diagnostics.map(\.code.rawValue) }
}

extension String {
    fileprivate func trimming(_ isLeftOut: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isLeftOut(first) { rest.removeFirst() }
        while let last = rest.last, isLeftOut(last) { rest.removeLast() }
        return String(rest)
    }
}
