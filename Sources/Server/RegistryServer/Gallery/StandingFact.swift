internal import WidgetBytes
internal import WidgetMarkup
internal import WidgetRegistry

/// The fact of a release's page about when it would expire, and why it stays.
extension HTMLWriter {
    /// Writes nothing where no rule is for the release's bundle.
    mutating func standing(_ standing: RetentionStanding?) {
        guard let standing else { return }
        fact("Kept") { html in
            if standing.stays.isEmpty, let end = standing.waitsUntil {
                html.text("Nothing keeps it: it expires with the first collection after ")
                html.time(end)
                html.text(", when changed rules are applied.")
            } else if standing.stays.isEmpty {
                html.text("Nothing keeps it: it expires with the next collection.")
            } else if let end = standing.expires {
                html.text("until ")
                html.time(end)
                html.text(" at least: \(StandingWords.list(standing.stays)). Then it expires.")
            } else {
                html.text("\(StandingWords.list(standing.stays)). It does not expire while that is so.")
            }
            html.element(.span, text: " Rule: ") { $0.set(.class, "soft small") }
            html.code(standing.rule.description)
        }
    }
}

/// Why a release stays, in words.
enum StandingWords {
    /// The most reasons that are named.
    private static let most = 6

    static func list(_ stays: [Stay]) -> String {
        var words: [String] = []
        for stay in stays where !words.contains(sentence(stay)) { words.append(sentence(stay)) }
        let rest = words.count - most
        let text = words.prefix(most).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more reasons" : "")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func sentence(_ stay: Stay) -> String {
        switch stay {
        case .shown(let channel): "\(channel) shows it"
        case .showed(let channel): "it is among the last that were put on \(channel)"
        case .rollback(let channel): "a rollback of \(channel) can lead to it"
        case .last(let count): "it is among the last \(count) that were published"
        case .young(let end): "it is young until \(GalleryText.moment(end))"
        case .asked(let end): "hosts may still ask for it until \(GalleryText.moment(end))"
        }
    }
}
