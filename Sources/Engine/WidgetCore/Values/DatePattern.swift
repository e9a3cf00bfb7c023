internal import WidgetBytes

/// A pattern for dates, in the letters of Unicode Technical Standard 35.
package struct DatePattern: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case literal(String)
        /// A letter and the number of its repetitions.
        case field(Character, Int)
    }

    /// Letters of a pattern, and bytes of a text that is read by one. What is longer is cut, and not read.
    package static let patternLength = 200
    package static let textByteCount = 500

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
        let characters = Array(pattern.prefix(DatePattern.patternLength))
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

    /// True if the names of the pattern's language are known.
    package var isKnownLocale: Bool { DateNames.isKnown(locale) }

    package func text(_ seconds: Double, timeZone: TimeZoneRules) -> String {
        let offset = timeZone.offset(at: seconds)
        let date = CalendarDate(seconds: seconds + Double(offset))
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .field(let letter, let count): text += field(letter, count, date, offset)
            }
        }
        return text
    }

    private func field(_ letter: Character, _ count: Int, _ date: CalendarDate, _ offset: Int) -> String {
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
        case "Z": return count == 5 ? zone(offset, separator: ":", utc: "Z") : zone(offset, separator: "", utc: nil)
        case "X": return zone(offset, separator: count > 2 ? ":" : "", utc: "Z")
        case "x": return zone(offset, separator: count > 2 ? ":" : "", utc: nil)
        case "z", "v", "V", "O": return offset == 0 ? "GMT" : "GMT" + zone(offset, separator: ":", utc: nil)
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

// MARK: - Reading

extension DatePattern {
    /// The moment a text names, or `nil` for a text that does not follow the pattern to its end.
    package func seconds(_ text: String, timeZone: TimeZoneRules) -> Double? {
        guard text.utf8.count <= DatePattern.textByteCount else { return nil }
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

    func seconds(timeZone: TimeZoneRules) -> Double? {
        var date = date
        let hour = isAfternoon.map { self.hour % 12 + ($0 ? 12 : 0) } ?? self.hour
        date.secondOfDay = Double(hour * 3_600 + minute * 60) + second
        guard let local = date.seconds else { return nil }
        return zone.map { local - Double($0) } ?? timeZone.seconds(ofLocal: local)
    }
}

/// A language's names of months and days, and its date formats.
struct DateNames: Equatable, Sendable {
    var months: [String]
    var shortMonths: [String]
    var weekdays: [String]
    var shortWeekdays: [String]
    var am = "AM"
    var pm = "PM"
    /// Short, medium, long, full.
    var dates: [String]
    var times: [String]
    var join = ", "
    var longJoin = " 'at' "

    func datePattern(_ style: DatePattern.Style) -> String { DateNames.pattern(style, of: dates) }

    func timePattern(_ style: DatePattern.Style) -> String { DateNames.pattern(style, of: times) }

    private static func pattern(_ style: DatePattern.Style, of patterns: [String]) -> String {
        switch style {
        case .none: ""
        case .short: patterns[0]
        case .medium: patterns[1]
        case .long: patterns[2]
        case .full: patterns[3]
        }
    }

    static func isKnown(_ locale: String) -> Bool { known[language(locale)] != nil }

    /// English where the language is not known.
    static func of(_ locale: String) -> DateNames { known[language(locale)] ?? english }

    private static func language(_ locale: String) -> String {
        String(locale.prefix { $0 != "_" && $0 != "-" }).lowercased()
    }

    private static let known = ["en": english, "de": german, "fr": french, "es": spanish, "it": italian, "": english]

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static let english = DateNames(
        months: words("January February March April May June July August September October November December"),
        shortMonths: words("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
        weekdays: words("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
        shortWeekdays: words("Sun Mon Tue Wed Thu Fri Sat"),
        dates: ["M/d/yy", "MMM d, y", "MMMM d, y", "EEEE, MMMM d, y"],
        times: ["h:mm a", "h:mm:ss a", "h:mm:ss a z", "h:mm:ss a z"])

    private static let german = DateNames(
        months: words("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        shortMonths: words("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
        weekdays: words("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
        shortWeekdays: words("So Mo Di Mi Do Fr Sa"),
        dates: ["dd.MM.yy", "dd.MM.y", "d. MMMM y", "EEEE, d. MMMM y"],
        times: ["HH:mm", "HH:mm:ss", "HH:mm:ss z", "HH:mm:ss z"], longJoin: " 'um' ")

    private static let french = DateNames(
        months: words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        shortMonths: words("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        weekdays: words("dimanche lundi mardi mercredi jeudi vendredi samedi"),
        shortWeekdays: words("dim. lun. mar. mer. jeu. ven. sam."),
        dates: ["dd/MM/y", "d MMM y", "d MMMM y", "EEEE d MMMM y"],
        times: ["HH:mm", "HH:mm:ss", "HH:mm:ss z", "HH:mm:ss z"], longJoin: " 'à' ")

    private static let spanish = DateNames(
        months: words("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        shortMonths: words("ene feb mar abr may jun jul ago sept oct nov dic"),
        weekdays: words("domingo lunes martes miércoles jueves viernes sábado"),
        shortWeekdays: words("dom lun mar mié jue vie sáb"), am: "a. m.", pm: "p. m.",
        dates: ["d/M/yy", "d MMM y", "d 'de' MMMM 'de' y", "EEEE, d 'de' MMMM 'de' y"],
        times: ["H:mm", "H:mm:ss", "H:mm:ss z", "H:mm:ss z"], longJoin: ", ")

    private static let italian = DateNames(
        months: words("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        shortMonths: words("gen feb mar apr mag giu lug ago set ott nov dic"),
        weekdays: words("domenica lunedì martedì mercoledì giovedì venerdì sabato"),
        shortWeekdays: words("dom lun mar mer gio ven sab"),
        dates: ["dd/MM/yy", "d MMM y", "d MMMM y", "EEEE d MMMM y"],
        times: ["HH:mm", "HH:mm:ss", "HH:mm:ss z", "HH:mm:ss z"], longJoin: " 'alle' 'ore' ")
}

/// A moment as the Gregorian calendar names it. Moments count seconds since the first of 2001.
package struct CalendarDate: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    /// From midnight.
    package var secondOfDay: Double

    private static let secondsPerDay = 86_400.0
    /// From the first of January 1970 to the first of January 2001.
    private static let referenceDay: Int64 = 11_323
    /// About ten thousand years to either side.
    private static let horizon = 3e11

    package init(year: Int, month: Int, day: Int, secondOfDay: Double = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.secondOfDay = secondOfDay
    }

    package init(seconds: Double) {
        let seconds = seconds.isFinite ? min(max(seconds, -CalendarDate.horizon), CalendarDate.horizon) : 0
        let dayNumber = (seconds / CalendarDate.secondsPerDay).rounded(.down)
        secondOfDay = seconds - dayNumber * CalendarDate.secondsPerDay
        let date = CivilDate(daysSince1970: Int64(dayNumber) + CalendarDate.referenceDay)
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// `nil` for a day that the calendar does not have.
    package var seconds: Double? {
        guard (-9_999...9_999).contains(year),
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return nil }
        return Double(days - CalendarDate.referenceDay) * CalendarDate.secondsPerDay + secondOfDay
    }

    /// 0 is Sunday.
    package var weekday: Int {
        guard (-9_999...9_999).contains(year),
            let days = CivilDate(year: year, month: month, day: day).daysSince1970
        else { return 0 }
        return CivilDate.weekday(daysSince1970: days)
    }
}
