internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Reads looks of the elements of a screen. Colours, fonts and texts that elements share are read once.
struct LookReader {
    var colors: ColorReader
    var fonts = FontReader()
    var attributedTexts: AttributedTextReader
    let limits: FormatLimits
    private var texts: [NibPlace: String] = [:]

    init(_ colors: [String: Paint], _ limits: FormatLimits) {
        self.colors = ColorReader(colors)
        self.limits = limits
        attributedTexts = AttributedTextReader(limits)
    }

    /// The facts of an element that other objects of its interface have.
    struct Surroundings {
        var role = Geometry.Role.content
        var design: Size?
        var attributes: [NibRuntimeAttribute] = []
        var accessibility: NibElement?
        /// The height of a row that is always there.
        var rowHeight: Double?
        /// The ground of an element whose author chose none.
        var ground: Paint?
    }

    mutating func look(
        _ element: NibElement, kind: NodeKind, in surroundings: Surroundings, _ translations: Translations
    ) -> Look {
        var geometry = GeometryReader.geometry(element, role: surroundings.role, design: surroundings.design)
        if let height = surroundings.rowHeight { geometry.intrinsicSize = PartialSize(width: nil, height: height) }
        let name = element.baseClassName
        var appearance = appearance(element, kind, name)
        appearance.systemTitle = ElementReader.systemTitle(of: element, translations.words)
        apply(surroundings.attributes, to: &appearance)
        if appearance.background == nil { appearance.background = surroundings.ground }
        var stack = name == "UIStackView" ? stack(element) : nil
        for attribute in surroundings.attributes
        where attribute.keyPath.hasSuffix("ayoutMarginsRelativeArrangement") {
            stack?.isMarginsRelative = attribute.value.truth ?? false
        }
        return Look(
            geometry: geometry, appearance: appearance, list: list(element, name), stack: stack,
            scrolling: LookReader.scrolling.contains(name) ? scrolling(element) : nil,
            typing: typing(element, kind), accessibility: traits(element, surroundings, translations),
            button: kind == .button ? button(element, translations) : nil,
            bar: LookReader.bars.contains(name) ? bar(element) : nil)
    }

    private static let scrolling: Set<String> = ["UIScrollView", "UITextView", "UITableView", "UICollectionView"]
    private static let bars: Set<String> = ["UISearchBar", "UINavigationBar", "UIToolbar", "UITabBar"]

    /// Returns a text that several objects may share.
    mutating func text(_ key: String, of element: NibElement) -> String? {
        guard let object = element.element(key) else { return element.string(key) }
        let place = NibPlace(object)
        if let known = texts[place] { return known }
        let text = object.text
        if let text { texts[place] = text }
        return text
    }
}

extension NibRuntimeValue {
    var truth: Bool? {
        switch self {
        case .truth(let flag): flag
        case .number(let number): number != 0
        case .null, .text, .color, .point, .size, .rect, .range, .image, .other: nil
        }
    }

    var measure: Double? {
        switch self {
        case .number(let number): number.harmless
        case .truth(let flag): flag ? 1 : 0
        case .null, .text, .color, .point, .size, .rect, .range, .image, .other: nil
        }
    }
}

/// The looks of a screen's elements, made when all of them and the rules between them are known.
extension SceneSkeleton {
    /// Reads the looks of nodes that were read after others.
    mutating func readLooks(from mark: ReadMark) {
        var bounds = DesignBounds()
        for id in mark.node..<nodes.count {
            guard let size = originals[id]?.element.rect("UIBounds") else { continue }
            bounds.add(id, Size(width: size.width.harmless, height: size.height.harmless))
        }
        for rule in rules[mark.rule...] { bounds.learn(from: rule, among: nodes) }
        let roles = interfaces[mark.interface...].map { Self.roles($0) }
        let configurations = interfaces[mark.interface...].map { accessibility($0) }
        for id in mark.node..<nodes.count {
            guard let original = originals[id] else { continue }
            let (element, place) = (original.element, original.interface)
            let parent = nodes[id].parent
            var surroundings = LookReader.Surroundings()
            surroundings.role = role(of: element, in: parent, roles[place - mark.interface])
            if let parent {
                let isByRules = element.boolean("UIViewDoesNotTranslateAutoresizingMaskIntoConstraints") == true
                surroundings.design = bounds.size(
                    of: parent, isRoot: nodes[parent].parent == nil && nodes[parent].prototype == nil,
                    for: nodes[id].frame, isByRules: isByRules)
            }
            surroundings.attributes = interfaces[place].attributes[element.index] ?? []
            surroundings.accessibility = configurations[place - mark.interface][element.index]
            surroundings.rowHeight = rowHeights[id]
            surroundings.ground = rowGrounds[id]
            nodes[id].look = looks.look(element, kind: nodes[id].kind, in: surroundings, translations)
        }
    }

    private static let outletRoles: [String: Geometry.Role] = [
        "selectedBackgroundView": .selectedBackground, "backgroundView": .background, "accessoryView": .accessory,
        "tableHeaderView": .header, "tableFooterView": .footer,
    ]

    /// Roles that outlets of cells and tables give to views.
    private static func roles(_ loaded: Loaded) -> [Int: Geometry.Role] {
        var roles: [Int: Geometry.Role] = [:]
        for outlet in loaded.interface.outlets {
            guard let role = outletRoles[outlet.name], rolesOwners.contains(outlet.source.baseClassName) else {
                continue
            }
            roles[outlet.destination.index] = role
        }
        return roles
    }

    private static let rolesOwners: Set<String> = [
        "UITableView", "UITableViewCell", "UICollectionView", "UICollectionViewCell",
    ]

    private static let keyRoles: [(key: String, role: Geometry.Role)] = [
        ("UIContentView", .contentView), ("UIVisualEffectViewContentView", .contentView),
        ("UITableHeaderView", .header), ("UITableFooterView", .footer), ("UIBackgroundView", .background),
        ("UISelectedBackgroundView", .selectedBackground), ("UIMultipleSelectionBackgroundView", .selectedBackground),
        ("UIAccessoryView", .accessory),
    ]

    private func role(of element: NibElement, in parent: NodeID?, _ roles: [Int: Geometry.Role]) -> Geometry.Role {
        if let role = roles[element.index] { return role }
        guard let parent, let around = originals[parent]?.element, around.graph === element.graph else {
            return .content
        }
        for (key, role) in Self.keyRoles where around.content(key)?.object == element.index { return role }
        return .content
    }

    /// The configurations for assistive technology of an interface, by their objects.
    private func accessibility(_ loaded: Loaded) -> [Int: NibElement] {
        let configurations = loaded.interface.graph.rootElement.elements(
            "UINibAccessibilityConfigurationsKey", upTo: limits.nodeCount)
        return Dictionary(
            configurations.compactMap { element in
                element.element("UIAccessibileObject").map { ($0.index, element) }
            }
        ) { first, _ in first }
    }
}
