internal import WidgetCore
internal import WidgetPredicates
internal import WidgetRunning

/// The values that a widget holds beside those of its elements, as its author reads them: states, records, requests. Texts that
/// hold what is typed into a secret field are left out.
struct HeldValues {
    /// A state of the screen, or another value that its expressions read by a name.
    struct Named {
        let kind: String
        let name: String
        let value: String
    }

    struct Kept {
        let name: String
        /// The fields, as `title is Emma`.
        let fields: [String]
    }

    struct Sent {
        let action: String
        let method: String
        let address: String
        /// The status of the answer, or a few words in its place.
        let status: String
        /// The beginning of the answer.
        let answer: String
    }

    private let program: Program
    private let store: Store
    private let log: RequestLog
    /// The values of fields whose text is not shown. One or two letters are in most texts.
    private let secrets: [String]

    static let secret = "a secret"
    /// The most fields of a record, and bytes of a value.
    private static let fieldCount = 20
    private static let byteCount = 400

    init(_ program: Program, _ store: Store, _ log: RequestLog, in view: View) {
        self.program = program
        self.store = store
        self.log = log
        var secrets: [String] = []
        view.visit { node in
            if node.isTrue(.isSecure), let text = node[.text]?.text, text.utf8.count > 2 { secrets.append(text) }
            return true
        }
        self.secrets = secrets
    }

    /// A text, unless a secret is in it.
    func plain(_ text: String) -> String { secrets.contains { text.contains($0) } ? HeldValues.secret : text }

    private func outline(_ value: Value) -> String { plain(value.outline(upTo: HeldValues.byteCount)) }

    /// Settings and the content of the screen first, and its states last.
    var named: [Named] {
        guard let screen = store.visible, let scene = program.scenes[screen.scene] else { return [] }
        let secure = Set(scene.nodes.filter { $0[.isSecure] != nil }.compactMap { $0.state?.state })
        var all = store.settings.keys.map { name in
            Named(kind: "setting", name: "defaults.\(name)", value: outline(store.settings[name] ?? .null))
        }
        // What is passed to a screen with parameters has their names.
        if scene.parameters.isEmpty, !screen.content.isNull {
            all.append(Named(kind: "value", name: "content", value: outline(screen.content)))
        }
        for source in scene.sources {
            let count = screen.sources[source.id]?.items.count ?? 0
            all.append(Named(kind: "provider", name: source.id, value: "\(count) item\(count == 1 ? "" : "s")"))
        }
        for source in scene.data {
            let state = screen.data[source.id] ?? DataState()
            let fault = state.status.error.map { ": \($0)" } ?? ""
            let value = state.value.map { ", \(outline($0))" } ?? ""
            all.append(Named(kind: "source", name: source.id, value: plain("\(state.phase.rawValue)\(fault)\(value)")))
        }
        for (name, value) in scene.parameters.sorted(by: { $0.key < $1.key }) {
            let given = screen.content.member(name)
            all.append(Named(kind: "parameter", name: name, value: outline(given.isNull ? value : given)))
        }
        for (name, value) in scene.states.sorted(by: { $0.key < $1.key }) {
            let text = secure.contains(name) ? HeldValues.secret : outline(screen.states[name] ?? value)
            all.append(Named(kind: "state", name: name, value: text))
        }
        return all
    }

    var recordCount: Int { store.records.count }

    /// The records that were added last, in their order.
    func records(atMost count: Int) -> [Kept] {
        let table = store.records
        return table.all.suffix(count).map { record in
            let object = RecordObject(record.id, in: table)
            let fields = table.model.entities[record.entity].properties.prefix(HeldValues.fieldCount).map { property in
                plain("\(property.name) is \((object?.value(forKey: property.name) ?? .null).shown)")
            }
            return Kept(name: object?.value(forKey: "description")?.text ?? "", fields: fields)
        }
    }

    /// The last requests with their answers, in their order.
    var requests: [Sent] {
        let waiting = Set(store.requests.map { $0.number })
        return log.all.map { request in
            let open = waiting.contains(request.number) ? "waits for its answer" : "was given up"
            let answer = (request.answer?.body ?? "").shortened(toByteCount: HeldValues.byteCount)
            return Sent(
                action: request.action, method: request.method, address: plain(request.address),
                status: plain(request.answer?.status ?? open), answer: plain(answer))
        }
    }
}
