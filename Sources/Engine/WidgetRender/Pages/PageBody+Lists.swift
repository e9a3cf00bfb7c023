internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// Lists, grids and their rows, and the bars around a screen.
extension PageBody {
    /// A region that scrolls, with a list of rows between headers and footers. A long one shows its first rows, and a
    /// button for more.
    mutating func list(_ element: PageElement) {
        let node = element.node
        let name = regionName(element)
        let kind = listKind(element) + (node.keepsEnd ? " ks" : "")
        html.begin(.div) { attributes in
            element.identify(&attributes, kind + (element.place.isRoot ? " root" : ""))
            attributes.set(.role, "region")
            attributes.set(.tabindex, "0")
            attributes.set(.label, name)
            attributes.set(.dataUnnamed, if: element.name.isEmpty)
            attributes.set(.isBusy, node.isTrue(.refreshing) ? "true" : nil)
        }
        if node.events.contains(.refresh) { refresh(element) }
        // One child, because a list that grows upwards turns the order of its children around.
        if node.keepsEnd { html.begin(.div) { $0.set(.class, "ke") } }
        let children = ReadingOrder.sorted(node.children)
        let rowCount = PageBody.rowCount(of: node, rowCounts)
        if children.count > ReadingOrder.sortedCount { rowCounts[node.key] = rowCount }
        let shownCount = options.shownRows(of: node, rowCount, windows)
        if rowCount <= options.shownRowCount {
            fullLists.updateValue(nil, forKey: node.key)
        } else if rowCount <= options.rowLimit {
            fullLists[node.key] = rowCount
        }
        var left = shownCount
        var earlier = node.keepsEnd ? EarlierRows(count: rowCount - shownCount) : EarlierRows(count: 0)
        if node.keepsEnd, shownCount < rowCount { more(element, shownCount, of: rowCount) }
        var isInRows = false
        var skips = (shell?.shared.skips(of: node, isOld: shell?.isOld ?? false) ?? [])[...]
        var place = 0
        while place < children.count {
            if let skipped = skips.first, skipped.lowerBound == place {
                if !isInRows { html.begin(.ul) { $0.set(.role, "list") } }
                isInRows = true
                left -= skipped.count
                place = skipped.upperBound
                skips.removeFirst()
                continue
            }
            // Sections beyond the last row that is shown come with their rows.
            if left == 0, shownCount < rowCount { break }
            let child = children[place]
            place += 1
            if earlier.takes(child, isRow: PageBody.isRow(child, of: node)) { continue }
            if let header = earlier.header.take() { self.node(header) }
            guard PageBody.isRow(child, of: node) else {
                if isInRows { html.end() }
                isInRows = false
                self.node(child)
                continue
            }
            left -= 1
            if !isInRows { html.begin(.ul) { $0.set(.role, "list") } }
            isInRows = true
            let row = self.element(child)
            if isHole(row, in: node.key) { continue }
            html.name(row.id)
            self.row(row, in: element)
        }
        if isInRows { html.end() }
        if shownCount < rowCount {
            if !node.keepsEnd { more(element, shownCount, of: rowCount) }
        } else if rowCount > 0, options.viewNumber != nil, node.events.contains(.scrollEnd) {
            scroll(element)
        }
        if node.keepsEnd { html.end() }
        html.end()
    }

    /// The rows of a list, sections not counted.
    ///
    /// - Parameter known: the numbers of long lists.
    static func rowCount(of list: ViewNode, _ known: [ViewKey: Int] = [:]) -> Int {
        if list.children.count > ReadingOrder.sortedCount, let count = known[list.key] { return count }
        return list.children.count { isRow($0, of: list) }
    }

    /// A node by itself: a row is an item of its list's.
    mutating func part(_ node: ViewNode) {
        var list: ViewNode?
        view.visit { outer in
            if outer.kind == .list || outer.kind == .grid, outer.children.contains(where: { $0.key == node.key }) {
                list = outer
            }
            return list == nil
        }
        if let list, PageBody.isRow(node, of: list) {
            let list = element(list)
            row(element(node), in: list)
        } else {
            self.node(node, in: Place(isRoot: view.root.children.contains { $0.key == node.key }))
        }
    }

