internal import WidgetCore
internal import WidgetNib

/// Reads the constraints that depend on size classes. They are kept beside the objects, under the traits that they are
/// for.
extension SceneSkeleton {
    /// Notes the variations of an interface's constraints, and adds constraints that are installed by traits alone.
    mutating func readVariations(_ place: Int) {
        let root = interfaces[place].interface.graph.rootElement
        guard root.has("UINibTraitStorageListsKey") else { return }
        var installed = Set(constraints.lazy.filter { $0.2 == place }.map { $0.1.element.index })
        for list in root.elements("UINibTraitStorageListsKey", upTo: variationsLeft) {
            for storage in list.elements("UITraitStorages", upTo: variationsLeft) {
                guard spendVariation(place), let object = storage.element("UIObject") else { return }
                for record in storage.elements("UIRecords", upTo: variationsLeft) {
                    guard spendVariation(place) else { return }
                    guard let classes = Self.classes(record.element("UITraitCollection")) else { continue }
                    if let constant = record.element("UIValue")?.measure("UINumericConstant") {
                        interfaces[place].variations[object.index, default: []].append(
                            RuleVariation(classes, constant: constant))
                    }
                    readMembers(of: record, of: object, classes, place, &installed)
                }
            }
        }
    }

    /// Reads the constraints that one set of traits adds to a view, and those that it takes away.
    private mutating func readMembers(
        of record: NibElement, of view: NibElement, _ classes: SizeClasses, _ place: Int, _ installed: inout Set<Int>
    ) {
        for element in record.elements("UIAddedObjects", upTo: variationsLeft) {
            guard spendVariation(place) else { return }
            guard let constraint = NibConstraint(element) else { continue }
            if installed.insert(element.index).inserted {
                guard let owner = interfaces[place].nodes[view.index] else { continue }
                constraints.append((owner, constraint, place))
                interfaces[place].variations[element.index] = [RuleVariation(SizeClasses(), constant: nil)]
            }
            interfaces[place].variations[element.index, default: []].append(
                RuleVariation(classes, constant: constraint.constant.harmless))
        }
        for element in record.elements("UIRemovedObjects", upTo: variationsLeft) {
            guard spendVariation(place) else { return }
            interfaces[place].variations[element.index, default: []].append(RuleVariation(classes, constant: nil))
        }
    }

    private mutating func spendVariation(_ place: Int) -> Bool {
        variationsLeft -= 1
        guard variationsLeft < 0 else { return true }
        let diagnostic = Finding(
            .error, .nodeBudget, "A screen has more than \(limits.variationCount) variations for size classes",
            at: Place(file: interfaces[place].file), hint: "the first ones count")
        if diagnostics.last != diagnostic { diagnostics.append(diagnostic) }
        return false
    }

    private static let traits = (
        width: "UITraitCollectionBuiltinTrait-_UITraitNameHorizontalSizeClass",
        height: "UITraitCollectionBuiltinTrait-_UITraitNameVerticalSizeClass"
    )

    /// Returns the classes of a set of traits; `nil` for traits that are about something else.
    private static func classes(_ traits: NibElement?) -> SizeClasses? {
        guard let traits else { return nil }
        let (width, height) = (length(self.traits.width, of: traits), length(self.traits.height, of: traits))
        return width == nil && height == nil ? nil : SizeClasses(width: width, height: height)
    }

    private static func length(_ key: String, of traits: NibElement) -> SizeClasses.Length? {
        switch traits.integer(key) {
        case 1: .compact
        case 2: .regular
        default: nil
        }
    }
}
