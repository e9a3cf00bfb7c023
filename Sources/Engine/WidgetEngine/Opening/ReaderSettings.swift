package import WidgetCore
internal import WidgetPredicates

/// The moment and the reader of a widget, as options say them: `clock` and `locale`.
package enum ReaderSettings {
    /// - Parameter value: the text of an option; `nil` if it was not given.
    /// - Parameter now: the moment that it begins at without `clock`.
    package static func environment(
        _ value: (String) -> String?, now: Double, _ timeZone: TimeZoneRules
    ) throws(SettingFault) -> Environment {
        var environment = Environment(now: now, timeZone: timeZone)
        if let clock = value("clock") {
            guard let seconds = DateText.seconds(clock) else {
                throw SettingFault("--clock is \(clock)", hints: ["it takes a moment such as 2018-06-20T20:00:00Z"])
            }
            environment.now = seconds
        }
        if let locale = value("locale") {
            guard locale.utf8.count <= 32,
                locale.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
            else {
                throw SettingFault(
                    "--locale is \(locale)", hints: ["it takes a language and a region, such as de_AT"])
            }
            environment.locale = locale
        }
        return environment
    }

    /// The columns of texts.
    package static func columns(_ value: (String) -> String?) throws(SettingFault) -> Int {
        let columns = value("columns").map { Int($0) } ?? 80
        guard let columns, 20...500 ~= columns else {
            throw SettingFault("--columns must be a number from 20 to 500")
        }
        return columns
    }
}
