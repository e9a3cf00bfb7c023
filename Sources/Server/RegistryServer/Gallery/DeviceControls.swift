internal import RegistryContract
internal import WidgetBundles
internal import WidgetMarkup

/// The links by which readers see a widget on other devices, in other languages and with other texts. Each is the address of
/// the same page with one choice changed.
struct DeviceControls: Sendable {
    /// The page of the bundle.
    let page: String
    let choice: DeviceChoice
    /// The languages that the bundle has.
    let languages: [String]
    /// The most languages that are offered; the address takes any.
    private static let mostLanguages = 40

    /// The languages of a bundle, by the folders that its files lie in.
    static func languages(of report: BundleReport?) -> [String] {
        (report?.languages ?? []).filter(DeviceChoice.isLocale).prefix(mostLanguages).map(\.self)
    }

    func write(to html: inout HTMLWriter) {
        html.element(.nav) {
            $0.set(.class, "choices")
            $0.set(.label, "Show the widget otherwise")
        } content: { html in
            group(
                "Size",
                DeviceChoice.Size.allCases.map { size in
                    (size.name, size == .phone ? "" : size.rawValue, changed { $0.size = size })
                }, parameter: "size", to: &html)
            group(
                "Colours",
                [("System", "", changed { $0.scheme = nil })]
                    + DeviceChoice.Scheme.allCases.map { scheme in
                        (scheme == .light ? "Light" : "Dark", scheme.rawValue, changed { $0.scheme = scheme })
                    }, parameter: "scheme", to: &html)
            group(
                "Direction",
                [("Usual", "", changed { $0.direction = nil })]
                    + DeviceChoice.Direction.allCases.map { direction in
                        (
                            direction == .leftToRight ? "Left to right" : "Right to left", direction.rawValue,
                            changed { $0.direction = direction }
                        )
                    }, parameter: "dir", to: &html)
            group(
                "Text",
                DeviceChoice.TextSize.allCases.map { size in
                    (DeviceControls.name(size), size == .usual ? "" : size.rawValue, changed { $0.textSize = size })
                }, parameter: "text", to: &html)
            if !shownLanguages.isEmpty {
                group(
                    "Language",
                    [("Usual", "", changed { $0.locale = nil })]
                        + shownLanguages.map { language in (language, language, changed { $0.locale = language }) },
                    parameter: "locale", to: &html)
            }
        }
    }

    /// Those of the bundle, and the one that the address names.
    private var shownLanguages: [String] {
        guard let locale = choice.locale, !languages.contains(locale) else { return languages }
        return languages + [locale]
    }

    private func changed(_ change: (inout DeviceChoice) -> Void) -> DeviceChoice {
        var choice = choice
        change(&choice)
        return choice
    }

    /// - Parameter parameter: the name in the address that its items have values of.
    private func group(
        _ title: String, _ items: [(name: String, value: String, choice: DeviceChoice)], parameter: String,
        to html: inout HTMLWriter
    ) {
        html.box(class: "choice") { html in
            html.element(.span, text: title) { $0.set(.id, "choice-\(title)") }
            html.element(.ul) {
                $0.set(.labelledBy, "choice-\(title)")
                $0.set(.dataChoice, parameter)
            } content: { html in
                for item in items {
                    html.element(.li) { html in
                        html.element(.a, text: item.name) {
                            $0.set(.href, "\(page)\(item.choice.query)#live")
                            $0.set(.dataValue, item.value)
                            if item.choice == choice { $0.set(.current, "true") }
                        }
                    }
                }
            }
        }
    }

    private static func name(_ size: DeviceChoice.TextSize) -> String {
        switch size {
        case .small: "Small"
        case .usual: "Usual"
        case .large: "Large"
        case .largest: "Largest"
        }
    }
}
