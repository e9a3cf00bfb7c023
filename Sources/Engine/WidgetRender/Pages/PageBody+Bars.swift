internal import Markup
internal import WidgetCore

/// The bars around a screen: that of its stack at the top, and a toolbar or tabs at the bottom.
extension PageBody {
    mutating func bar(_ element: PageElement) {
        let kind = barKind
        html.begin(.header) { element.identify(&$0, kind) }
        html.begin(.div) { $0.set(.class, "lead") }
        for child in ReadingOrder.sorted(element.node.children) {
            guard child.kind == .barTitle else {
                node(child, in: Place(isInBar: true))
                continue
            }
            html.end()
            node(child)
            html.begin(.div) { $0.set(.class, "trail") }
        }
        html.end()
        html.end()
    }

    private var barKind: String {
        guard let bar = scene?.navigationBar, let plans else { return "bar" }
        return "bar \(plans.bar)" + (bar.isTranslucent ? " tr" : "") + (bar.prefersLargeTitle ? " big" : "")
    }

    /// The title, with the pictures of a title view beside it.
    mutating func barTitle(_ element: PageElement) {
        html.begin(.div) { $0.set(.class, "tv") }
        html.element(.h1, text: element.name) { element.identify(&$0, "bt") }
        for child in ReadingOrder.sorted(element.node.children) { node(child, in: Place(isInBar: true)) }
        html.end()
    }

    // MARK: - At the bottom

    /// The bar at the bottom that the scene has, and whether it is one of tabs.
    private var bottom: (bar: BarGeometry, isTabs: Bool)? {
        guard let scene else { return nil }
        if let toolbar = scene.toolbar, !toolbar.isHidden { return (toolbar, false) }
        guard let tabs = scene.tabBar, !tabs.isHidden, !scene.edges.hidesBottomBar else { return nil }
        return (tabs, true)
    }

    /// The classes of a screen that lies under a bar at the bottom, or ends above it.
    var bottomKind: String {
        guard let (bar, isTabs) = bottom, let scene else { return "" }
        let lets = bar.isTranslucent || scene.edges.extendsUnderOpaqueBars
        return (isTabs ? " btab" : " btool") + (scene.edges.extendsUnderBottomBar && lets ? " under" : " above")
    }

    /// - Parameter toolbar: `nil` for a toolbar without items of the screen.
    mutating func bottomBar(_ toolbar: ViewNode?, isInert: Bool) {
        guard let (bar, isTabs) = bottom, let plans else { return }
        let paint = isTabs ? plans.tabBar : plans.toolbar
        let kind = (isTabs ? "tabs" : "tools") + " \(paint)" + (bar.isTranslucent ? " tr" : "")
        if isTabs {
            tabs(bar, kind)
            return
        }
        let element = toolbar.map { self.element($0, in: Place(isInert: isInert, isInBar: true)) }
        html.begin(.div) { attributes in
            if let element { element.identify(&attributes, kind) } else { attributes.set(.class, kind) }
            attributes.set(.role, toolbar == nil ? nil : "toolbar")
            attributes.set(.label, toolbar == nil ? nil : "Toolbar")
        }
        for child in toolbar?.children ?? [] { node(child, in: Place(isInert: isInert, isInBar: true)) }
        html.end()
    }

    /// The tabs of other screens do nothing here, so that they are for the eye alone.
    private mutating func tabs(_ bar: BarGeometry, _ kind: String) {
        html.begin(.div) { attributes in
            attributes.set(.class, kind)
            attributes.set(.isHidden, "true")
        }
        for (place, tab) in bar.tabs.enumerated() {
            html.begin(.span) { $0.set(.class, place == 0 ? "tab on" : "tab") }
            if let image = tab.image.flatMap({ pictures.picture($0) }) {
                let name = pictures.shape(image, in: options.pictureFolder)
                html.begin(.span) { $0.set(.class, "tp \(name)") }
                let folder = options.pictureFolder
                html.begin(.img) { image.set(&$0, folder, alt: "") }
                html.end()
            }
            html.element(.span, text: tab.title)
            html.end()
        }
        html.end()
    }
}
