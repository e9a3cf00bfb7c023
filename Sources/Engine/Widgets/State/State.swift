/// A value that belongs to a screen or to one of its parts. A change shows at once wherever it is read.
///
/// `$name` is a binding of it. Copies share one value, which survives when the screen is built again.
@propertyWrapper
public struct State<Value: Codable & Sendable>: MountedState {
    let reference: StateReference<Value>

    /// A state with the value that it has in a new screen.
    public init(wrappedValue: Value) { reference = StateReference(StateBox(wrappedValue)) }

    /// The value, which code reads and changes.
    public var wrappedValue: Value {
        get { reference.box.value }
        nonmutating set { reference.box.value = newValue }
    }

    /// A binding of the value: `$name` of a state `name`.
    public var projectedValue: Binding<Value> { Binding(reference) }

    var box: AnyStateBox { reference.box }

    func adopt(_ box: AnyStateBox) -> Bool {
        guard let box = box as? StateBox<Value> else { return false }
        reference.box = box
        return true
    }
}

extension State: @unchecked Sendable {}

/// A state as the mount sees it of any type.
protocol MountedState {
    var box: AnyStateBox { get }

    /// Continues with the value of an earlier build.
    ///
    /// - Returns: false if that has another type.
    func adopt(_ box: AnyStateBox) -> Bool
}

/// The place of a box in a property. A screen that is built again puts the earlier box there.
final class StateReference<Value: Codable & Sendable> {
    var box: StateBox<Value>

    init(_ box: StateBox<Value>) { self.box = box }
}
