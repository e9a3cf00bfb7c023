internal import WidgetLive

/// The words of pages that are not a widget's.
enum PageText {
    static let run = "Run"
    static let overHint = "Its data were kept only as long as the page."
    static let begin = "Begin anew"
    static let back = "Back to the page"
    /// The label of a text whose field is not on the first screen.
    static let field = "Text"
    static let kept = "What was typed"
    static let full = "The server shows as many pages as it can."
    static let fullHint = "Close one that is not needed, or try again in half a minute."
    static let unavailable = "The widget cannot be shown now."
    static let broken = "The widget cannot run."
    static let load = "Load"
    static let loadAgain = "Load again"
    static let loading = "Loading…"
    static let notLoaded = "This widget has not been loaded."
    static let updateAll = "Update all"

    static func update(_ slot: String) -> String { "Update \(slot)" }
    static func earlier(_ slot: String) -> String { "Move \(slot) earlier" }
    static func later(_ slot: String) -> String { "Move \(slot) later" }

    static let fastHint = "Wait a moment, and send it again."
    static let unknownAct = "It takes load, update, earlier, later or move, and the letter of a slot."
    static let noSlots = "This page has one widget, and no slots."
    static let unreadable = "The server could not read what was sent."
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
        let parts = address.split(separator: "/")
        guard parts.count >= 2, parts[parts.count - 2] == "live", let name = parts.last, name.utf8.count == 32 else {
            return nil
        }
        return String(name)
    }
}
