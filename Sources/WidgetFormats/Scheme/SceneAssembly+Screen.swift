internal import JSONText
internal import Predicates
internal import WidgetCore

/// What a scheme and an interface say of the screen itself.
extension SceneAssembly {
    private static let outlets: Set<String> = ["tableView", "collectionView", "titleLabel", "activityIndicator"]

    /// What any screen may be told, and what makes no difference to what it says.
    private static let plain: Set<String> = [
        "automaticallyAdjustsScrollViewInsets", "definesPresentationContext", "edgesForExtendedLayout",
        "extendedLayoutIncludesOpaqueBars", "hidesBottomBarWhenPushed", "modalPresentationStyle",
        "modalTransitionStyle",
    ]

    /// Once for the screen, however many rows there are.
    mutating func readSelf() {
        var lists = Set(skeleton.screenOutlets.filter { Self.isList($0.name) }.map(\.node))
        var clears = true
        for element in elements where element.id == "@self" {
            for (name, value) in element.attributes {
                switch name {
                case "serviceProviderClassName": service = value.json.string ?? service
                case "deriveSegueContent": scene.takesContent = value.json.boolean ?? true
                case "title", "navigationItem.title": scene.title = .literal(value.value, place: value.place)
                case "useDynamicBindings": isDynamic = value.value.truth
                case "clearsSelectionOnViewWillAppear": clears = value.json.isNull || value.value.truth
                case "content":
                    scene.reactions.append(
                        Reaction([.loaded], [.assign(.content, .literal(value.value, place: value.place))]))
                case let name where Self.plain.contains(name): continue
                default:
                    // What a subclass may have, and nobody here knows.
                    diagnostics.append(
                        Diagnostic(
                            .warning, .unknownKey, "A screen has no use for \(name)", at: value.place,
                            hint: "it has serviceProviderClassName, deriveSegueContent, useDynamicBindings, "
                                + "clearsSelectionOnViewWillAppear, content and title"))
                }
            }
            for (name, targets) in element.outlets {
                guard Self.outlets.contains(name) else {
                    diagnostics.append(
                        Diagnostic(.warning, .unknownOutlet, "A screen has no outlet \(name)", at: element.place))
                    continue
                }
                if Self.isList(name) { lists.formUnion(nodes(named: targets)) }
            }
        }
        if clears { scene.deselected = lists.sorted() }
    }

    private static func isList(_ name: String) -> Bool { name == "tableView" || name == "collectionView" }

    mutating func bindScreen(_ value: SchemeValue) {
        guard let binding = BindingReader.binding(value, &diagnostics) else { return }
        let target: Step.Target
        switch binding.target {
        case "wx_dismissed": target = .dismissal
        case "content": target = .content
        case "title": target = .title
        case let name where name.hasPrefix("defaults."): target = .setting(String(name.dropFirst(9)))
        default:
            diagnostics.append(
                Diagnostic(.warning, .unknownKey, "A screen has no \(binding.target) to bind to", at: value.place))
            return
        }
        guard boundScreen.count < SceneAssembly.mostScreenBindings else {
            if !hasTooManyScreenBindings {
                diagnostics.append(
                    Diagnostic(
                        .error, .nodeBudget,
                        "A screen has more than \(SceneAssembly.mostScreenBindings) bindings of its own",
                        at: value.place, hint: "the first ones work"))
            }
            hasTooManyScreenBindings = true
            return
        }
        guard boundScreen.insert(target).inserted else {
            diagnostics.append(
                Diagnostic(
                    .warning, .duplicateBinding, "The screen has two bindings to \(binding.target.excerpt)",
                    at: value.place,
                    hint: "the first one counts"))
            return
        }
        var triggers = screenTriggers
        // What gives the screen its content is not asked again because it did.
        if target == .content { triggers.remove(.contentChanged) }
        scene.reactions.append(Reaction(triggers, [.assign(target, binding.expression)]))
        if isDynamic, target != .content { scene.observations.append(Observation(target, binding.expression)) }
    }
}
