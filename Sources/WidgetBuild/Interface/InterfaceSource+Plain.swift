internal import XMLText

/// Elements that are no objects: what they may say. Objects have tables of their own.
extension InterfaceSource {
    private static let sides: Set<String> = ["key", "top", "left", "bottom", "right"]

    /// Those that hold nothing else.
    private static let leaves: [String: Set<String>] = [
        "rect": ["key", "x", "y", "width", "height"], "point": ["key", "x", "y"], "size": ["key", "width", "height"],
        "inset": ["key", "minX", "minY", "maxX", "maxY"], "edgeInsets": sides, "extendedEdge": sides,
        "autoresizingMask": [
            "key", "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
        ],
        "color": [
            "key", "white", "alpha", "red", "green", "blue", "colorSpace", "customColorSpace", "cocoaTouchSystemColor",
            "systemColor", "name",
        ],
        "string": ["key"], "nil": ["key", "name"], "integer": ["key", "value"], "real": ["key", "value"],
        "range": ["key", "location", "length"], "viewLayoutGuide": ["key", "id", "userLabel"],
        "viewControllerLayoutGuide": ["type", "id", "userLabel"],
        "outlet": ["property", "destination", "id"],
        "outletCollection": ["property", "destination", "id", "collectionClass", "appends"],
        "action": ["selector", "destination", "eventType", "id"],
    ]

    private static let holders: [String: Set<String>] = [
        "userDefinedRuntimeAttribute": ["type", "keyPath", "value"], "userDefinedRuntimeAttributes": [],
        "subviews": [], "constraints": [], "connections": [], "prototypes": [], "cells": [], "segments": [],
        "items": [], "toolbarItems": [], "gestureRecognizers": [], "sections": [],
        "tableViewSection": ["id", "headerTitle", "footerTitle", "colorLabel", "userLabel"],
        "layoutGuides": [], "leftBarButtonItems": [], "rightBarButtonItems": [],
    ]

    /// What may stand in lists of one kind. An empty set is for elements whose attributes are checked where they are
    /// compiled, and that hold nothing.
    private static let parts: [String: Set<String>] = [
        "layoutGuides": ["viewControllerLayoutGuide"], "constraints": ["constraint"], "segments": ["segment"],
        "userDefinedRuntimeAttributes": ["userDefinedRuntimeAttribute"], "prototypes": ["tableViewCell"],
        "cells": ["tableViewCell", "collectionViewCell"], "fontDescription": [], "textInputTraits": [], "segment": [],
    ]

    /// Elements whose `key` can only be this.
    private static let keys: [String: String] = [
        "autoresizingMask": "autoresizingMask", "textInputTraits": "textInputTraits",
        "tableViewCellContentView": "contentView", "collectionViewCellContentView": "contentView",
    ]

    /// What the value of a runtime attribute is written in.
    private static let values: [String: Set<String>] = [
        "string": ["string"], "localizedString": ["string"], "number": ["integer", "real"], "color": ["color"],
        "point": ["point"], "size": ["size"], "rect": ["rect"], "range": ["range"],
    ]

    /// An attribute or a part that nothing is known about is an error, wherever it stands.
    func checkPlain(_ element: XMLElement) throws(BuildError) {
        try checkParts(element)
        let leaf = InterfaceSource.leaves[element.name]
        guard let known = leaf ?? InterfaceSource.holders[element.name] else { return }
        for attribute in element.attributes where !known.contains(attribute.name) {
            throw BuildError(
                "the attribute \(attribute.name) of \(element.name) cannot be compiled", path: path,
                at: element.position(of: attribute))
        }
        if leaf != nil, let child = element.children.first {
            throw fault("\(child.name) in \(element.name) cannot be compiled", child)
        }
    }

    private func checkParts(_ element: XMLElement) throws(BuildError) {
        if let key = InterfaceSource.keys[element.name], element["key"] != key {
            throw fault(
                "\(element.name) for \(element["key"] ?? "nothing") cannot be compiled", element,
                hints: ["its key has to be \(key)"])
        }
        var known = InterfaceSource.parts[element.name]
        if element.name == "userDefinedRuntimeAttribute" {
            known = InterfaceSource.values[element["type"] ?? ""] ?? []
            for child in element.children where child["key"] != "value" {
                throw fault("\(child.name) in \(element.name) cannot be compiled: its key has to be value", child)
            }
            if let second = element.children.dropFirst().first {
                throw fault("\(second.name) in \(element.name) cannot be compiled: it has a value already", second)
            }
        }
        guard let known else { return }
        for child in element.children where !known.contains(child.name) {
            throw fault("\(child.name) in \(element.name) cannot be compiled", child)
        }
    }
}
