package import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// Pages that change while they are shown.
extension PagePrinter {
    /// A whole page, and what it shows.
    ///
    /// - Parameter windows: the rows that long lists show, if not as many as usual.
    package func moment(
        _ view: View, windows: [ViewKey: Int] = [:], _ assets: some ViewAssets
    ) -> (moment: PageMoment, page: PrintedPage) {
        var body = body(view, windows, assets, isOperation: false)
        page(&body)
        let page = body.finish()
        return (PageMoment(of: body), page)
    }

    /// The operations that turn the page of a moment into that of a view. What both have is not printed.
    ///
    /// - Parameter windows: the rows that long lists show from now on, if not as many as usual. A list whose rows are all
    ///   shown keeps them when it becomes a long one.
    package func change(
        from old: PageMoment, to view: View, windows: [ViewKey: Int] = [:], _ assets: some ViewAssets
    ) -> PageChange {
        let windows = windows.merging(old.fullLists) { max($0, $1) }
        if isUnchanged(old, view, windows) {
            return PageChange(operations: [], moment: old, pictures: [:], remarks: [])
        }
        let isSameScreen =
            old.view.screen == view.screen && old.view.root.key == view.root.key
            && old.view.root.kind == view.root.kind && old.view.isVisible && view.isVisible && !old.hasDoubledIDs
        guard isSameScreen else { return whole(view, old, windows, assets) }
        let shared = SharedNodes(old, view, windows, options)
        var before = body(
            old.view, old.windows, assets, PageShell(shared, allowed: nil, regions: old.regions), old.rowCounts)
        before.screen()
        var survey: PageBody?
        var regions = old.regions
        var closed: Set<String> = []
        // Each turn prints elements that the one before has found to be needed.
        for _ in 0..<PagePrinter.turnLimit {
            var shell = PageShell(shared, allowed: before.shell?.holes ?? [:], regions: regions)
            shell.closed = closed
            var after = body(view, windows, assets, shell, shared.newCounts)
            after.screen()
            if after.hasDoubledIDs { return whole(view, old, windows, assets) }
            if survey == nil, needsSurvey(before, after, old) || mayDouble(after.newKeys(since: before), in: view) {
                let all = self.survey(view, windows, assets)
                if all.hasDoubledIDs { return whole(view, old, windows, assets) }
                (survey, regions) = (all, all.regions)
                continue
            }
            guard !(before.shell?.isAmbiguous ?? true), !(after.shell?.isAmbiguous ?? true),
                let oldTree = PageTree(before.html), let newTree = PageTree(after.html)
            else { break }
            var comparison = PageComparison(oldTree, newTree)
            guard comparison.run() else { break }
            guard comparison.missing.isEmpty else {
                closed.formUnion(comparison.missing)
                continue
            }
            return change(old, before, after, survey, comparison.operations, assets)
        }
        return whole(view, old, windows, assets)
    }

    /// True if a page shows the view already: it is the same one, looked at again.
    private func isUnchanged(_ old: PageMoment, _ view: View, _ windows: [ViewKey: Int]) -> Bool {
        old.view.root === view.root && old.windows == windows && old.view.title == view.title
            && old.view.alerts == view.alerts && old.view.isVisible == view.isVisible
            && old.view.insets == view.insets && old.view.constants == view.constants
            && old.view.pictures == view.pictures
    }

    private static let turnLimit = 8
    private static let fullListLimit = 1_000

    /// The operations that give a control the value that it has in a view, for a page whose reader has changed it; none
    /// for an element without a value.
    package func value(of node: ViewNode, in view: View) -> [PageOperation] {
        let alone = ViewNode(
            node.key, node.kind, identifier: node.identifier, properties: node.properties, events: node.events)
        let moment = PageMoment(
            view: view, windows: [:], fullLists: [:], stateRules: [:], keptRules: [:], regions: [], rowCounts: [:],
            needsSurvey: false, hasDoubledIDs: false, focused: [])
        let shared = SharedNodes(moment, view, [:], options)
        var body = body(view, [:], NoAssets(), PageShell(shared, allowed: [:], regions: []))
        switch node.kind {
        case .textField, .searchField, .textArea, .datePicker, .toggle, .slider, .segments, .picker: body.node(alone)
        default: return []
        }
        guard !node.isTrue(.isSecure), let tree = PageTree(body.html) else { return [] }
        return tree.values
    }

