import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// The description of a service that tests answer for.
struct TestService {
    var service: Service

    init(_ name: String, _ questions: [String: String], posts: [String: String] = [:]) {
        var actions: [String: ServiceAction] = [:]
        for (name, url) in questions.merging(posts, uniquingKeysWith: { first, _ in first }) {
            var action = ServiceAction(name, url: Template(url, .keys), parameters: StructuredTemplate(.null))
            if posts[name] != nil { action.method = "POST" }
            actions[name] = action
        }
        service = Service(name, actions: actions)
    }

    /// A service of the address `https://shop.example`.
    init(_ actions: TestAction...) {
        service = Service(
            "Shop", actions: Dictionary(uniqueKeysWithValues: actions.map { ($0.action.name, $0.action) }))
    }
}

/// The description of an action.
struct TestAction {
    private(set) var action: ServiceAction

    init(
        _ name: String, _ method: String = "POST", path: String? = nil, with parameters: Value = .null,
        in place: ParameterPlace = .body, change: (inout ServiceAction) -> Void = { _ in }
    ) {
        action = ServiceAction(
            name, url: Template("https://shop.example/\(path ?? name)", .keys),
            parameters: StructuredTemplate(parameters))
        action.method = method
        action.hasParameters = !parameters.isNull
        action.parameterPlace = place
        change(&action)
    }
}

/// A widget of documents whose requests a test answers.
struct ServiceBench {
    private(set) var program: Program
    private(set) var store: Store
    private(set) var environment = Environment()
    /// Requests without an answer, by their numbers.
    private var requests: [(number: Int, request: ServiceRequest)] = []
    private(set) var canceled = 0
    /// The reasons of all requests that failed.
    private(set) var failures: [String] = []
    private(set) var opened: [String] = []
    /// The diagnostics of all events.
    private(set) var reported: [Finding] = []

    init(
        _ main: String, documents: [String: String] = [:], components: [String: String] = [:],
        services: [TestService] = [], limits: DocumentLimits = DocumentLimits(), model: EntityModel? = nil
    ) throws(DocumentError) {
        var input = DocumentInput(
            identifier: "a.b",
            documents: [DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(main.utf8))]
                + documents.sorted { $0.key < $1.key }.map {
                    DocumentFile(path: "\($0.key).widgets.json", name: $0.key, bytes: Array($0.value.utf8))
                }, first: "Main")
        input.components = components.sorted { $0.key < $1.key }.map {
            DocumentFile(path: "components/\($0.key).json", name: $0.key, bytes: Array($0.value.utf8))
        }
        input.services = services.map(\.service)
        input.limits = limits
        program = try DocumentReader.program(input)
        store = Store(model: model ?? program.model)
        send(.start)
    }

    @discardableResult
    mutating func send(_ event: Event) -> String? {
        let transition = Reducer.reduce(event, store, in: program, environment)
        store = transition.store
        failures += transition.failures.map(\.reason)
        reported += transition.diagnostics
        for effect in transition.effects {
            switch effect {
            case .request(let number, let request): requests.append((number, request))
            case .cancel(let number):
                requests.removeAll { $0.number == number }
                canceled += 1
            case .open(let address): opened.append(address)
            case .persist, .native, .handle, .settings, .cache: break
            }
        }
        return transition.refusal
    }

    /// Continues with the program of another bench, as when a release is replaced.
    mutating func continues(with other: ServiceBench, _ event: Event) {
        program = other.program
        send(event)
    }

    /// The requests without an answer.
    var sent: [ServiceRequest] { requests.map(\.request) }

    /// The addresses of the requests without an answer.
    var waiting: [String] { requests.map(\.request.url) }

    /// Answers the first request.
    mutating func answer(_ body: Value, status: Int = 200) {
        guard !requests.isEmpty else { return }
        send(.response(request: requests.removeFirst().number, .response(status: status, body: body)))
    }

    mutating func answerAll(_ body: Value) {
        while !requests.isEmpty { answer(body) }
    }

    /// Lets the first request fail.
    mutating func fail(_ reason: String) {
        guard !requests.isEmpty else { return }
        send(.response(request: requests.removeFirst().number, .failure(reason)))
    }

    mutating func pass(_ seconds: Double) {
        environment.now += seconds
        send(.time)
    }

    var view: View { Evaluator(program).view(of: store, environment) }

    var text: String { ViewText(width: 80).text(view) }

    /// The lines of the screen without the spaces around them.
    var lines: [String] {
        text.split(separator: "\n").map { line in
            var rest = line[...]
            while rest.first == " " { rest.removeFirst() }
            while rest.last == " " { rest.removeLast() }
            return String(rest)
        }.filter { !$0.isEmpty }
    }

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

    mutating func refresh(_ name: String) throws { #expect(send(.refresh(try key(name))) == nil) }

    var messages: [String] { program.diagnostics.map(\.description) }
}
