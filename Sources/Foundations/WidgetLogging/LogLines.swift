internal import WidgetBytes

/// Lines of the log, one for each event, written one after another and handed to the logger together.
///
/// A line is begun, its fields are added, and it is ended. Only the room for the bytes is allocated, and it is
/// kept when the lines are taken.
package struct LogLines: Sendable {
    /// The most bytes of one value that a line shows; a longer value is cut there and ends with `…`.
    static let valueByteLimit = 8 * 1_024

    package let format: LogFormat
    package private(set) var bytes: [UInt8] = []
    package private(set) var count = 0
    /// The second of the last line's beginning, and its text. Most lines share it with the line before.
    private var second: Int64 = .min
    private var secondText: [UInt8] = []

    package init(_ format: LogFormat) {
        self.format = format
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        count = 0
    }

    // MARK: A line

    package mutating func begin(_ time: LogTime, _ level: LogLevel, _ event: String, _ message: String = "") {
        count += 1
        switch format {
        case .json:
            bytes.append(contentsOf: #"{"time":""#.utf8)
            append(time)
            bytes.append(contentsOf: #"","level":""#.utf8)
            bytes.append(contentsOf: level.name.utf8)
            bytes.append(contentsOf: #"","event":""#.utf8)
            append(event)
            if !message.isEmpty {
                bytes.append(contentsOf: #"","message":""#.utf8)
                append(message)
            }
            bytes.append(UInt8(ascii: "\""))
        case .text:
            append(time)
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: level.name.utf8)
            for _ in level.name.utf8.count..<8 { bytes.append(UInt8(ascii: " ")) }
            append(event)
            if !message.isEmpty {
                bytes.append(contentsOf: ": ".utf8)
                append(message)
            }
        }
    }

    package mutating func end() {
        if format == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    // MARK: Fields

    package mutating func add(_ field: LogField) {
        begin(field.name)
        switch (field.value, format) {
        case (.string(let text), .json): appendQuoted(text)
        case (.string(let text), .text): appendBareOrQuoted(text)
        case (.bytes(let text), .json): appendQuoted(text)
        case (.bytes(let text), .text), (.json(let text), .text):
            appendBareOrQuoted(String(decoding: text.prefix(LogLines.valueByteLimit + 1), as: UTF8.self))
        case (.json(let json), .json):
            let fits = json.count <= LogLines.valueByteLimit && !json.isEmpty && !json.contains(UInt8(ascii: "\n"))
            if fits { bytes.append(contentsOf: json) } else { appendQuoted(json) }
        case (.integer(let number), _): append(number)
        // JSON has no words for the numbers that are not finite.
        case (.double(let number), .json) where !number.isFinite: bytes.append(contentsOf: "null".utf8)
        case (.double(let number), _): bytes.append(contentsOf: number.description.utf8)
        case (.boolean(let answer), _): bytes.append(contentsOf: (answer ? "true" : "false").utf8)
        case (.secret, .json): appendQuoted(Secret.mask)
        case (.secret, .text): bytes.append(contentsOf: Secret.mask.utf8)
        }
    }

    package mutating func add(_ name: String, _ text: String) {
        begin(name)
        if format == .json { appendQuoted(text) } else { appendBareOrQuoted(text) }
    }

    package mutating func add(_ name: String, _ number: Int) {
        begin(name)
        append(Int64(number))
    }

    /// A number with a fraction, counted in thousandths; written as a `Double` would be.
    package mutating func add(_ name: String, thousandths: UInt64) {
        begin(name)
        append(Int64(clamping: thousandths / 1_000))
        let rest = thousandths % 1_000
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100))
        if rest % 100 != 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10 % 10)) }
        if rest % 10 != 0 { bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)) }
    }

    /// A text that `write` appends: printable ASCII without blanks, quotes, backslashes and equals signs.
    package mutating func add(_ name: String, plain write: (inout [UInt8]) -> Void) {
        begin(name)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
        write(&bytes)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func begin(_ name: String) {
        switch format {
        case .json:
            bytes.append(contentsOf: #",""#.utf8)
            append(name)
            bytes.append(contentsOf: #"":"#.utf8)
        case .text:
            bytes.append(UInt8(ascii: " "))
            append(name)
            bytes.append(UInt8(ascii: "="))
        }
    }

    // MARK: Values

    private mutating func append(_ time: LogTime) {
        if time.secondsSinceEpoch != second {
            second = time.secondsSinceEpoch
            secondText.removeAll(keepingCapacity: true)
            time.appendSecond(to: &secondText)
        }
        bytes.append(contentsOf: secondText)
        time.appendFraction(to: &bytes)
    }

    /// Quotes only where a reader could not see where the value ends.
    private mutating func appendBareOrQuoted(_ text: String) {
        let isBare =
            !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") }
        if isBare { append(text) } else { appendQuoted(text) }
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        append(text)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendQuoted(_ text: [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        JSONEscaping.appendShown(text.span, limit: LogLines.valueByteLimit, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// In both formats, text stays inside one line and one pair of quotes.
    private mutating func append(_ text: String) {
        JSONEscaping.appendShown(text.utf8.span, limit: LogLines.valueByteLimit, to: &bytes)
    }

    /// Decimal digits without a string in between.
    private mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var divisor: UInt64 = 1
        while magnitude / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / divisor % 10))
            divisor /= 10
        }
    }
}

/// A moment on the wall clock, as the system tells it.
package struct LogTime: Equatable, Sendable {
    package var secondsSinceEpoch: Int64
    package var milliseconds: Int

    package init(secondsSinceEpoch: Int64, milliseconds: Int) {
        self.secondsSinceEpoch = secondsSinceEpoch
        self.milliseconds = milliseconds
    }

    package static func now() -> LogTime {
        let time = WallClock.now()
        return LogTime(secondsSinceEpoch: time.seconds, milliseconds: time.nanoseconds / 1_000_000)
    }

    /// Appends the moment in UTC, always 24 characters: `2026-11-21T07:15:00.123Z`.
    ///
    /// A clock before 1970 or after 9999 is shown as the nearest moment that has this form.
    /// - SeeAlso: RFC 3339 section 5.6.
    package func append(to bytes: inout [UInt8]) {
        appendSecond(to: &bytes)
        appendFraction(to: &bytes)
    }

    /// Appends the moment up to its second, 19 characters.
    func appendSecond(to bytes: inout [UInt8]) {
        let seconds = min(max(secondsSinceEpoch, 0), LogTime.lastSecond)
        let (days, rest) = seconds.flooredDivision(by: 86_400)
        let (date, secondOfDay) = (CivilDate(daysSince1970: days), Int(rest))
        LogTime.append(date.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        LogTime.append(date.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        LogTime.append(date.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        LogTime.append(secondOfDay / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        LogTime.append(secondOfDay / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        LogTime.append(secondOfDay % 60, digits: 2, to: &bytes)
    }

    /// Appends the rest of the moment, 5 characters.
    func appendFraction(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "."))
        LogTime.append(min(max(milliseconds, 0), 999), digits: 3, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// 9999-12-31T23:59:59Z.
    private static let lastSecond: Int64 = 253_402_300_799

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
