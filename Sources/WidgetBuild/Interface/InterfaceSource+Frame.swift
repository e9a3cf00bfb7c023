internal import XMLText

/// What stands around the objects of a source: the document and its scenes.
extension InterfaceSource {
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
