extension DatePattern {
    /// The moment a text names, or `nil` for a text that does not follow the pattern to its end.
    package func seconds(_ text: String, timeZone: Int) -> Double? {
        // Nobody writes a date that long.
        guard text.utf8.count <= 500 else { return nil }
        var reader = DateReader(text)
        for part in parts {
            switch part {
            case .literal(let literal): guard reader.skip(literal) else { return nil }
            case .field(let letter, let count):
                guard reader.read(letter, count, names) else { return nil }
            }
        }
        reader.skipBlanks()
        guard reader.isAtEnd else { return nil }
        return reader.seconds(timeZone: timeZone)
    }
}

/// A date being read, field by field.
private struct DateReader {
    private var rest: Substring
    private var date = CalendarDate(year: 2000, month: 1, day: 1)
    private var hour = 0
    private var minute = 0
    private var second = 0.0
    private var isAfternoon: Bool?
    private var zone: Int?

    init(_ text: String) {
        rest = Substring(text)
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipBlanks() { rest = rest.drop { $0.isWhitespace } }

    /// Blanks of the pattern stand for any number of blanks.
    mutating func skip(_ literal: String) -> Bool {
        for character in literal {
            if character.isWhitespace {
                skipBlanks()
            } else {
                guard rest.first == character else { return false }
                rest.removeFirst()
            }
        }
        return true
    }

    mutating func read(_ letter: Character, _ count: Int, _ names: DateNames) -> Bool {
        switch letter {
        case "y", "Y", "u":
            guard let year = number(count == 2 ? 2 : 4) else { return false }
            date.year = count == 2 ? year + (year < 50 ? 2000 : 1900) : year
        case "M", "L":
            if count < 3 {
                guard let month = number(2) else { return false }
                date.month = month
            } else {
                guard let month = name(names.months, names.shortMonths) else { return false }
                date.month = month + 1
            }
        case "d":
            guard let day = number(2) else { return false }
            date.day = day
        case "E", "e", "c": return name(names.weekdays, names.shortWeekdays) != nil
        case "a":
            guard let half = name([names.am, names.pm], ["AM", "PM"]) else { return false }
            isAfternoon = half == 1
        case "H", "k", "h", "K":
            guard let value = number(2), value <= 24 else { return false }
            hour = value % (letter == "h" || letter == "K" ? 12 : 24)
        case "m":
            guard let value = number(2), value < 60 else { return false }
            minute = value
        case "s":
            guard let value = number(2), value < 61 else { return false }
            second += Double(value)
        case "S":
            let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(9)
            guard let fraction = Double("0.\(digits)"), !digits.isEmpty else { return false }
            second += fraction
            rest = rest.dropFirst(digits.count)
        case "Z", "X", "x", "z", "O", "v", "V": return readZone()
        case "G": rest = rest.drop { $0.isLetter }
        default: return false
        }
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        skipBlanks()
        let text = rest.prefix { $0.isASCII && $0.isNumber }.prefix(digits)
        guard let value = Int(text) else { return nil }
        rest = rest.dropFirst(text.count)
        return value
    }

    private mutating func name(_ long: [String], _ short: [String]) -> Int? {
        skipBlanks()
        // No name is longer.
        let text = rest.prefix(40).lowercased()
        for names in [long, short] {
            for (index, name) in names.enumerated() where text.hasPrefix(name.lowercased()) {
                rest = rest.dropFirst(name.count)
                return index
            }
        }
        return nil
    }

    private mutating func readZone() -> Bool {
        skipBlanks()
        for name in ["GMT", "UTC"] where rest.hasPrefix(name) {
            rest = rest.dropFirst(3)
            zone = 0
            if rest.first != "+", rest.first != "-" { return true }
        }
        if rest.first == "Z" {
            rest.removeFirst()
            zone = 0
            return true
        }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return zone != nil }
        rest.removeFirst()
        guard let hours = number(2) else { return false }
        if rest.first == ":" { rest.removeFirst() }
        let minutes = number(2) ?? 0
        guard hours < 24, minutes < 60 else { return false }
        zone = (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
        return true
    }

    func seconds(timeZone: Int) -> Double? {
        var date = date
        let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
        date.secondOfDay = Double(hour * 3_600 + minute * 60) + second
        return date.seconds.map { $0 - Double(zone ?? timeZone) }
    }
}
