internal import WidgetBytes
internal import XMLText

/// The attributes and parts of elements other than objects, which have separate tables.
extension InterfaceSource {
    private static let edges: Set<String> = ["key", "top", "left", "bottom", "right"]

    /// Attributes of elements without parts.
    static let leaves = [plainLeaves, gestureLeaves, symbolLeaves, pickerLeaves, barLeaves]
        .reduce(into: [String: Set<String>]()) { all, table in all.merge(table) { $1 } }

    private static let plainLeaves: [String: Set<String>] = [
        "rect": ["key", "x", "y", "width", "height"], "point": ["key", "x", "y"], "size": ["key", "width", "height"],
        "inset": ["key", "minX", "minY", "maxX", "maxY"], "edgeInsets": edges, "extendedEdge": edges,
        "directionalEdgeInsets": ["key", "top", "leading", "bottom", "trailing"],
        "autoresizingMask": [
            "key", "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
        ],
        "color": [
            "key", "white", "alpha", "red", "green", "blue", "colorSpace", "customColorSpace", "cocoaTouchSystemColor",
            "systemColor", "name", "catalog", "cyan", "magenta", "yellow", "black",
        ],
        "string": ["key", "localized", "base64-UTF8"], "mutableString": ["key", "localized", "base64-UTF8"],
        "bool": ["key", "value"],
        "url": ["key", "string"], "font": ["key", "metaFont", "size", "name", "family"],
        "nil": ["key", "name"], "integer": ["key", "value"],
        "real": ["key", "value"],
        "range": ["key", "location", "length"], "viewLayoutGuide": ["key", "id", "userLabel"],
        "viewControllerLayoutGuide": ["type", "id", "userLabel"],
        "outlet": ["property", "destination", "id"],
        "outletCollection": ["property", "destination", "id", "collectionClass", "appends"],
        "action": ["selector", "destination", "eventType", "id"],
        "dataDetectorType": Set(["key", "none", "all"] + NibCompiler.detectors),
        "audiovisualMediaTypes": ["key", "none", "audio", "video"],
        "wkPreferences": [
            "key", "minimumFontSize", "javaScriptEnabled", "javaScriptCanOpenWindowsAutomatically",
            "fraudulentWebsiteWarningEnabled", "tabFocusesLinks", "textInteractionEnabled", "elementFullscreenEnabled",
            "siteSpecificQuirksModeEnabled",
        ],
        "wkWebpagePreferences": ["key", "allowsContentJavaScript", "preferredContentMode"],
        "value": ["key", "type", "width", "height"],
    ]

    private static let holders = plainHolders.merging(barHolders) { $1 }

    private static let plainHolders: [String: Set<String>] = [
        "wkWebViewConfiguration": [
            "key", "allowsInlineMediaPlayback", "suppressesIncrementalRendering", "allowsAirPlayForMediaPlayback",
            "allowsPictureInPictureMediaPlayback", "applicationNameForUserAgent", "ignoresViewportScaleLimits",
            "selectionGranularity", "limitsNavigationsToAppBoundDomains", "upgradeKnownHostsToHTTPS",
        ],
        "userDefinedRuntimeAttribute": ["type", "keyPath", "value", "localized"], "userDefinedRuntimeAttributes": [],
        "subviews": [], "constraints": [], "connections": [], "prototypes": [], "cells": [], "segments": [],
        "items": [], "toolbarItems": [], "gestureRecognizers": [], "sections": [],
        "tableViewSection": [
            "id", "headerTitle", "footerTitle", "colorLabel", "userLabel", "customClass", "customModule",
            "customModuleProvider",
        ],
        "attributedString": ["key", "id"], "fragment": ["content"], "attributes": [], "tabStops": [],
        "textTab": ["alignment", "location"], "options": [],
        "layoutGuides": [], "leftBarButtonItems": [], "rightBarButtonItems": [],
    ]

    /// Parts that lists of one kind may have. An empty set is for elements without parts whose attributes are checked
    /// where they are compiled.
    private static let parts: [String: Set<String>] = [
        "layoutGuides": ["viewControllerLayoutGuide"], "constraints": ["constraint"], "segments": ["segment"],
        "userDefinedRuntimeAttributes": ["userDefinedRuntimeAttribute"], "prototypes": ["tableViewCell"],
        "cells": ["tableViewCell", "collectionViewCell"], "fontDescription": [],
    ]

    /// Parts that elements may have, others of which are left out.
    private static let optionalParts: [String: Set<String>] = [
        "attributedString": ["fragment"], "fragment": ["attributes", "string", "mutableString"],
        "paragraphStyle": ["tabStops"], "tabStops": ["textTab"], "textTab": ["options"],
    ]

