internal import WidgetCore
internal import WidgetLayout
internal import WidgetLive
internal import WidgetMarkup
internal import WidgetRender

/// The element `widget-view` around a widget, with its shadow root as markup.
struct ElementPage: LivePagePrinter {
    private let place: LivePlace

    init(_ place: LivePlace) { self.place = place }

    var hasSlots: Bool { false }

    func place(_ slot: PageSlot, on page: String) -> LivePlace { place }

    func page(
        _ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition
    ) -> [UInt8]? {
        let letter = place.options.letter
        guard let part = widgets[letter] else { return nil }
        var html = HTMLWriter(reservingBytes: part.html.count + 2_048)
        // The path is of letters that need no escape, and so are names, letters and numbers.
        html.trusted(
            "<widget-view data-live=\"\(address)\" data-begin=\"\(place.begin)\" data-view=\"\(position.text)\" data-slot=\"\(letter)\">"
        )
        html.markup("<template shadowrootmode=\"open\">")
        for sheet in part.sheets {
            html.begin(.link) { attributes in
                attributes.set(.rel, "stylesheet")
                attributes.set(.href, sheet)
            }
        }
        html.element(.div) { attributes in
            attributes.set(.class, "page")
            attributes.set(.lang, PageHead.language(place.options.locale))
            attributes.set(.dir, place.options.viewport.direction.rawValue)
            let heading = place.options.part?.heading ?? ""
            attributes.set(.role, heading.isEmpty ? nil : "group")
            attributes.set(.label, heading.isEmpty ? nil : heading)
            LiveFrame.say(SystemWords(place.options.locale), &attributes)
        } content: { html in
            html.printed(part.html)
        }
        html.markup("</template></widget-view>")
        return html.finish()
    }

    func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8] { widget?.html ?? [] }
}

/// The stylesheet of the element `widget-view`: nothing of the page around it reaches the widget but its size.
enum ElementSheet {
    /// The name by which the file never changes.
    static let fileName = "element-\(PageFiles.digest(of: bytes)).css"

    static let bytes = Array(text.utf8)

    /// The name of the sheet of all programs for elements, by which it never changes.
    static let base = "base-\(PageFiles.digest(of: ContainedSheet.bytes(BaseSheet.bytes))).css"

    /// The page around the element may size and place it. What elements inherit begins anew within, but for properties of
    /// the page's own, of which a widget reads only those that it sets.
    static let text = """
        /* Widgets in pages of others: the element around one. */
        :host{display:block;height:40em;max-height:100dvh}
        .page{all:initial;box-sizing:border-box;width:100%;height:100%;color-scheme:light dark;\
        --widget-scale:1;--widget-rem:calc(16px*var(--widget-scale));--track:initial}

        """
}
