internal import Bytes

/// One event written as one line, in either format.
enum LogLine {
    /// The most bytes of one value that a line shows; a longer value is cut there and ends with `…`.
    static let valueByteLimit = 8 * 1_024

    static func json(
        time: LogTime, level: LogLevel, event: String, message: String, fields: [LogField]
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(capacity(message: message, fields: fields))
        line.append(contentsOf: #"{"time":""#.utf8)
        time.append(to: &line)
        line.append(contentsOf: #"","level":""#.utf8)
        line.append(contentsOf: level.name.utf8)
        line.append(contentsOf: #"","event":""#.utf8)
        append(event, to: &line)
        if !message.isEmpty {
            line.append(contentsOf: #"","message":""#.utf8)
            append(message, to: &line)
        }
        line.append(UInt8(ascii: "\""))
        for field in fields {
            line.append(contentsOf: #",""#.utf8)
            append(field.name, to: &line)
            line.append(contentsOf: #"":"#.utf8)
            appendJSON(field.value, to: &line)
        }
        line.append(contentsOf: "}\n".utf8)
        return line
    }

    static func text(
        time: LogTime, level: LogLevel, event: String, message: String, fields: [LogField]
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(capacity(message: message, fields: fields))
        time.append(to: &line)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: level.name.utf8)
        for _ in level.name.utf8.count..<8 { line.append(UInt8(ascii: " ")) }
        append(event, to: &line)
        if !message.isEmpty {
            line.append(contentsOf: ": ".utf8)
            append(message, to: &line)
        }
        for field in fields {
            line.append(UInt8(ascii: " "))
            append(field.name, to: &line)
            line.append(UInt8(ascii: "="))
            appendText(field.value, to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// A guess that spares most lines a second allocation; the values' own limit keeps it small.
    private static func capacity(message: String, fields: [LogField]) -> Int {
        128 + min(message.utf8.count, LogLine.valueByteLimit) + 48 * fields.count
    }

    private static func appendJSON(_ value: LogValue, to line: inout [UInt8]) {
        switch value {
        case .string(let text):
            appendQuoted(text, to: &line)
        case .bytes(let bytes):
            line.append(UInt8(ascii: "\""))
            append(bytes, to: &line)
            line.append(UInt8(ascii: "\""))
        case .integer(let number):
            append(number, to: &line)
        case .double(let number):
            // JSON has no words for the numbers that are not finite.
            line.append(contentsOf: (number.isFinite ? number.description : "null").utf8)
        case .boolean(let answer):
            line.append(contentsOf: (answer ? "true" : "false").utf8)
        case .json(let bytes):
            if bytes.count <= LogLine.valueByteLimit, !bytes.isEmpty, !bytes.contains(UInt8(ascii: "\n")) {
                line.append(contentsOf: bytes)
            } else {
                appendJSON(.bytes(bytes), to: &line)
            }
        case .secret:
            appendQuoted(Secret.mask, to: &line)
        }
    }

    private static func appendText(_ value: LogValue, to line: inout [UInt8]) {
        switch value {
        case .string(let text):
            appendBareOrQuoted(text, to: &line)
        case .bytes(let bytes), .json(let bytes):
            appendBareOrQuoted(String(decoding: bytes.prefix(LogLine.valueByteLimit + 1), as: UTF8.self), to: &line)
        case .double(let number) where !number.isFinite:
            line.append(contentsOf: number.description.utf8)
        case .secret:
            line.append(contentsOf: Secret.mask.utf8)
        case .integer, .double, .boolean:
            appendJSON(value, to: &line)
        }
    }

    /// Quotes only where a reader could not see where the value ends.
    private static func appendBareOrQuoted(_ text: String, to line: inout [UInt8]) {
        let isBare =
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        if isBare {
            append(text, to: &line)
        } else {
            appendQuoted(text, to: &line)
        }
    }

    private static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        append(text, to: &line)
        line.append(UInt8(ascii: "\""))
    }

    /// In both formats, text stays inside one line and one pair of quotes.
    private static func append(_ text: String, to line: inout [UInt8]) {
        JSONEscaping.appendShown(text.utf8.span, limit: valueByteLimit, to: &line)
    }

    private static func append(_ bytes: [UInt8], to line: inout [UInt8]) {
        JSONEscaping.appendShown(bytes.span, limit: valueByteLimit, to: &line)
    }

    /// Decimal digits without a string in between.
    private static func append(_ number: Int64, to line: inout [UInt8]) {
        if number < 0 { line.append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var divisor: UInt64 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            line.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / divisor % 10))
            divisor /= 10
        }
    }
}
