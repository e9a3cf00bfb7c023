internal import WidgetPredicates

/// The moment and the time zone by which dates are read and shown.
package struct LocalClock: Sendable {
    /// Seconds since the first moment of 2001, UTC.
    package var now: Double
    package var zone: TimeZoneRules

    package static let utc = LocalClock(now: 0, zone: .utc)

    package init(now: Double, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    package init(_ environment: Environment) {
        self.init(now: environment.now, zone: environment.timeZone)
    }
}

/// The parts of a moment that a date picker shows and takes.
package enum DateMode: String, CaseIterable, Sendable {
    case time, date, dateAndTime, yearAndMonth
    /// A duration: its value is a number of seconds.
    case countdown

    /// The mode of an element with this property; a date and a time if it has none.
    package init(_ property: Value?) {
        self = property?.string.flatMap(DateMode.init) ?? .dateAndTime
    }

    /// The mode of `UIDatePicker` with a number.
    package init?(number: Int) {
        switch number {
        case 0: self = .time
        case 1: self = .date
        case 2: self = .dateAndTime
        case 3: self = .countdown
        case 4269: self = .yearAndMonth
        default: return nil
        }
    }

    /// The longest duration of a countdown, in seconds: a day without a minute.
    package static let longestCountdown = 1_439 * minute
    private static let minute = 60

    /// The forms in which a value is written; the first is the one that is shown.
    private var forms: [String] {
        switch self {
        case .time: ["HH:mm", "HH:mm:ss"]
        case .date: ["yyyy-MM-dd"]
        case .dateAndTime:
            ["yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd"]
        case .yearAndMonth: ["yyyy-MM"]
        case .countdown: []
        }
    }

    /// Forms that name a moment for pickers of every mode.
    private static let moments = ["yyyy-MM-dd HH:mm", wholeMoment]
    private static let wholeMoment = "yyyy-MM-dd HH:mm:ss Z"

    /// The form that is expected, with an example.
    package var expectation: String {
        switch self {
        case .time: "a time such as 22:30"
        case .date: "a date such as 1990-05-17"
        case .dateAndTime: "a date and a time such as 1990-05-17 22:30"
        case .yearAndMonth: "a year and a month such as 1990-05"
        case .countdown: "hours and minutes such as 1:30, or minutes such as 90"
        }
    }

    /// A value as text, in the form in which it can be written; `nil` for one that is not of this mode.
    package func text(of value: Value, _ clock: LocalClock) -> String? {
        if self == .countdown {
            guard let minutes = DateMode.minutes(of: value) else { return nil }
            return
                "\(minutes / DateMode.minute):\(minutes % DateMode.minute < 10 ? "0" : "")\(minutes % DateMode.minute)"
        }
        guard case .date(let seconds) = value else { return nil }
        return DatePattern(forms[0], locale: "en_US_POSIX").text(seconds, timeZone: clock.zone)
    }

    /// The whole minutes of a duration.
    package static func minutes(of value: Value) -> Int? {
        if case .date = value { return nil }
        return value.number.flatMap { Int(exactly: ($0 / Double(minute)).rounded(.down)) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// The value that a picker keeps of a given one, or `nil` if it does not take it.
    ///
    /// - Parameter last: the present value, whose day a time keeps. Without one it is of the present day.
    func value(_ given: Value, after last: Value, _ clock: LocalClock) -> Value? {
        switch given {
        case .date: self == .countdown ? nil : given
        case .string(let text): value(text, after: last, clock)
        case .integer, .double:
            self == .countdown ? DateMode.countdown(given.number ?? 0) : nil
        default: nil
        }
    }

    private func value(_ text: String, after last: Value, _ clock: LocalClock) -> Value? {
        if self == .countdown {
            return DateMode.minutes(text).flatMap { DateMode.countdown(Double($0 * DateMode.minute)) }
        }
        for form in forms {
            let pattern = DatePattern(form, locale: "en_US_POSIX")
            guard self == .time else {
                if let seconds = pattern.seconds(text, timeZone: clock.zone) { return .date(seconds) }
                continue
            }
            guard let seconds = pattern.seconds(text, timeZone: .utc) else { continue }
            let time = seconds - DateMode.day(of: seconds)
            var moment = clock.now
            if case .date(let last) = last { moment = last }
            let local = moment + Double(clock.zone.offset(at: moment))
            return .date(clock.zone.seconds(ofLocal: DateMode.day(of: local) + time))
        }
        for form in DateMode.moments {
            let pattern = DatePattern(form, locale: "en_US_POSIX")
            if let seconds = pattern.seconds(text, timeZone: clock.zone) { return .date(seconds) }
        }
        return nil
    }

    // MARK: - Limits

    /// A limit that values of this mode are compared with, as the place of a value; `nil` for one that says nothing about
    /// the mode. A day begins at midnight, and a whole moment is one of the clock.
    func place(ofLimit given: Value, _ clock: LocalClock) -> Double? {
        if case .date = given { return place(of: given, clock) }
        if case .string(let text) = given {
            let moment = DatePattern(DateMode.wholeMoment, locale: "en_US_POSIX").seconds(text, timeZone: .utc)
            if let moment { return place(of: .date(moment), clock) }
        }
        // The time on a clock is the same in each zone, and there on each day.
        if let own = value(given, after: .null, .utc) { return place(of: own, .utc) }
        guard self == .date || self == .yearAndMonth else { return nil }
        return DateMode.dateAndTime.value(given, after: .null, .utc).flatMap { place(of: $0, .utc) }
    }

    /// The place of a value among those of this mode, by what the clock shows: seconds, of the day for a time. Parts that the
    /// mode does not show do not count. `nil` for a value of another mode.
    func place(of value: Value, _ clock: LocalClock) -> Double? {
        if self == .countdown { return DateMode.minutes(of: value).map { Double($0 * DateMode.minute) } }
        guard case .date(let seconds) = value, seconds.isFinite else { return nil }
        let local = seconds + Double(clock.zone.offset(at: seconds))
        let minute = Double(DateMode.minute)
        switch self {
        case .time: return ((local - DateMode.day(of: local)) / minute).rounded(.down) * minute
        case .date: return DateMode.day(of: local)
        case .dateAndTime, .countdown: return (local / minute).rounded(.down) * minute
        case .yearAndMonth:
            let pattern = DatePattern(forms[0], locale: "en_US_POSIX")
            return pattern.seconds(pattern.text(local, timeZone: .utc), timeZone: .utc) ?? local
        }
    }

    /// A place among the values of this mode as text.
    func text(ofPlace place: Double) -> String {
        text(of: self == .countdown ? .double(place) : .date(place), .utc) ?? ""
    }

    /// The first second of the day of a moment, by a clock that shows UTC.
    private static func day(of seconds: Double) -> Double {
        let length = 86_400.0
        return (seconds / length).rounded(.down) * length
    }

    private static func countdown(_ seconds: Double) -> Value? {
        guard seconds >= 0, seconds <= Double(longestCountdown) else { return nil }
        return .integer(Int64(seconds.rounded(.down)))
    }

    /// Reads `1:30` or `90`.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { part in
            part.utf8.count <= 4 && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
        }
        switch parts.count {
        case 1: return parts[0]
        case 2:
            guard let hours = parts[0], let minutes = parts[1], minutes < minute else { return nil }
            return hours * minute + minutes
        default: return nil
        }
    }

    /// True if a text is a value of this mode.
    package func accepts(_ text: String) -> Bool { value(text, after: .null, .utc) != nil }

    /// True if two texts, of a browser and of a picker, are the same value.
    package func isSame(_ first: String, _ second: String) -> Bool {
        guard let one = value(first, after: .null, .utc), let other = value(second, after: .null, .utc) else {
            return false
        }
        return text(of: one, .utc) == text(of: other, .utc)
    }
}

extension ViewNode {
    /// The value of a date picker in its mode; in UTC where the view does not say it.
    package var dateText: String? {
        self[.dateText]?.shown ?? self[.value].flatMap { DateMode(self[.dateMode]).text(of: $0, .utc) }
    }
}
