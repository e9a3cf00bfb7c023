internal import WidgetLayout
internal import WidgetMarkup

/// The drawings of the system's symbols, as pages have them.
enum PageGlyph {
    static func markup(of symbol: SystemSymbol) -> StaticString {
        switch symbol {
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
        case .compose:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true">\#
            <path d="M11 4H3v15h15v-8M8 14l1-4 9-9 3 3-9 9z"/></svg>
            """#
        case .reply:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true">\#
            <path d="M9 4L2 10l7 6v-4c6 0 9 2 11 6 0-7-4-10-11-10z"/></svg>
            """#
        case .action:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true">\#
            <path d="M8 8H4v12h14V8h-4M11 14V1M7 5l4-4 4 4"/></svg>
            """#
        case .organize:
            #"<svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M2 4h6l2 3h10v12H2zM2 10h18"/></svg>"#
        case .bookmarks:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true">\#
            <path d="M11 5C8 3 5 3 2 4v14c3-1 6-1 9 1 3-2 6-2 9-1V4c-3-1-6-1-9 1zv14"/></svg>
            """#
        case .camera:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="12" r="4"/>\#
            <path d="M2 6h4l2-3h6l2 3h4v13H2z"/></svg>
            """#
        case .play:
            #"<svg class="gl so" viewBox="0 0 22 22" aria-hidden="true"><path d="M5 3l14 8-14 8z"/></svg>"#
        case .pause:
            #"<svg class="gl so" viewBox="0 0 22 22" aria-hidden="true"><path d="M5 3h4v16H5zM13 3h4v16h-4z"/></svg>"#
        case .rewind:
            #"""
            <svg class="gl so" viewBox="0 0 22 22" aria-hidden="true"><path d="M11 5v12l-9-6zM20 5v12l-9-6z"/></svg>
            """#
        case .forward:
            #"""
            <svg class="gl so" viewBox="0 0 22 22" aria-hidden="true"><path d="M11 5v12l9-6zM2 5v12l9-6z"/></svg>
            """#
        case .undo:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M8 3L3 8l5 5M3 8h10a5 5 0 0 1 0 10H8"/></svg>
            """#
        case .redo:
            #"""
            <svg class="gl" viewBox="0 0 22 22" aria-hidden="true"><path d="M14 3l5 5-5 5M19 8H9a5 5 0 0 0 0 10h5"/></svg>
            """#
        }
    }
}
