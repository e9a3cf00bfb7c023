internal import XMLText

/// The elements that are not objects: what they may say. Objects have tables of their own.
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
        "dataDetectorType": ["key", "none", "phoneNumber", "link", "address", "calendarEvent"],
        "audiovisualMediaTypes": ["key", "none", "audio", "video"],
        "wkPreferences": ["key", "minimumFontSize", "javaScriptEnabled"],
    ]

    private static let holders: [String: Set<String>] = [
        "wkWebViewConfiguration": ["key", "allowsInlineMediaPlayback", "suppressesIncrementalRendering"],
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
        "dataDetectorType": "dataDetectorTypes",
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

    // MARK: - What stands around the objects: the document and its scenes

    /// The attributes of each element. The editor alone needs most of them.
    private static let frames: [String: Set<String>] = [
        "document": [
            "type", "version", "toolsVersion", "systemVersion", "targetRuntime", "propertyAccessControl",
            "useAutolayout", "useTraitCollections", "useSafeAreas", "colorMatched", "initialViewController",
            "launchScreen", "customObjectInstantitationMethod", "variant",
        ],
        "scenes": [], "objects": [], "scene": ["sceneID"],
        "placeholder": [
            "placeholderIdentifier", "id", "userLabel", "sceneMemberID", "customClass", "customModule",
            "customModuleProvider",
        ],
        "exit": ["id", "userLabel", "sceneMemberID"],
    ]

    /// Elements of the document that the editor alone needs, and those that others refer to.
    private static let besideObjects: Set<String> = [
        "device", "dependencies", "scenes", "resources", "objects", "classes", "simulatedMetricsContainer",
        "inferredMetricsTieBreakers",
    ]

    /// An attribute or a part that nothing is known about is an error here too.
    func checkFrame(_ element: XMLElement) throws(BuildError) {
        let known = InterfaceSource.frames[element.name] ?? []
        for attribute in element.attributes where !known.contains(attribute.name) {
            throw BuildError(
                "the attribute \(attribute.name) of \(element.name) cannot be compiled", path: path,
                at: element.position(of: attribute))
        }
        for child in element.children {
            switch (element.name, child.name) {
            case ("document", let name) where InterfaceSource.besideObjects.contains(name): break
            case ("scenes", "scene"), ("scene", "objects"), ("scene", "point"), ("objects", _): break
            case ("placeholder", "connections"), ("exit", "connections"): break
            default: throw fault("\(child.name) in \(element.name) cannot be compiled", child)
            }
        }
    }
}
