/// What can be bound to a place in a statement. Values never become part of a statement's text.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ value: Int) -> DatabaseValue { .integer(Int64(value)) }

    package static func flag(_ value: Bool) -> DatabaseValue { .integer(value ? 1 : 0) }

    package static func optional(_ value: Int64?) -> DatabaseValue { value.map { .integer($0) } ?? .null }

    package static func optional(_ value: String?) -> DatabaseValue { value.map { .text($0) } ?? .null }
}
