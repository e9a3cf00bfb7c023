internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetRunning

/// The answers of granted services while a widget ran, as the descriptions of stubs that give them again.
///
/// Of each action, the first good answer is kept. No field of a request or of an answer's head is: what a stub needs of the
/// author's description is copied, and that has none.
package final class AnswerRecorder: Sendable {
    private struct State {
        var answers: [String: [String: JSONValue]] = [:]
        var remarks: [String] = []
        var byteCount = 0
        var valueCount = 0
    }

    /// The most bytes of one answer, and of all of them.
    private static let answerByteCount = 256 << 10
    private static let byteCount = 2 << 20
    /// Readers of descriptions take twice as many.
    private static let valueCount = 100_000
    private static let actionCount = 200
    private static let remarkCount = 50

    private let state = Guarded(State())
    private let changed: @Sendable (AnswerRecorder) -> Void

    /// - Parameter changed: called after each answer that is kept.
    package init(changed: @escaping @Sendable (AnswerRecorder) -> Void) {
        self.changed = changed
    }

    /// The network, whose answers are kept.
    package func recording(_ network: any WidgetNetwork) -> any WidgetNetwork { RecordingNetwork(network, self) }

    /// The names of the services that have answered.
    package var services: [String] { state.withLock { $0.answers.keys.sorted() } }

    /// The number of the actions that have answered.
    package var count: Int { state.withLock { $0.answers.values.reduce(0) { $0 + $1.count } } }

    /// Sentences about what is not whole in the recording.
    package var remarks: [String] { state.withLock { $0.remarks } }

    fileprivate func take(_ outgoing: OutgoingRequest, _ outcome: RequestOutcome) {
        let body: Value
        switch outcome {
        case .response(200..<300, let answer), .notModified(let answer): body = answer
        default: return
        }
        let (service, action) = (outgoing.service, outgoing.action)
        let isKnown = state.withLock { $0.answers[service]?[action] != nil }
        guard !isKnown, !action.isEmpty else { return }
        var mask = AnswerMask()
        let answer = mask.masked(NativeValues.json(body))
        var writer = JSONWriter()
        writer.value(answer)
        let (byteCount, valueCount, hasCut) = (writer.bytes.count, mask.valueCount, mask.hasCut)
        let isKept = state.withLock { state in
            guard state.answers[service]?[action] == nil else { return false }
            let actions = state.answers.values.reduce(0) { $0 + $1.count }
            guard byteCount <= AnswerRecorder.answerByteCount, actions < AnswerRecorder.actionCount,
                state.byteCount + byteCount <= AnswerRecorder.byteCount,
                state.valueCount + valueCount <= AnswerRecorder.valueCount
            else {
                AnswerRecorder.note("the answer of \(action.excerpt) is too large to be recorded", &state)
                return false
            }
            if hasCut {
                AnswerRecorder.note(
                    "of the lists of \(action.excerpt), \(AnswerMask.elementCount) elements were recorded", &state)
            }
            state.answers[service, default: [:]][action] = answer
            state.byteCount += byteCount
            state.valueCount += valueCount
            return true
        }
        if isKept { changed(self) }
    }

    private static func note(_ remark: String, _ state: inout State) {
        if state.remarks.count < remarkCount, !state.remarks.contains(remark) { state.remarks.append(remark) }
    }

    // MARK: - Descriptions

    /// The members of an authored action that a stub keeps: how answers are read, and no request.
    private static let actionKeys = [
        "httpMethod", "resultType", "resultKeyPath", "errorKeyPath", "clearPolicy", "set", "nextAction", "records",
        "optimistic",
    ]
    private static let defaultKeys = ["httpMethod", "resultKeyPath", "errorKeyPath"]
    private static let serviceKeys = ["options"]

    /// The description of a stub with the answers of a service.
    ///
    /// - Parameter description: that of the service, as its author has written it.
    package func stub(of service: String, describedBy description: [UInt8]) -> [UInt8] {
        let limits = JSONLimits(byteCount: 4 << 20)
        let authored = try? JSONValue(parsing: description, limits: limits)
        let answers = state.withLock { $0.answers[service] ?? [:] }
        var writer = JSONWriter()
        writer.object { writer in
            let defaults = AnswerRecorder.kept(AnswerRecorder.defaultKeys, of: authored?["defaults"])
            if !defaults.isEmpty {
                writer.key("defaults")
                writer.object { writer in
                    for (name, value) in defaults { writer.member(name, value) }
                }
            }
            for (name, value) in AnswerRecorder.kept(AnswerRecorder.serviceKeys, of: authored) {
                writer.member(name, value)
            }
            writer.key("actions")
            writer.object { writer in
                let actions = authored?["actions"]?.object?.members ?? []
                let other = Set(answers.keys).subtracting(actions.map { $0.name }).sorted()
                for (name, action) in actions.map({ ($0.name, Optional($0.value)) }) + other.map({ ($0, nil) }) {
                    writer.key(name)
                    writer.object { writer in
                        for (name, value) in AnswerRecorder.kept(AnswerRecorder.actionKeys, of: action) {
                            writer.member(name, value)
                        }
                        if let answer = answers[name] { writer.member("response", answer) }
                    }
                }
            }
        }
        return JSONLayout.indented(writer.finish())
    }

    private static func kept(_ names: [String], of json: JSONValue?) -> [(String, JSONValue)] {
        names.compactMap { name in json?[name].map { (name, $0) } }
    }
}

/// A network whose answers are recorded.
private struct RecordingNetwork: WidgetNetwork {
    private let network: any WidgetNetwork
    private let recorder: AnswerRecorder

    init(_ network: any WidgetNetwork, _ recorder: AnswerRecorder) {
        self.network = network
        self.recorder = recorder
    }

    func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        await network.outcome(of: request, progress: progress)
    }

    func outcome(
        of outgoing: OutgoingRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        let outcome = await network.outcome(of: outgoing, progress: progress)
        recorder.take(outgoing, outcome)
        return outcome
    }

    func takeNotice() -> String? { network.takeNotice() }

    /// Pictures are no answers of services.
    var fetchesPictures: Bool { network.fetchesPictures }

    func picture(at address: String) async -> FetchedPicture { await network.picture(at: address) }
}