    // MARK: - Parts

    private func body(
        _ view: View, _ windows: [ViewKey: Int], _ assets: some ViewAssets, _ shell: PageShell? = nil,
        _ rowCounts: [ViewKey: Int] = [:], isOperation: Bool = true
    ) -> PageBody {
        var body = PageBody(
            view, of: program, options,
            PagePictures(
                assets, scale: options.viewport.scale, scheme: options.scheme, of: program?.program.images),
            windows: windows, shell: shell, isOperation: isOperation)
        body.rowCounts = rowCounts
        return body
    }

    /// The whole of a view, as operations have it.
    private func survey(_ view: View, _ windows: [ViewKey: Int], _ assets: some ViewAssets) -> PageBody {
        var body = body(view, windows, assets)
        if view.isVisible { body.screen() } else { body.hiddenScreen() }
        return body
    }

    /// True if what an element says depends on elements that are not printed.
    private func needsSurvey(_ before: PageBody, _ after: PageBody, _ old: PageMoment) -> Bool {
        if old.needsSurvey || after.hasRegionInRow || after.hasSolvedFrames { return true }
        if !before.regions.elementsEqual(after.regions, by: { $0.id == $1.id && $0.base == $1.base }) { return true }
        guard before.regions.count < old.regions.count else { return false }
        return old.view.title != after.view.title || before.shell?.order != after.shell?.order
    }

    /// True if one of the keys occurs twice in a view, so that one may be in a row that is not printed.
    private func mayDouble(_ keys: [ViewKey], in view: View) -> Bool {
        guard !keys.isEmpty else { return false }
        let (wanted, nodes) = (Set(keys), Set(keys.map { $0.node }))
        var found: Set<ViewKey> = []
        var isDoubled = false
        view.visit { node in
            if nodes.contains(node.key.node), wanted.contains(node.key) {
                isDoubled = !found.insert(node.key).inserted
            }
            return !isDoubled
        }
        return isDoubled
    }

    /// The title of the screen, or else the name of the bundle; never that of a class or a file.
    package func title(of view: View) -> String {
        let names = [view.title, program?.program.name ?? ""]
        return names.first { FitText.seen($0) != nil } ?? view.words[.widget]
    }

    private func whole(
        _ view: View, _ old: PageMoment, _ windows: [ViewKey: Int], _ assets: some ViewAssets
    ) -> PageChange {
        var body = survey(view, windows, assets)
        let page = body.finish()
        let moment = PageMoment(of: body, keptRules: old.keptRules)
        return PageChange(
            operations: rules(from: old, to: moment) + [
                .whole(html: page.html, title: options.hasTitle ? FitText.plain(title(of: view)) : "")
            ]
                + focus(old, moment.focused, body.focused, view),
            moment: moment, pictures: page.pictures, remarks: page.remarks)
    }

