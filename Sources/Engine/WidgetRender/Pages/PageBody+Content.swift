internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// Text, pictures, buttons and boxes.
extension PageBody {
    /// A tappable label is a button; its text stays what it says.
    mutating func label(_ element: PageElement) {
        let text = element.node.text(.text)
        if element.isTappable {
            html.begin(.button) { attributes in
                element.identify(&attributes, "t act")
                element.tap(&attributes)
                if element.name.isEmpty || element.name != text { element.label(&attributes) }
            }
        } else {
            html.begin(element.look?.accessibility?.isHeading == true ? heading(2) : .p) { attributes in
                element.identify(&attributes, "t")
            }
        }
        // Plain text takes no other name: the text for the eye is hidden, and the name is written beside it.
        let isRenamed = !element.name.isEmpty && element.name != text && !element.isTappable
        html.begin(.span) { attributes in
            attributes.set(.class, TextMetrics.isMark(text) ? "mk" : nil)
            attributes.set(.isHidden, isRenamed ? "true" : nil)
        }
        words(of: element, text)
        html.end()
        if isRenamed { html.element(.span, text: element.name) { $0.set(.class, "vh") } }
        html.end()
    }

    /// A text: its parts where the author gave them looks and the text is still that of the interface.
    ///
    /// - Parameter followsLinks: true for a text whose links a person can follow.
    mutating func words(of element: PageElement, _ text: String, followsLinks: Bool = false) {
        let runs = element.look?.appearance.runs(of: text) ?? []
        guard !runs.isEmpty, let plans else {
            html.text(text)
            return
        }
        for (index, run) in runs.enumerated() {
            let name = plans.run(element.node.key.node, index)
            if followsLinks, let link = run.link, PageLink.isSafe(link) {
                html.element(.a, text: run.text) { attributes in
                    attributes.set(.class, name)
                    PageLink.set(&attributes, link)
                }
            } else {
                html.element(.span, text: run.text) { $0.set(.class, name) }
            }
        }
    }

    mutating func button(_ element: PageElement) {
        let node = element.node
        if element.takesFile {
            fileButton(element)
            return
        }
        let state = element.state
        // A title for a state comes before the usual one, as on devices.
        let text = state?.title ?? node.text(.text)
        let shown = state?.image.flatMap { pictures.picture($0) } ?? picture(of: element)
        let isBack = node.key.node == ViewKey.back
        let isSelected = element.isSelected
        let remark = remark(on: element)
        let kinds = [
            "b", isBack ? "back" : node.isTrue(.isProminent) ? "done" : "",
            isSelected ? state == nil ? "on" : "on own" : "",
            configuration(of: element), grounds(of: element),
        ]
        let kind = kinds.filter { !$0.isEmpty }.joined(separator: " ")
        html.begin(.button) { attributes in
            element.identify(&attributes, kind)
            if element.isTappable || node.key.node < 0 {
                attributes.set(.name, "do")
                attributes.set(.value, PageKey.action(.tap, node.key))
            } else {
                attributes.set(.type, "button")
            }
            attributes.set(.disabled, if: element.isDisabled)
            if text.isEmpty || element.name != node.text(.text) { element.label(&attributes) }
            attributes.set(.title, remark)
            // A button that can be selected says also that it is not.
            if node[.selected] != nil { attributes.set(.pressed, isSelected ? "true" : "false") }
        }
        let glyph: SystemSymbol? =
            if isBack { .back } else if text.isEmpty, shown == nil {
                SystemSymbol.of(element.look?.appearance, name: element.name)
            } else { nil }
        if let glyph { html.markup(PageGlyph.markup(of: glyph)) }
        if let shown {
            if isShape(element) {
                let name = pictures.shape(shown, in: options.pictureFolder)
                html.begin(.span) { $0.set(.class, "tp \(name)") }
                img(shown, alt: "")
                html.end()
            } else {
                img(shown, alt: "")
                let pressed = element.look?.button?.pressed?.image.flatMap { pictures.picture($0) }
                if state == nil, let pressed, pressed != shown { img(pressed, alt: "", "dn") }
            }
        }
        if !text.isEmpty {
            html.begin(.span)
            words(of: element, text)
            html.end()
            let subtitle = element.look?.button?.configuration?.subtitle ?? ""
            if !subtitle.isEmpty { html.element(.span, text: subtitle) { $0.set(.class, "sub") } }
        } else if shown == nil, glyph == nil, let kind = emptyPlace(of: element) {
            html.begin(.span) { $0.set(.class, kind) }
            html.end()
        } else if shown == nil, glyph == nil, !element.name.isEmpty {
            let title = element.look?.appearance.systemTitle ?? element.name
            html.element(.span, text: title) { $0.set(.class, "nt") }
        }
        html.end()
    }

