internal import WidgetCore
package import WidgetPredicates

/// A value that an app gives to a widget, or gets from it: what JSON has, and no more.
///
/// ```swift
/// configuration.parameters = ["city": "Berlin", "days": 3]
/// ```
public enum WidgetValue: Hashable, Sendable {
    /// No value.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number that need not be whole.
    case number(Double)
    /// A text.
    case text(String)
    /// Several values in their order.
    case list([WidgetValue])
    /// Values by their names.
    case object([String: WidgetValue])

    var value: PredicateValue {
        switch self {
        case .null: .null
        case .boolean(let truth): .boolean(truth)
        case .integer(let integer): .integer(integer)
        case .number(let number): .double(number)
        case .text(let text): .string(text)
        case .list(let elements): .array(elements.map(\.value))
        case .object(let members):
            .dictionary(PredicateDictionary(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }))
        }
    }

    /// The depth of a widget's values is limited where they are read.
    package init(_ value: PredicateValue) {
        switch value {
        case .null, .object: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let integer): self = .integer(integer)
        case .double(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .array(let elements), .set(let elements): self = .list(elements.map { WidgetValue($0) })
        case .dictionary(let dictionary):
            var members: [String: WidgetValue] = [:]
            for key in dictionary.keys { members[key] = dictionary[key].map { WidgetValue($0) } }
            self = .object(members)
        case .decimal, .date, .data: self = .text(value.shown)
        }
    }
}

extension WidgetValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(arrayLiteral elements: WidgetValue...) { self = .list(elements) }
    public init(nilLiteral: ()) { self = .null }

    /// Of several members of a name, the last one counts.
    public init(dictionaryLiteral elements: (String, WidgetValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