    /// The only `key` that an element can have.
    private static let keys: [String: String] = [
        "autoresizingMask": "autoresizingMask", "textInputTraits": "textInputTraits",
        "dataDetectorType": "dataDetectorTypes",
        "tableViewCellContentView": "contentView", "collectionViewCellContentView": "contentView",
    ]

    /// Elements for the value of a runtime attribute.
    private static let values: [String: Set<String>] = [
        "string": ["string", "mutableString"], "localizedString": ["string", "mutableString"],
        "number": ["integer", "real"], "color": ["color"],
        "point": ["point"], "size": ["size"], "rect": ["rect"], "range": ["range"],
        "image": ["imageReference"],
    ]

    /// Leaves out unknown attributes and parts, and records those that cannot be left out.
    mutating func checkPlain(_ element: XMLElement) throws(BuildError) {
        try checkParts(element)
        try checkValues(element)
        let leaf = InterfaceSource.leaves[element.name]
        if let known = leaf ?? InterfaceSource.holders[element.name] {
            for attribute in element.attributes where !known.contains(attribute.name) {
                try notes.leaveOut(attribute, of: element, knowing: known, path: path)
            }
        }
        guard let parts = leaf == nil ? InterfaceSource.optionalParts[element.name] : [] else { return }
        for child in element.children where !parts.contains(child.name) {
            try notes.leaveOut(child, of: element, knowing: [], path: path)
        }
    }

    private func checkParts(_ element: XMLElement) throws(BuildError) {
        if let key = InterfaceSource.keys[element.name], element["key"] != key {
            try errors.record(
                fault(
                    "\(element.name) for \(element["key"] ?? "nothing") cannot be compiled", element,
                    hints: ["its key has to be \(key)"]))
        }
        var known = InterfaceSource.parts[element.name]
        if element.name == "userDefinedRuntimeAttribute" {
            known = InterfaceSource.values[element["type"] ?? ""] ?? []
            known?.insert("nil")
            for child in element.children where child["key"] != "value" {
                try errors.record(
                    fault("\(child.name) in \(element.name) cannot be compiled: its key has to be value", child))
            }
            if let second = element.children.dropFirst().first {
                try errors.record(
                    fault("\(second.name) in \(element.name) cannot be compiled: it has a value already", second))
            }
        }
        guard let known else { return }
        for child in element.children where !known.contains(child.name) {
            try errors.record(fault("\(child.name) in \(element.name) cannot be compiled", child))
        }
    }

    func unknown(_ attribute: XMLAttribute, of element: XMLElement, hints: [String] = []) -> BuildError {
        BuildError(
            "the attribute \(attribute.name) of \(element.name) cannot be compiled", path: path,
            at: element.position(of: attribute), hints: hints)
    }

    // MARK: - Around the objects: the document and its scenes

    /// The attributes of each element. Only the editor needs most of them.
    private static let frames: [String: Set<String>] = [
        "document": [
            "type", "version", "toolsVersion", "systemVersion", "targetRuntime", "propertyAccessControl",
            "useAutolayout", "useTraitCollections", "useSafeAreas", "colorMatched", "initialViewController",
            "launchScreen", "customObjectInstantitationMethod", "variant", "defaultVersion", "previousLabel",
            "userInterfaceStyle",
        ],
        "scenes": [], "objects": [], "scene": ["sceneID"],
        "placeholder": [
            "placeholderIdentifier", "id", "userLabel", "sceneMemberID", "customClass", "customModule",
            "customModuleProvider",
        ],
        "exit": ["id", "userLabel", "sceneMemberID", "customClass", "customModule", "customModuleProvider"],
    ]

    /// Elements of the document beside its objects, which only the editor needs, and those to which others refer.
    private static let besideObjects: Set<String> = [
        "device", "dependencies", "scenes", "resources", "objects", "classes",
    ]

    /// Leaves out unknown attributes and parts of the document and its scenes, and records those that have objects.
    mutating func checkFrame(_ element: XMLElement) throws(BuildError) {
        let known = InterfaceSource.frames[element.name] ?? []
        for attribute in element.attributes where !known.contains(attribute.name) {
            try notes.leaveOut(attribute, of: element, knowing: known, path: path)
        }
        for child in element.children {
            switch (element.name, child.name) {
            case ("document", let name) where InterfaceSource.besideObjects.contains(name): break
            case ("document", "color") where child["key"] == "tintColor": break
            case ("scenes", "scene"), ("scene", "objects"), ("objects", _): break
            case ("placeholder", "connections"), ("exit", "connections"): break
            default: try notes.leaveOut(child, of: element, knowing: [], path: path)
            }
        }
    }
}
