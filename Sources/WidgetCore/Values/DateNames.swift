/// What a language calls months and days, and how it writes dates.
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