    /// A button with which a person picks a picture or a film: the look of one, over which a file is chosen.
    private mutating func fileButton(_ element: PageElement) {
        let text = element.node.text(.text)
        html.begin(.span) { element.box(&$0, "b pick") }
        if let shown = picture(of: element) { img(shown, alt: "") }
        if !text.isEmpty || picture(of: element) == nil {
            html.element(.span, text: text.isEmpty ? element.spokenName : text) { $0.set(.isHidden, "true") }
        }
        html.begin(.input) { attributes in
            attributes.set(.type, "file")
            attributes.set(.id, element.id)
            attributes.set(.name, element.key)
            attributes.set(.dataID, element.node.identifier)
            attributes.set(.accept, "image/*,video/*")
            element.label(&attributes)
            attributes.set(.disabled, if: element.isDisabled)
        }
        html.end()
    }

    /// The classes of the pictures behind a button's title: of its state, and while it is pressed.
    private mutating func grounds(of element: PageElement) -> String {
        let folder = options.pictureFolder
        let usual = element.state?.backgroundImage ?? element.look?.appearance.backgroundImage
        let ground = usual.flatMap { pictures.picture($0) }.map { pictures.ground($0, in: folder) }
        let pressed = element.look?.button?.pressed?.backgroundImage.flatMap { pictures.picture($0) }
            .map { pictures.ground($0, in: folder, isPressed: true) }
        return [ground, pressed].compactMap { $0 }.joined(separator: " ")
    }

    // MARK: - Pictures

    mutating func image(_ element: PageElement) {
        let shown = picture(of: element)
        let name = element.name.isEmpty ? words[.noImage] : element.name
        let remark = remark(on: element)
        if element.isTappable {
            html.begin(.button) { attributes in
                element.identify(&attributes, "i act")
                element.tap(&attributes)
                attributes.set(.title, remark)
            }
            if let shown {
                img(shown, alt: name)
            } else {
                missing(element, name) { $0.set(.class, $1) }
            }
            html.end()
        } else if let shown, isShape(element) {
            let name = pictures.shape(shown, in: options.pictureFolder)
            html.begin(.span) { element.identify(&$0, "i tp \(name)") }
            img(shown, alt: element.name)
            html.end()
        } else if let shown {
            let folder = options.pictureFolder
            img(shown) { attributes in
                element.identify(&attributes, "i")
                attributes.set(.title, remark)
                shown.set(&attributes, folder, alt: name)
            }
        } else {
            missing(element, name) { attributes, kind in
                element.identify(&attributes, "i \(kind)")
                attributes.set(.title, remark)
            }
        }
    }

    /// The address of a picture of the network that the page does not show, with the reason if its host has tried.
    private func remark(on element: PageElement) -> String? {
        guard let address = element.accessible.picture?.address else { return nil }
        return switch view.pictures[address] {
        case nil: address
        case .failed(let reason): "\(address): \(reason)"
        case .awaited, .file: nil
        }
    }

    /// The classes of the empty place of a picture that is not shown, with its size; `nil` if the size is unknown.
    private mutating func emptyPlace(of element: PageElement) -> String? {
        guard let name = element.accessible.picture?.name, let size = images?[name]?.points else { return nil }
        return "ni \(pictures.room(of: size))"
    }

    /// True for a picture of which only the shape counts, as in bars and buttons of the system.
    private func isShape(_ element: PageElement) -> Bool {
        guard let name = element.accessible.picture?.name, let image = images?[name] else { return false }
        switch image.rendering {
        case .template: return true
        case .original: return false
        case .automatic: return element.node.kind == .button && (element.place.isInBar || isOfSystem(element))
        }
    }

    /// True for a picture in an element that chooses between it and the one for dark schemes.
    mutating func isPictureForTwoSchemes(_ element: PageElement) -> Bool {
        guard !element.isTappable, !isShape(element), let shown = picture(of: element) else { return false }
        return shown.dark != nil
    }

    private func isOfSystem(_ element: PageElement) -> Bool { element.look?.appearance.buttonType == 1 }

    /// The class of a button that leaves its drawing to the system.
    private func configuration(of element: PageElement) -> String {
        switch element.look?.button?.configuration?.style {
        case nil, .plain, .borderless: ""
        case .gray, .bordered: "cg"
        case .tinted, .borderedTinted: "ct"
        case .filled, .borderedProminent: "cf"
        }
    }

