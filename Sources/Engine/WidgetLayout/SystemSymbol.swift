package import WidgetCore

/// A drawing of the system's for a button without title and picture, by the name that the system has for it.
package enum SystemSymbol: String, CaseIterable, Sendable {
    case back = "chevron.backward"
    case plus
    case circledPlus = "plus.circle"
    case info = "info.circle"
    case search = "magnifyingglass"
    case stop = "xmark"
    case trash
    case refresh = "arrow.clockwise"
    case compose = "square.and.pencil"
    case reply = "arrowshape.turn.up.left"
    case action = "square.and.arrow.up"
    case organize = "folder"
    case bookmarks = "book"
    case camera
    case play = "play.fill"
    case pause = "pause.fill"
    case rewind = "backward.fill"
    case forward = "forward.fill"
    case undo = "arrow.uturn.backward"
    case redo = "arrow.uturn.forward"

    /// The side of the square that a symbol is drawn in: the least size of something that can be touched.
    package static let side = 24.0

    /// The symbols by the names that the system has for its buttons.
    private static let named: [String: SystemSymbol] = [
        "Add": .plus, "More Info": .info, "Search": .search, "Stop": .stop, "Trash": .trash, "Refresh": .refresh,
        "Compose": .compose, "Reply": .reply, "Action": .action, "Organize": .organize, "Bookmarks": .bookmarks,
        "Camera": .camera, "Play": .play, "Pause": .pause, "Rewind": .rewind, "Fast Forward": .forward,
        "Undo": .undo, "Redo": .redo,
    ]

    /// The symbols of items of bars, by their numbers.
    private static let items: [Int: SystemSymbol] = [
        4: .plus, 7: .compose, 8: .reply, 9: .action, 10: .organize, 11: .bookmarks, 12: .search, 13: .refresh,
        14: .stop, 15: .camera, 16: .trash, 17: .play, 18: .pause, 19: .rewind, 20: .forward, 21: .undo, 22: .redo,
    ]

    /// The symbol of a kind of button, or of one with a name of the system.
    ///
    /// - Returns: `nil` for a button that the system has no drawing for: its title or name is shown.
    package static func of(_ appearance: Appearance?, name: String) -> SystemSymbol? {
        switch appearance?.buttonType {
        case 2, 3, 4: .info
        case 5: .circledPlus
        default: if let item = appearance?.systemItem { items[item] } else { named[name] }
        }
    }

    /// The symbol that a button shows in place of a title and a picture, or before the title that leads back.
    package static func shown(by button: ViewNode, _ look: Look?) -> SystemSymbol? {
        guard button.kind == .button else { return nil }
        if button.key.node == ViewKey.back { return .back }
        guard button.text(.text).isEmpty, button.text(.image).isEmpty else { return nil }
        return of(look?.appearance, name: button.text(.accessibleName))
    }
}

extension ViewNode {
    /// The text that an element shows: of a button without title, picture and symbol it is the name.
    package func shownText(_ look: Look?) -> String {
        let own = text(.text)
        guard kind == .button, own.isEmpty, text(.image).isEmpty, look?.appearance.backgroundImage == nil,
            SystemSymbol.shown(by: self, look) == nil
        else { return own }
        return look?.appearance.systemTitle ?? text(.accessibleName)
    }
}
