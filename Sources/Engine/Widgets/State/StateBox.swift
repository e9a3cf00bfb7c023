package import JSONText
internal import WidgetBytes
internal import WidgetContract

/// The storage of a state: a value that code and documents both read and change.
///
/// It can be touched by any thread; its contents are behind a lock.
package class AnyStateBox: NamedValue {
    private let link = Guarded<(slot: String?, program: WeakProgram?)>((nil, nil))

    /// True for the state of a part that is made each time its screen is built.
    let isMadeWhileBuilding = StateReads.current != nil

    /// The value as documents have it.
    package var json: JSONValue { JSONValue(.null) }

    /// The value of Swift, to look at its members.
    var sample: Any? { nil }

    /// True if the value that it has in a new screen can be written in a document.
    var isEncodable: Bool { true }

    /// The value that it has in a new screen.
    var initial: JSONValue { JSONValue(.null) }

    /// Takes over a value that the document has now.
    ///
    /// - Returns: false if the type of the state has no such value.
    @discardableResult
    func take(_ json: JSONValue) -> Bool { false }

    /// Computes the value again from what it depends on.
    ///
    /// - Returns: true if it is another one.
    func refresh() -> Bool { false }

    /// True for a value that follows from others by code.
    var isDerived: Bool { false }

    package func name(in writer: SceneWriter) -> String { writer.use(self) }

    /// The name that it would have among the states of a program.
    var wanted: String { "state" }

    /// Its name among the states of the program.
    var slot: String? { link.withLock { $0.slot } }

    func join(_ program: DeclaredProgram, as slot: String) {
        link.withLock { $0 = (slot, WeakProgram(program)) }
    }

    /// Reports a value that cannot be encoded. The state keeps the one before.
    func noteFault() {
        let (slot, program) = link.withLock { $0 }
        program?.program?.remark("A value of the state \(slot ?? "") cannot be encoded, and is left out")
    }

    /// Reports a value of the document that the type of the state does not have.
    func noteFault(of sentence: String) {
        let (slot, program) = link.withLock { $0 }
        program?.program?.post(
            .remark(
                NativeRemark(
                    "The state \(slot ?? "") cannot have its new value: \(sentence)",
                    hint: "give it a type that the value fits, such as an optional one")))
    }

    func noteChange() {
        let program = link.withLock { $0.program }
        program?.program?.noteChange(of: self)
    }
}

/// A program that a box does not keep alive.
struct WeakProgram: @unchecked Sendable {
    weak var program: DeclaredProgram?

    init(_ program: DeclaredProgram) { self.program = program }
}

/// The storage of a state of one type.
final class StateBox<Value: Codable & Sendable>: AnyStateBox {
    private struct Contents: Sendable {
        var value: Value
        var json: JSONValue?

        /// Encoded once.
        var encoded: JSONValue {
            mutating get {
                if let json { return json }
                let new = PlainValue.json(value) ?? JSONValue(.null)
                json = new
                return new
            }
        }
    }

    private let contents: Guarded<Contents>
    private let first: Guarded<Contents>

    init(_ value: Value) {
        first = Guarded(Contents(value: value, json: nil))
        contents = Guarded(Contents(value: value, json: nil))
    }

    var value: Value {
        get {
            StateReads.current?.note(self)
            return contents.withLock { $0.value }
        }
        set {
            guard let json = PlainValue.json(newValue) else {
                noteFault()
                return
            }
            // Such an assignment would have the screen built again and again.
            if let slot, StateReads.current?.noteAssignment(of: slot) == true { return }
            let isOther = contents.withLock { contents in
                if contents.encoded == json { return false }
                contents = Contents(value: newValue, json: json)
                return true
            }
            if isOther { noteChange() }
        }
    }

    override var json: JSONValue { contents.withLock { $0.encoded } }

    override var initial: JSONValue { first.withLock { $0.encoded } }

    /// The first value is the one with which it becomes a part of a screen.
    override func join(_ program: DeclaredProgram, as slot: String) {
        let now = contents.withLock { $0 }
        first.withLock { $0 = now }
        super.join(program, as: slot)
    }

    override var sample: Any? { contents.withLock { $0.value } }

