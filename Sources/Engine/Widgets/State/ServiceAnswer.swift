internal import JSONText
internal import WidgetContract

/// A value that a service answers with: a source of the screen. The last good answer stays while newer ones are asked for.
///
/// A description of the service, `Bundle/NAME.json` or `Bundle/services/NAME.json`, says what its actions are.
@dynamicMemberLookup
public struct ServiceAnswer<Value>: Changing {
    let request: AnswerRequest

    /// The answer of a service to one of its actions: `ServiceAnswer("list", of: "people")`.
    ///
    /// - Parameters:
    ///   - action: the action of the service.
    ///   - service: the service's name; it can be left out where there is only one.
    ///   - name: the name of the source; by default that of the action.
    ///   - values: the values for the places of the description, such as `$user` in its path.
    ///   - part: the key path of the value in the answer.
    ///   - moment: the moment in which it is asked. Without one it is asked when the screen is made, or, if that changes
    ///     something on a server (`POST`, `PUT`, `PATCH`, `DELETE`), by actions alone.
    ///   - seconds: those after which it is asked again.
    public init(
        _ action: String, of service: String? = nil, named name: String? = nil,
        with values: KeyValuePairs<String, any Readable> = [:], part: String? = nil, when moment: AnswerMoment? = nil,
        every seconds: Double? = nil, file: String = #filePath, line: Int = #line
    ) {
        request = AnswerRequest(
            name: name ?? action,
            members: [
                ("action", .literal(action)), ("service", service.map { .literal($0) }),
                ("part", part.map { .literal($0) }), ("when", moment.map { .literal($0.rawValue) }),
                ("every", seconds.map { .literal($0) }),
            ], values: values.map { ($0.key, $0.value.operand) }, place: SourcePlace(file, line),
            mismatch: ServiceAnswer.mismatch)
    }

    /// The reason that a value is not of the type of the answer. Types that cannot be read from documents fit all.
    private static func mismatch(_ json: JSONValue) -> String? {
        guard let type = Value.self as? any Decodable.Type else { return nil }
        return PlainValue.mismatch(json, as: type)
    }

    /// The value as documents have it.
    public var operand: Operand { Operand(request) }

    /// The state of its request.
    public var status: AnswerStatus { AnswerStatus(request: request) }

    /// A member of the value.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Reading<Member> {
        Reading(operand.member(MemberPath.keys(path)))
    }
}

/// The moment in which a service is asked.
public enum AnswerMoment: String, Sendable {
    /// When the screen is made. A request that changes something on a server needs an `idempotencyKey`, or waits.
    case load
    /// Each time that the screen is about to be seen, likewise.
    case appear
    /// When the screen is made, and when the values change. A request that changes something on a server begins with the
    /// first change.
    case change
    /// By actions alone.
    case demand
}

/// The state of the request of an answer.
public struct AnswerStatus {
    let request: AnswerRequest

    /// `waiting` (not asked yet), `loading` (the first answer is on its way), `error`, `empty` or `loaded`.
    public var phase: Reading<String> { member("phase") }
    /// True while a request is under way.
    public var inProgress: Reading<Bool> { member("inProgress") }
    /// The part of the request that is done.
    public var progress: Reading<Double> { member("progress") }
    /// True if the last request has succeeded.
    public var success: Reading<Bool> { member("success") }
    /// True if the last request has failed.
    public var failure: Reading<Bool> { member("failure") }
    /// The reason of the last failure.
    public var error: Reading<String> { member("error") }
    /// True once there is an answer, also while a newer one is asked for.
    public var loaded: Reading<Bool> { member("loaded") }
    /// True before the first answer, and while the answer has nothing in it.
    public var empty: Reading<Bool> { member("empty") }

    private func member<Value>(_ name: String) -> Reading<Value> {
        Reading(Operand(AnswerStatusName(request), keys: [name]))
    }
}

/// The request of a source of a screen.
final class AnswerRequest: NamedValue {
    let name: String
    private let members: [(name: String, value: Operand?)]
    private let values: [(name: String, value: Operand)]
    private let place: SourcePlace
    private let mismatch: (JSONValue) -> String?

    init(
        name: String, members: [(String, Operand?)], values: [(String, Operand)], place: SourcePlace,
        mismatch: @escaping (JSONValue) -> String?
    ) {
        self.name = name
        self.members = members
        self.values = values
        self.place = place
        self.mismatch = mismatch
    }

    /// The fault of an answer that is not of the type that the screen reads it with.
    func fault(of answer: JSONValue) -> NativeRemark? {
        guard let reason = mismatch(answer) else { return nil }
        return NativeRemark(
            "The stub's answer to \(name) is not of the type \(reason)",
            hint: "make that member optional in the type, or have each answer give it", file: place.file,
            line: place.line)
    }

    func name(in writer: SceneWriter) -> String {
        writer.use(self)
        return name
    }

    /// The source as a document has it.
    func json(_ writer: SceneWriter) -> JSONValue {
        var written = members.compactMap { name, value in value.map { (name, writer.json($0)) } }
        if !values.isEmpty { written.append(("with", .record(values.map { ($0.name, writer.json($0.value)) }))) }
        return .record(written)
    }

    /// A text that is the same for requests that ask the same.
    var identity: String {
        let parts = members.compactMap { name, value in value.map { "\(name)=\($0.identity)" } }
        return "answer \(name) \(parts) \(values.map { "\($0.name)=\($0.value.identity)" })"
    }
}

/// The name of the state of a source.
final class AnswerStatusName: NamedValue {
    let request: AnswerRequest

    init(_ request: AnswerRequest) { self.request = request }

    func name(in writer: SceneWriter) -> String { request.name(in: writer) + ".status" }
}
