/// The words of pages that are not a widget's.
enum PageText {
    static let run = "Run"
    static let over = "This page has ended."
    static let begin = "Begin anew"
}

/// Addresses of this server, which pages and script share.
enum PageAddress {
    static let first = "/"
    static let live = "/live"
    static let assets = "/assets/"

    static func viewing(_ name: String) -> String { "\(live)/\(name)" }

    static func actions(_ name: String) -> String { "\(live)/\(name)/actions" }

    static func events(_ name: String) -> String { "\(live)/\(name)/events" }

    static func sheet(_ name: String, _ number: Int) -> String { "\(live)/\(name)/sheet/\(number).css" }

    static func pictures(_ name: String) -> String { "\(live)/\(name)/pictures/" }
}
