/// What stands under a key, with the type it was written as.
package enum NibContent: Equatable, Sendable {
    case int8(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case boolean(Bool)
    /// By their bits, so that a number that is not one stays the one it was.
    case float(bits: UInt32)
    case double(bits: UInt64)
    case data(NibData)
    case null
    case object(UInt32)
}

/// A piece of the bytes that a graph keeps.
package struct NibData: Equatable, Hashable, Sendable {
    package var start: UInt32
    package var count: UInt32

    package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

extension NibContent {
    package static func float(_ value: Float) -> NibContent { .float(bits: value.bitPattern) }

    package static func double(_ value: Double) -> NibContent { .double(bits: value.bitPattern) }

    package var integer: Int64? {
        switch self {
        case .int8(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .int64(let value): value
        case .boolean(let value): value ? 1 : 0
        default: nil
        }
    }

    /// A number of any kind.
    package var double: Double? {
        switch self {
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        default: integer.map { Double($0) }
        }
    }

    /// As the decoders of UIKit see it: a number is true unless it is zero.
    package var boolean: Bool? { integer.map { $0 != 0 } }

    package var object: Int? {
        if case .object(let index) = self { Int(index) } else { nil }
    }

    package var data: NibData? {
        if case .data(let data) = self { data } else { nil }
    }

    package var typeName: String {
        switch self {
        case .int8: "int8"
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .boolean: "boolean"
        case .float: "float"
        case .double: "double"
        case .data: "data"
        case .null: "nil"
        case .object: "object"
        }
    }
}
