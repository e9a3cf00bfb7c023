internal import WidgetLive

/// The words of servers that are for the people who run them. Readers' words are `SystemWords`.
enum PageText {
    static let unknownAct = "It takes load, update, earlier, later or move, and the letter of a slot."
    static let noSlots = "This page has one widget, and no slots."
    static let wrongHost = "This server is not known by that name."
    static let wrongHostHint = "Use the address that the program printed, or start it with --allow-host NAME."
    static let foreignPost = "That did not come from a page of this server."
    static let foreignFirstHint = "Type the address of this page, or open it by a bookmark."
    static let foreignPostHint = "Open the page itself, and press the button there."
}

/// Addresses of this server, which pages and script share.
enum PageAddress {
    static let first = "/"
    static let live = "/live"
    static let assets = "/assets/"

    static func page(_ name: String) -> String { "\(live)/\(name)" }

    /// - Parameter letter: of the slot that is shown first; `nil` for the beginning of the page.
    static func page(_ name: String, _ letter: String?) -> String {
        page(name) + (letter.map { "#\(PageSlot.id($0))" } ?? "")
    }

    /// The name of the page at an address, on whichever server.
    static func name(at address: String) -> String? {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "live", let name = parts.last, name.utf8.count == 32 else {
            return nil
        }
        return String(name)
    }
}
