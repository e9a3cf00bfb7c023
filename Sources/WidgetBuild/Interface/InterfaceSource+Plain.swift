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

    /// An attribute or a part that nothing is known about is an error, wherever it stands.
    func checkPlain(_ element: XMLElement) throws(BuildError) {
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
}
