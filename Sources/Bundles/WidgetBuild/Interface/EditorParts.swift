internal import XMLText

/// Parts of a source that only the editor needs, at any element. None is compiled.
enum EditorParts {
    private static let attributes: Set<String> = [
        "userLabel", "customModuleProvider", "sceneMemberID", "explicitAutolayout", "fixedFrame", "misplaced",
        "ambiguous", "verifyAmbiguity", "placeholderIntrinsicWidth", "placeholderIntrinsicHeight", "colorLabel",
        "showsNavigatorButton", "hasAttributedTitle", "usesAttributedText", "ibMaxLayoutWidth",
    ]

    private static let elements: Set<String> = [
        "animations", "designables", "designable", "accessibilityOverrides", "customFonts", "nil",
        "simulatedMetricsContainer", "inferredMetricsTieBreakers",
    ]

    private static let keys: Set<String> = [
        "canvasLocation", "userComments", "freeformSize", "insetFor6xAndEarlier", "editorData",
    ]

    /// Beginnings of the names that the editor gives to properties of its view of an object.
    private static let prefixes = ["simulated", "ibShadowed", "ibExternal"]

    static func has(attribute name: String) -> Bool {
        attributes.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }

    static func has(_ element: XMLElement) -> Bool {
        let key = element["key"] ?? ""
        return elements.contains(element.name) || keys.contains(key)
            || prefixes.contains { key.hasPrefix($0) || element.name.hasPrefix($0) }
            || element.name.hasSuffix("SimulatedSizeMetrics") || element.name.hasSuffix("SimulatedMetrics")
    }
}

/// Objects that are left out with all their contents, because hosts have nothing like them.
enum LeftOutParts {
    private static let reasons = [
        "menu": "hosts have no menus", "keyCommands": "hosts have no key commands",
        "keyCommand": "hosts have no key commands",
    ]

    static func has(_ element: XMLElement) -> Bool { reasons[element.name] != nil }

    static func reason(_ element: XMLElement) -> String? { reasons[element.name] }
}
