/// A value that is bound to a place in a statement. Values never become part of a statement's text.
package enum PostgresValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case flag(Bool)

    /// The bytes of PostgreSQL's binary form; `nil` for null.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .flag(let flag): [flag ? 1 : 0]
        }
    }
}

/// The text of a statement with `$1`, `$2`, … in the places of `?`, as PostgreSQL wants it.
struct PlacedStatement: Equatable {
    let text: String
    /// The number of places.
    let count: Int

    /// Question marks within quotes stay.
    init(_ sql: StaticString) {
        var text: [UInt8] = []
        var count = 0
        var quote: UInt8?
        for byte in "\(sql)".utf8 {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "?") {
                count += 1
                text += Array("$\(count)".utf8)
                continue
            }
            text.append(byte)
        }
        self.text = String(decoding: text, as: UTF8.self)
        self.count = count
    }
}
