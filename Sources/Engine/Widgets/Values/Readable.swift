/// A value that a widget can show: a constant, a binding, or something computed from bindings.
public protocol Readable<Value> {
    /// The type of the value.
    associatedtype Value

    /// The value as documents have it.
    var operand: Operand { get }
}

extension String: Readable {
    /// The type of the value.
    public typealias Value = String
    /// The text as a constant of documents.
    public var operand: Operand { .literal(self) }
}

extension Bool: Readable {
    /// The type of the value.
    public typealias Value = Bool
    /// The truth value as a constant of documents.
    public var operand: Operand { .literal(self) }
}

extension Int: Readable {
    /// The type of the value.
    public typealias Value = Int
    /// The number as a constant of documents.
    public var operand: Operand { .literal(self) }
}

extension Double: Readable {
    /// The type of the value.
    public typealias Value = Double
    /// The number as a constant of documents.
    public var operand: Operand { .literal(self) }
}

/// A readable that is not a constant, and can be computed with.
public protocol Changing<Value>: Readable {}

/// A value that is computed from others while the widget runs. It is data, so a document can have it.
@dynamicMemberLookup
public struct Reading<Value>: Changing {
    /// The computation of the value, as documents have it.
    public let operand: Operand

    package init(_ operand: Operand) { self.operand = operand }

    /// A member of the value.
    public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Reading<Member> {
        Reading<Member>(operand.member(MemberPath.keys(path)))
    }

    /// A member of a value that may be missing.
    public subscript<Wrapped, Member>(dynamicMember path: KeyPath<Wrapped, Member>) -> Reading<Member?>
    where Value == Wrapped? { Reading<Member?>(operand.member(MemberPath.keys(path))) }

    /// An expression in the language of documents, for what Swift has no operator for. Names in it are those of the
    /// document: states by the names of their properties, and sources.
    public static func expression(_ text: String) -> Reading {
        Reading(Operand(.expression([.text(text)], isCondition: false)))
    }

    /// A condition in the language of documents.
    public static func condition(_ text: String) -> Reading where Value == Bool {
        Reading(Operand(.expression([.text(text)], isCondition: true)))
    }
}

/// The keys of a path of stored properties.
enum MemberPath {
    /// `\User.address.street` as `["address", "street"]`.
    static func keys(_ path: AnyKeyPath) -> [String] {
        var text = "\(path)"
        guard text.hasPrefix("\\") else { return [text] }
        text.removeFirst()
        // The root may be a generic type, whose arguments have dots.
        var depth = 0
        var keys: [String] = []
        var key = ""
        for character in text {
            switch character {
            case "<": depth += 1
            case ">": depth -= 1
            default: break
            }
            if character == ".", depth == 0 {
                keys.append(key)
                key = ""
            } else if character != "?", character != "!" {
                key.append(character)
            }
        }
        keys.append(key)
        // The address of a computed property is another one in each run.
        let members = keys.dropFirst().map { key in
            key.hasPrefix("<computed ") ? "<computed " + key.drop { $0 != "(" } : key
        }
        // The value itself has no member of that name.
        return members == ["self"] ? [] : members
    }
}