    /// The place of a picture that the page does not have. One that could not be fetched is described for the eye as well.
    ///
    /// - Parameter identify: called with the classes of the place.
    private mutating func missing(
        _ element: PageElement, _ name: String, _ identify: (inout HTMLAttributes, String) -> Void
    ) {
        let isDescribed = hasFailed(element)
        let kind = isDescribed ? "un" : emptyPlace(of: element) ?? "ni"
        html.begin(.span) { attributes in
            identify(&attributes, kind)
            attributes.set(.role, "img")
            attributes.set(.label, name)
        }
        if isDescribed { html.element(.span, text: name) { $0.set(.class, "no") } }
        html.end()
    }

    private func hasFailed(_ element: PageElement) -> Bool {
        guard let address = element.accessible.picture?.address, let fetched = view.pictures[address] else {
            return false
        }
        return fetched != .awaited
    }

    private mutating func img(_ picture: PagePicture, alt: String, _ kind: String? = nil) {
        let folder = options.pictureFolder
        img(picture) { attributes in
            attributes.set(.class, kind)
            picture.set(&attributes, folder, alt: alt)
        }
    }

    /// A picture, with the one for a dark scheme where it has one.
    private mutating func img(_ picture: PagePicture, _ attributes: (inout HTMLAttributes) -> Void) {
        guard let dark = picture.dark else {
            html.begin(.img, attributes)
            return
        }
        let folder = options.pictureFolder
        html.begin(.picture)
        html.begin(.source) { source in
            source.set(.srcset, folder + dark)
            source.set(.media, "(prefers-color-scheme:dark)")
        }
        html.begin(.img, attributes)
        html.end()
    }

    /// The picture of the bundle or of the network. A placeholder is shown until that one has come or has failed.
    private mutating func picture(of element: PageElement) -> PagePicture? {
        guard let shown = element.accessible.picture else { return nil }
        if let address = shown.address, let fetched = view.pictures[address], fetched != .awaited {
            return pictures.picture(at: address, fetched)
        }
        return (shown.name ?? shown.placeholder).flatMap { pictures.picture($0) }
    }

    // MARK: - Boxes

    mutating func box(_ element: PageElement) {
        let scrolls = element.look?.scrolling != nil
        let kind = kind(of: element, scrolls: scrolls)
        let region = scrolls ? regionName(element) : nil
        html.begin(.div) { attributes in
            element.identify(&attributes, kind)
            if let region {
                attributes.set(.role, "region")
                attributes.set(.tabindex, "0")
                attributes.set(.label, region)
            } else if !element.name.isEmpty {
                attributes.set(.role, "group")
                attributes.set(.label, element.name)
            }
        }
        if element.isTappable { hit(element) }
        children(of: element)
        html.end()
    }

    private func kind(of element: PageElement, scrolls: Bool) -> String {
        switch element.node.kind {
        case .sectionHeader: return "v sh"
        case .sectionFooter: return "v sf"
        default:
            return (scrolls ? "v sc" : "v") + (element.isTappable ? " tap" : "") + (element.place.isRoot ? " root" : "")
        }
    }

    /// An element that pages cannot show: its name in a box, and its children.
    mutating func placeholder(_ element: PageElement, _ kind: String) {
        html.begin(.div) { element.identify(&$0, element.place.isRoot ? "v un root" : "v un") }
        html.element(.span, text: "\(kind) is not shown here") { $0.set(.class, "no") }
        if element.isTappable { hit(element) }
        children(of: element)
        html.end()
    }

    /// Forms cannot lie in the page's form.
    mutating func form(_ element: PageElement) {
        html.begin(.fieldset) { attributes in
            element.identify(&attributes, element.place.isRoot ? "v fm root" : "v fm")
            attributes.set(.label, element.name.isEmpty ? nil : element.name)
        }
        if element.isTappable { hit(element) }
        children(of: element)
        html.end()
    }

    /// A web page is a link and never a frame.
    mutating func web(_ element: PageElement) {
        let address = element.accessible.value ?? ""
        html.begin(.p) { element.identify(&$0, "wb") }
        if PageLink.isSafe(address) {
            html.element(.a, text: address) { PageLink.set(&$0, address) }
        } else {
            html.element(.span, text: address)
        }
        html.end()
    }

    // MARK: - Native elements

    /// The markup of the program behind a native widget, as it is. Only the node of a program that was read with native
    /// code has some; any other shows its text.
    mutating func native(_ element: PageElement) {
        html.begin(.div) { attributes in
            element.identify(&attributes, element.isTappable ? "v nv tap" : "v nv")
            guard !element.name.isEmpty else { return }
            attributes.set(.role, "group")
            attributes.set(.label, element.name)
        }
        if element.isTappable { hit(element) }
        let isOfCode = scene?.node(element.node.key.node)?.kind == .native
        let markup = isOfCode ? element.node.text(.html) : ""
        if markup.isEmpty {
            html.element(.p, text: element.node.text(.text)) { $0.set(.class, "t") }
        } else {
            html.trusted(markup)
        }
        html.end()
    }
}
