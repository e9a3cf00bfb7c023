/// A pattern for dates, in the letters of Unicode Technical Standard 35.
package struct DatePattern: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case literal(String)
        /// A letter and how often it stands there.
        case field(Character, Int)
    }

    package let pattern: String
    package let locale: String
    let parts: [Part]
    let names: DateNames

    package init(_ pattern: String, locale: String) {
        self.pattern = pattern
        self.locale = locale
        names = DateNames.of(locale)
        var parts: [Part] = []
        var literal = ""
        var isQuoted = false
        let characters = Array(pattern.prefix(200))
        var index = 0
        func flush() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
        }
        while index < characters.count {
            let character = characters[index]
            if character == "'" {
                if index + 1 < characters.count, characters[index + 1] == "'" {
                    literal.append("'")
                    index += 1
                } else {
                    isQuoted.toggle()
                }
                index += 1
            } else if !isQuoted, character.isASCII, character.isLetter {
                flush()
                var count = 1
                while index + count < characters.count, characters[index + count] == character { count += 1 }
                parts.append(.field(character, count))
                index += count
            } else {
                literal.append(character)
                index += 1
            }
        }
        flush()
        self.parts = parts
    }

    package enum Style: String, Sendable { case none, short, medium, long, full }

    /// The pattern a language has for how much of a date and of a time is wanted.
    package init(date: Style, time: Style, locale: String) {
        let names = DateNames.of(locale)
        let parts = [names.datePattern(date), names.timePattern(time)].filter { !$0.isEmpty }
        self.init(parts.joined(separator: date == .long || date == .full ? names.longJoin : names.join), locale: locale)
    }

    /// Whether the language of this pattern is one whose names are known.
    package var isKnownLocale: Bool { DateNames.isKnown(locale) }

    package func text(_ seconds: Double, timeZone: Int) -> String {
        let date = CalendarDate(seconds: seconds + Double(timeZone))
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .field(let letter, let count): text += field(letter, count, date, timeZone)
            }
        }
        return text
    }

    private func field(_ letter: Character, _ count: Int, _ date: CalendarDate, _ timeZone: Int) -> String {
        let second = Int(date.secondOfDay)
        let hour = second / 3_600
        switch letter {
        case "y", "Y", "u": return count == 2 ? padded(abs(date.year) % 100, 2) : padded(date.year, count)
        case "M", "L":
            return switch count {
            case 1, 2: padded(date.month, count)
            case 3: names.shortMonths[date.month - 1]
            case 5: String(names.months[date.month - 1].prefix(1))
            default: names.months[date.month - 1]
            }
        case "d": return padded(date.day, count)
        case "E", "e", "c":
            return count < 4 ? names.shortWeekdays[date.weekday] : names.weekdays[date.weekday]
        case "a": return hour < 12 ? names.am : names.pm
        case "H": return padded(hour, count)
        case "k": return padded(hour == 0 ? 24 : hour, count)
        case "h": return padded(hour % 12 == 0 ? 12 : hour % 12, count)
        case "K": return padded(hour % 12, count)
        case "m": return padded(second / 60 % 60, count)
        case "s": return padded(second % 60, count)
        case "S":
            let digits = padded(Int((date.secondOfDay - date.secondOfDay.rounded(.down)) * 1e9), 9)
            return String((digits + "000000000").prefix(count))
        case "Z": return count == 5 ? zone(timeZone, separator: ":", utc: "Z") : zone(timeZone, separator: "", utc: nil)
        case "X": return zone(timeZone, separator: count > 2 ? ":" : "", utc: "Z")
        case "x": return zone(timeZone, separator: count > 2 ? ":" : "", utc: nil)
        case "z", "v", "V", "O": return timeZone == 0 ? "GMT" : "GMT" + zone(timeZone, separator: ":", utc: nil)
        case "G": return date.year > 0 ? "AD" : "BC"
        case "Q", "q": return padded((date.month + 2) / 3, min(count, 2))
        default: return ""
        }
    }

    private func zone(_ seconds: Int, separator: String, utc: String?) -> String {
        if seconds == 0, let utc { return utc }
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + padded(minutes / 60, 2) + separator + padded(minutes % 60, 2)
    }

    private func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(abs(value))
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, min(width, 20) - digits.utf8.count))
            + digits
    }
}