    override var isEncodable: Bool { first.withLock { PlainValue.json($0.value) != nil } }

    override func take(_ json: JSONValue) -> Bool {
        guard let value = PlainValue.value(json, as: Value.self) else {
            noteFault(of: PlainValue.fault(of: json, as: Value.self))
            return false
        }
        contents.withLock { $0 = Contents(value: value, json: json) }
        return true
    }
}

/// A value that code computes from others, and that code takes back when a control changes it.
final class DerivedBox<Value: Codable & Sendable>: AnyStateBox {
    private let read: () -> Value
    private let write: ((Value) -> Void)?
    private let name: String
    private let last = Guarded<JSONValue>(JSONValue(.null))

    init(get: @escaping () -> Value, set: ((Value) -> Void)?, name: String = "mapped") {
        self.name = name
        read = get
        write = set
        super.init()
        _ = refresh()
    }

    override var wanted: String { name }

    override var isDerived: Bool { true }

    override var json: JSONValue { last.withLock { $0 } }

    override var initial: JSONValue { json }

    override func refresh() -> Bool {
        // What is read here does not make the tree depend on it.
        let json = StateReads.$current.withValue(nil) { PlainValue.json(read()) ?? JSONValue(.null) }
        return last.withLock { last in
            defer { last = json }
            return last != json
        }
    }

    override func take(_ json: JSONValue) -> Bool {
        guard let write, let value = PlainValue.value(json, as: Value.self) else { return false }
        last.withLock { $0 = json }
        write(value)
        return true
    }
}

/// The states whose values were read while a screen was built. Another value of one makes another screen.
final class StateReads: Sendable {
    @TaskLocal static var current: StateReads?

    private struct Contents: Sendable {
        var boxes: Set<ObjectIdentifier> = []
        var assigned: Set<String> = []
        var texts: Set<SourcePlace> = []
        /// The state that was read last for the part of a text that is being written.
        var lastRead: ObjectIdentifier?
        /// The states whose values texts have, by the places of the texts.
        var values: [SourcePlace: ObjectIdentifier] = [:]
        var isOver = false
    }

    private let contents = Guarded(Contents())

    func note(_ box: AnyStateBox) {
        let identity = ObjectIdentifier(box)
        contents.withLock { contents in
            contents.boxes.insert(identity)
            contents.lastRead = identity
        }
    }

    /// What is read from now on belongs to the next part of a text.
    func beginPart() { contents.withLock { $0.lastRead = nil } }

    /// Notes the part of a text that is a constant, if a state was read for it.
    func notePart(at place: SourcePlace) {
        contents.withLock { contents in
            if !contents.isOver, let box = contents.lastRead, contents.values.count < StateReads.mostTexts {
                contents.values[place] = box
            }
            contents.lastRead = nil
        }
    }

    /// - Returns: false if the screen has been built by now: a task that began then still has this log.
    func noteAssignment(of slot: String) -> Bool {
        contents.withLock { contents in
            if !contents.isOver { contents.assigned.insert(slot) }
            return !contents.isOver
        }
    }

    /// Notes a text of Swift with a value in it, which it cannot follow.
    func noteText(at place: SourcePlace) {
        contents.withLock { contents in
            if !contents.isOver, contents.texts.count < StateReads.mostTexts { contents.texts.insert(place) }
        }
    }

    private static let mostTexts = 100

    /// The places of texts of Swift with values in them, in their order.
    var texts: [SourcePlace] {
        contents.withLock { $0.texts }.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
    }

    /// The places of texts that have the value of a state while the screen is built, in their order, with the states.
    var values: [(place: SourcePlace, box: ObjectIdentifier)] {
        contents.withLock { $0.values }.sorted { ($0.key.file, $0.key.line) < ($1.key.file, $1.key.line) }
            .map { (place: $0.key, box: $0.value) }
    }

    /// Ends the log.
    ///
    /// - Returns: the states that were read, and the names of those that were assigned.
    func end() -> (read: Set<ObjectIdentifier>, assigned: [String]) {
        contents.withLock { contents in
            contents.isOver = true
            return (contents.boxes, contents.assigned.sorted())
        }
    }
}