    /// A row of the list: of its items, or one that its author wrote.
    static func isRow(_ child: ViewNode, of list: ViewNode) -> Bool {
        if child.kind == .row { return true }
        guard let item = child.key.item else { return false }
        return item.list == list.key.node && item.turn >= 0 && child.kind != .sectionHeader
            && child.kind != .sectionFooter
    }

    private func listKind(_ element: PageElement) -> String {
        if element.node.kind == .grid { return "ls gr" }
        switch element.look?.list?.style ?? .plain {
        case .plain, .sidebar: return "ls"
        case .grouped: return "ls gp"
        case .insetGrouped: return "ls gp ig"
        }
    }

    private mutating func refresh(_ element: PageElement) {
        html.element(.button, text: words[.refresh]) { attributes in
            attributes.set(.class, "rf")
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.action(.refresh, element.node.key))
        }
    }

    private mutating func more(_ element: PageElement, _ shown: Int, of count: Int) {
        html.element(.button, text: words[.moreRowsShown, ["shown": "\(shown)", "count": "\(count)"]]) { attributes in
            attributes.set(.class, "more")
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.more(element.node.key, shown + options.shownRowCount))
        }
    }

    /// A list that gets further rows at its end asks for them.
    private mutating func scroll(_ element: PageElement) {
        html.element(.button, text: words[.moreRows]) { attributes in
            attributes.set(.class, "more")
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.scroll(element.node.key))
        }
    }

    // MARK: - Rows

    /// - Parameter list: `nil` for a row that lies in no list.
    mutating func row(_ element: PageElement, in list: PageElement?) {
        let node = element.node
        let isSelected = node.isTrue(.selected)
        html.begin(list == nil ? .div : .li) { attributes in
            element.identify(&attributes, (node.kind == .row ? "r" : "r v") + (isSelected ? " selected" : ""))
            attributes.set(.current, isSelected ? "true" : nil)
            attributes.set(.label, element.name.isEmpty ? nil : element.name)
        }
        let ids = PageBody.texts(of: node).map { nextID(of: $0) }
        let isSelectable = isSelectable(node, in: list?.node)
        if isSelectable {
            hit(element, labelledBy: Array(ids.prefix(1)), describedBy: Array(ids.dropFirst()))
        }
        children(of: element)
        accessory(element, isSpoken: !isSelectable)
        if node.events.contains(.delete) { delete(element, ids.first) }
        html.end()
    }

    private func isSelectable(_ node: ViewNode, in list: ViewNode?) -> Bool {
        if node.events.contains(.select) || node.events.contains(.tap) { return true }
        guard node.key.item != nil, let list else { return false }
        return scene?.node(list.key.node)?.list?.collectsSelection ?? false
    }

    /// The most texts that a row's button is described by.
    private static let describingTextCount = 8

    /// The texts of a row, in reading order.
    private static func texts(of row: ViewNode) -> [ViewKey] {
        var keys: [ViewKey] = []
        var pending: [ViewNode] = ReadingOrder.sorted(row.children).reversed()
        while let node = pending.popLast(), keys.count < describingTextCount {
            if node.kind == .label, !node.text(.text).isEmpty { keys.append(node.key) }
            if holdsChildren(node.kind) { pending.append(contentsOf: ReadingOrder.sorted(node.children).reversed()) }
        }
        return keys
    }

    /// True for kinds whose elements hold those of their children. Others have room for their own content alone.
    private static func holdsChildren(_ kind: NodeKind) -> Bool {
        switch kind {
        case .label, .button, .image, .textField, .textArea, .toggle, .slider, .stepper, .segments, .picker,
            .datePicker, .pageControl, .activity, .progress, .web, .native, .tab, .constraint:
            false
        case .box, .searchField, .list, .grid, .row, .sectionHeader, .sectionFooter, .bar, .barTitle, .tabs, .form,
            .screen,
            .unknown:
            true
        }
    }

    /// - Parameter isSpoken: true for a row without a button, which would say that it is checked.
    private mutating func accessory(_ element: PageElement, isSpoken: Bool) {
        // A view of the author's has its place.
        if scene?.accessoryView(ofRow: element.node.key.node) != nil { return }
        let name: String
        switch element.look?.appearance.accessory ?? .none {
        case .none: return
        case .disclosure: name = "acc dis"
        case .detailDisclosure: name = "acc dis det"
        case .checkmark: name = "acc chk"
        case .detail: name = "acc det"
        }
        html.begin(.span) { attributes in
            attributes.set(.class, name)
            guard isSpoken, element.node.isTrue(.checked) else { return }
            attributes.set(.role, "img")
            attributes.set(.label, words[.checked])
        }
        html.end()
    }

    private mutating func delete(_ element: PageElement, _ text: String?) {
        html.element(.button, text: words[.delete]) { attributes in
            attributes.set(.class, "del")
            attributes.set(.name, "do")
            attributes.set(.value, PageKey.action(.delete, element.node.key))
            attributes.set(.describedBy, text)
        }
    }

    // MARK: - Bars

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
        html.element(heading(1), text: element.name) { element.identify(&$0, "bt") }
        for child in ReadingOrder.sorted(element.node.children) { node(child, in: Place(isInBar: true)) }
        html.end()
    }

    // MARK: - At the bottom

    /// The toolbar of the scene, unless it is hidden.
    private var toolbar: BarGeometry? { scene?.toolbar.flatMap { $0.isHidden ? nil : $0 } }

    /// The scene that has the bar of the tabs.
    private var tabScene: Scene? { view.tabScene.flatMap { program?.program.scenes[$0] } ?? scene }

    /// The classes of a screen that lies under the bars at the bottom, or ends above them.
    func bottomKind(hasTabs: Bool) -> String {
        guard let scene, toolbar != nil || hasTabs else { return "" }
        let isTranslucent = (toolbar?.isTranslucent ?? true) && (!hasTabs || tabScene?.tabBar?.isTranslucent ?? true)
        let lets = isTranslucent || scene.edges.extendsUnderOpaqueBars
        return (toolbar == nil ? "" : " btool") + (hasTabs ? " btab" : "")
            + (scene.edges.extendsUnderBottomBar && lets ? " under" : " above")
    }

    /// - Parameter items: `nil` for a toolbar without items of the screen.
    mutating func toolbar(_ items: ViewNode?, isInert: Bool) {
        guard let bar = toolbar, let plans else { return }
        let kind = "tools \(plans.toolbar)" + (bar.isTranslucent ? " tr" : "")
        let element = items.map { self.element($0, in: Place(isInert: isInert, isInBar: true)) }
        html.begin(.div) { attributes in
            if let element { element.identify(&attributes, kind) } else { attributes.set(.class, kind) }
            attributes.set(.inert, if: isInert)
            attributes.set(.role, items == nil ? nil : "toolbar")
            attributes.set(.label, items == nil ? nil : words[.toolbar])
        }
        for child in items?.children ?? [] { node(child, in: Place(isInBar: true)) }
        html.end()
    }

    mutating func tabs(_ tabs: ViewNode, isInert: Bool) {
        let bar = tabScene?.tabBar ?? BarGeometry()
        let kind = "tabs \(tabScene.flatMap { program?.scene($0)?.tabBar } ?? "")" + (bar.isTranslucent ? " tr" : "")
        let element = self.element(tabs, in: Place(isInert: isInert, isInBar: true))
        html.begin(.div) { attributes in
            element.identify(&attributes, kind)
            attributes.set(.role, "tablist")
            attributes.set(.label, words[.tabs])
        }
        for tab in tabs.children { node(tab, in: Place(isInBar: true)) }
        html.end()
    }

    mutating func tab(_ element: PageElement) {
        html.begin(.button) { attributes in
            element.identify(&attributes, element.isSelected ? "tab on" : "tab")
            attributes.set(.role, "tab")
            attributes.set(.isSelected, element.isSelected ? "true" : "false")
            element.tap(&attributes)
            if element.node.text(.text).isEmpty { element.label(&attributes) }
        }
        if let image = pictures.picture(element.node.text(.image)) {
            let (folder, name) = (options.pictureFolder, pictures.shape(image, in: options.pictureFolder))
            html.begin(.span) { $0.set(.class, "tp \(name)") }
            html.begin(.img) { image.set(&$0, folder, alt: "") }
            html.end()
        }
        html.element(.span, text: element.node.text(.text))
        html.end()
    }
}
