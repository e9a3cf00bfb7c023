import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

/// Date pickers by their modes: what they show, and what they take.
@Suite struct `Date pickers` {
    private static let screens = """
        screen Main "Main" in stack
            column all
                datePicker day mode date spoken "Day"
                datePicker alarm mode time spoken "Alarm"
                datePicker meeting spoken "Meeting"
                datePicker timer mode countDown spoken "Timer"

        """

    /// Central Europe, on a day in summer.
    private static func widget() throws -> DrivenWidget {
        let zone = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        return try ScreensAsText.widget(
            screens, environment: Environment(now: DemoBundle.evening, timeZone: zone))
    }

    @Test func `Each takes the form of its mode, and shows it`() throws {
        let widget = try Self.widget()
        for (name, text) in [
            ("day", "1990-05-17"), ("alarm", "22:30"), ("meeting", "2018-06-20 09:15"), ("timer", "1:30"),
        ] {
            try widget.type(text, into: name)
            #expect(widget.shows("[ \(text) ]"), "\(widget.text())")
        }
        try widget.type("90", into: "timer")
        #expect(widget.shows("[ 1:30 ]"))
        try widget.type("2018-06-20T10:20", into: "meeting")
        #expect(widget.shows("[ 2018-06-20 10:20 ]"))
    }

    @Test func `Moments are of the widget's time zone, and a time keeps the day`() throws {
        let widget = try Self.widget()
        try widget.type("1990-05-17", into: "day")
        let day = widget.view().node(try widget.key("day"))?[.value]
        // Midnight in summer, two hours before that of UTC.
        #expect(day?.shown == "1990-05-16 22:00:00 +0000")
        try widget.type("22:30", into: "alarm")
        #expect(widget.view().node(try widget.key("alarm"))?[.value]?.shown == "2018-06-20 20:30:00 +0000")
        try widget.type("1990-01-17 00:00:00 +0000", into: "alarm")
        try widget.type("08:00", into: "alarm")
        #expect(widget.view().node(try widget.key("alarm"))?[.value]?.shown == "1990-01-17 07:00:00 +0000")
    }

    @Test(
        arguments: [
            // Clocks go from two to three: what they skip counts on, and the day begins at midnight of the winter.
            ("meeting", "2018-03-25 01:59", "2018-03-25 00:59", "2018-03-25 01:59"),
            ("meeting", "2018-03-25 02:30", "2018-03-25 01:30", "2018-03-25 03:30"),
            ("meeting", "2018-03-25 03:00", "2018-03-25 01:00", "2018-03-25 03:00"),
            ("day", "2018-03-25", "2018-03-24 23:00", "2018-03-25"),
            ("day", "2018-03-26", "2018-03-25 22:00", "2018-03-26"),
            // They go back from three to two: what they show twice is the first time.
            ("meeting", "2018-10-28 02:30", "2018-10-28 00:30", "2018-10-28 02:30"),
            ("meeting", "2018-10-28 03:00", "2018-10-28 02:00", "2018-10-28 03:00"),
            ("day", "2018-10-28", "2018-10-27 22:00", "2018-10-28"),
            ("day", "2018-10-29", "2018-10-28 23:00", "2018-10-29"),
        ])
    func `A change of the clocks leaves each day and each time what clocks show`(
        name: String, text: String, moment: String, shown: String
    ) throws {
        let widget = try Self.widget()
        try widget.type(text, into: name)
        #expect(widget.view().node(try widget.key(name))?[.value]?.shown == "\(moment):00 +0000")
        #expect(widget.shows("[ \(shown) ]"), "\(widget.text())")
    }

    @Test(arguments: [("2018-03-25", "06:00"), ("2018-10-28", "07:00")])
    func `A time of a day on which clocks change is that of the clocks after it`(
        day: String, hour: String
    ) throws {
        let widget = try Self.widget()
        // A moment of the day by the clocks before the change.
        try widget.type("\(day) 00:10:00 +0000", into: "alarm")
        try widget.type("08:00", into: "alarm")
        #expect(widget.view().node(try widget.key("alarm"))?[.value]?.shown == "\(day) \(hour):00 +0000")
        #expect(widget.shows("[ 08:00 ]"))
    }

    @Test(
        arguments: [
            ("day", "17.05.1990", "a date such as 1990-05-17"), ("day", "22:30", "a date such as 1990-05-17"),
            ("alarm", "10 pm", "a time such as 22:30"), ("alarm", "25:00", "a time such as 22:30"),
            ("meeting", "soon", "a date and a time such as 1990-05-17 22:30"),
            ("timer", "1:60", "hours and minutes such as 1:30, or minutes such as 90"),
            ("timer", "24:00", "hours and minutes such as 1:30, or minutes such as 90"),
            ("timer", "-1", "hours and minutes such as 1:30, or minutes such as 90"),
        ])
    func `Another form is refused with the one that is expected`(name: String, text: String, form: String) throws {
        let widget = try Self.widget()
        let refusal = widget.send(.input(try widget.key(name), .string(text)))
        #expect(refusal == "\(text) is not a value for a date-picker; write \(form)")
    }

    @Test func `A countdown is a number of seconds`() throws {
        let widget = try Self.widget()
        try widget.type("0:05", into: "timer")
        #expect(widget.view().node(try widget.key("timer"))?[.value]?.number == 300)
    }
}