    private func change(
        _ old: PageMoment, _ before: PageBody, _ after: PageBody, _ survey: PageBody?, _ found: [PageOperation],
        _ assets: some ViewAssets
    ) -> PageChange {
        let view = after.view
        var operations = found
        var regions = old.regions
        if let survey {
            regions = survey.regions
            // Regions that are not printed can have another number, too.
            let printed = Set(after.regions.map { $0.id })
            let names = Dictionary(old.regions.map { ($0.id, $0.name) }) { first, _ in first }
            for region in regions where !printed.contains(region.id) && names[region.id] != region.name {
                operations.append(.set(region.id, [PageProperty("aria-label", .text(FitText.plain(region.name)))]))
            }
        }
        let isSurveyed = survey?.hasRegionInRow ?? false || after.hasSolvedFrames
        var focused = old.focused.subtracting(before.focused)
        focused.formUnion(after.focused)
        // Lists that are gone are forgotten at the latest when they are many.
        var fullLists = old.fullLists.count > PagePrinter.fullListLimit ? [:] : old.fullLists
        var windows = after.windows
        for (list, count) in after.fullLists {
            if count == nil, windows[list] == fullLists[list] { windows[list] = nil }
            fullLists[list] = count
        }
        let alert = old.view.alerts.last != view.alerts.last ? alert(of: view, assets) : nil
        let kept = after.keptRules.merging(BaseParts.rules(in: alert ?? [])) { first, _ in first }
        let moment = PageMoment(
            view: view, windows: windows.merging(fullLists) { max($0, $1) }, fullLists: fullLists,
            stateRules: view.constants == old.view.constants && !after.hasSolvedFrames && view.insets == old.view.insets
                ? old.stateRules : (survey ?? after).rules,
            keptRules: old.keptRules.merging(kept) { first, _ in first }, regions: regions,
            rowCounts: old.rowCounts.merging(after.rowCounts) { $1 }, needsSurvey: isSurveyed, hasDoubledIDs: false,
            focused: focused)
        if options.hasTitle, title(of: old.view) != title(of: view) {
            operations.append(.title(FitText.plain(title(of: view))))
        }
        if old.view.alerts.last != view.alerts.last { operations.append(.alert(html: alert)) }
        operations += focus(old, moment.focused, after.focused, view)
        return PageChange(
            operations: rules(from: old, to: moment) + operations, moment: moment, pictures: after.pictures.files,
            remarks: after.pictures.remarks)
    }

    private func alert(of view: View, _ assets: some ViewAssets) -> [UInt8]? {
        guard !view.alerts.isEmpty else { return nil }
        var body = body(view, [:], assets)
        body.alert()
        return body.html.finish()
    }

    private func rules(from old: PageMoment, to new: PageMoment) -> [PageOperation] {
        if old.stateRules == new.stateRules, old.keptRules.count == new.keptRules.count { return [] }
        let (before, after) = (old.rules, new.rules)
        var changed: [String: String?] = [:]
        for (name, rule) in after where before[name] != rule { changed.updateValue(rule, forKey: name) }
        for name in before.keys where after[name] == nil { changed.updateValue(nil, forKey: name) }
        return changed.isEmpty ? [] : [.rules(changed)]
    }

    /// The first field that wants the focus and did not before.
    private func focus(_ old: PageMoment, _ all: Set<String>, _ printed: [String], _ view: View) -> [PageOperation] {
        guard view.alerts.isEmpty, let id = printed.first(where: { !old.focused.contains($0) }) else { return [] }
        return [.focus(id)]
    }
}

extension PageMoment {
    /// The moment of a page that was printed as a whole.
    init(of body: PageBody, keptRules: [String: String] = [:]) {
        let fullLists = body.fullLists.compactMapValues { $0 }
        self.init(
            view: body.view, windows: body.windows.merging(fullLists) { max($0, $1) }, fullLists: fullLists,
            stateRules: body.rules,
            keptRules: keptRules.merging(body.keptRules) { first, _ in first }, regions: body.regions,
            rowCounts: body.rowCounts, needsSurvey: body.hasRegionInRow || body.hasSolvedFrames,
            hasDoubledIDs: body.hasDoubledIDs, focused: Set(body.focused))
    }
}

extension PageTree {
    /// The values of the controls, as operations that set them.
    var values: [PageOperation] {
        parts.indices.compactMap { part in
            guard case .element(let element) = parts[part].kind else { return nil }
            let attributes = attributes(part)
            func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
            let property: PageProperty
            switch element {
            case .textarea: property = PageProperty("value", .text(text(part) ?? ""))
            case .select:
                let chosen = parts[part].children.first { option in
                    self.attributes(option).contains { $0.name == "selected" }
                }
                property = PageProperty(
                    "value", chosen.flatMap { attribute("value", of: $0) }.map { .text($0) } ?? .none)
            case .input where ["checkbox", "radio"].contains(value("type")):
                property = PageProperty("checked", .truth(value("checked") != nil))
            case .input: property = PageProperty("value", .text(value("value") ?? ""))
            default: return nil
            }
            return .set(address(part), [property])
        }
    }
}
