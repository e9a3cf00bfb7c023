/// A value that is somewhere else: a widget can show it and change it.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value: Codable & Sendable>: Changing {
    private let read: () -> Value
    private let write: (Value) -> Void
    private let written: () -> Operand

    init(_ reference: StateReference<Value>) {
        read = { reference.box.value }
        write = { reference.box.value = $0 }
        written = { Operand(reference.box) }
    }

    private init(
        read: @escaping () -> Value, write: @escaping (Value) -> Void, written: @escaping () -> Operand
    ) {
        self.read = read
        self.write = write
        self.written = written
    }

    /// A binding by code. A control that changes it calls `set`; what `get` answers is looked at after each event.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        let box = DerivedBox(get: get, set: set)
        self.init(read: get, write: set, written: { Operand(box) })
    }

    /// A binding of a value that nothing changes.
    public static func constant(_ value: Value) -> Binding {
        Binding(read: { value }, write: { _ in }, written: { .literal(value) })
    }

    /// The value, which code reads and changes.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself: `$name` of a binding `name`.
    public var projectedValue: Binding { self }

    /// The value as documents have it.
    public var operand: Operand { written() }

    /// A binding of a member.
    public subscript<Member: Codable & Sendable>(
        dynamicMember path: WritableKeyPath<Value, Member>
    ) -> Binding<Member> {
        let keys = MemberPath.keys(path)
        let (read, write, written) = (self.read, self.write, self.written)
        return Binding<Member>(
            read: { read()[keyPath: path] },
            write: { member in
                var whole = read()
                whole[keyPath: path] = member
                write(whole)
            },
            written: { written().member(keys) })
    }

    /// A member that cannot be changed.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Reading<Member> {
        Reading(operand.member(MemberPath.keys(path)))
    }

    /// A member of a value that may be missing.
    public subscript<Wrapped, Member>(dynamicMember path: KeyPath<Wrapped, Member>) -> Reading<Member?>
    where Value == Wrapped? { Reading(operand.member(MemberPath.keys(path))) }

    /// The value as code makes another one of it. Such a screen cannot be exported.
    public func map<Result: Codable & Sendable>(_ transform: @escaping (Value) -> Result) -> Reading<Result> {
        let read = self.read
        let box = DerivedBox<Result>(get: { transform(read()) }, set: nil)
        return Reading(Operand(box))
    }

    /// A binding of what code makes of the value, and back. Such a screen cannot be exported.
    public func map<Result: Codable & Sendable>(
        _ transform: @escaping (Value) -> Result, back: @escaping (Result) -> Value
    ) -> Binding<Result> {
        let (read, write) = (self.read, self.write)
        return Binding<Result>(get: { transform(read()) }, set: { write(back($0)) })
    }
}

extension Binding: @unchecked Sendable {}
