internal import Markup
internal import WidgetCore

/// A drawing of the system's for a button without title and picture.
enum PageGlyph {
    case back, plus, circledPlus, info, search, stop, trash, refresh

    /// - Returns: `nil` for a button that the system has no drawing for: its name is shown.
    static func of(_ element: PageElement) -> PageGlyph? {
        switch element.look?.appearance.buttonType {
        case 2, 3, 4: return .info
        case 5: return .circledPlus
        default: break
        }
        switch element.name {
        case "Add": return .plus
        case "More Info": return .info
        case "Search": return .search
        case "Stop": return .stop
        case "Trash": return .trash
        case "Refresh": return .refresh
        default: return nil
        }
    }

    var markup: StaticString {
        switch self {
        case .back: #"<svg class="gl bk" viewBox="0 0 13 22" aria-hidden="true"><path d="M11 2l-9 9 9 9"/></svg>"#
        case .plus: #"<svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M11 2v18M2 11h18"/></svg>"#
        case .circledPlus:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10"/>\#
            <path d="M11 6v10M6 11h10"/></svg>
            """#
        case .info:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10"/>\#
            <path d="M11 10v6M11 6v1"/></svg>
            """#
        case .search:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><circle cx="9" cy="9" r="7"/>\#
            <path d="M14 14l6 6"/></svg>
            """#
        case .stop:
            #"<svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M3 3l16 16M19 3L3 19"/></svg>"#
        case .trash:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true">\#
            <path d="M3 5h16M8 5V2h6v3M5 5l1 15h10l1-15M9 9v7M13 9v7"/></svg>
            """#
        case .refresh:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M18 7a8 8 0 1 0 1 5M18 2v5h-5"/></svg>
            """#
        }
    }
}
