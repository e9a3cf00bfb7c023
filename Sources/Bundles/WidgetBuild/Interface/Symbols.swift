internal import WidgetNib
internal import XMLText

/// Pictures by name: those of the bundle, and the symbols that iOS provides.
extension NibCompiler {
    private static let symbolLooks: Set<String> = ["symbolScale", "renderingMode", "variableValue"]

    /// - Parameter catalog: `system` for a symbol of iOS; absent for a picture of the bundle.
    mutating func image(_ name: String, catalog: String?) -> Int {
        guard catalog == "system" else { return image(name) }
        return draft.sharing("symbol \(name)") { draft in
            let image = draft.add("UIImageNibPlaceholder")
            draft.set("UIResourceName", text: name, of: image)
            draft.set("UISystemSymbolResourceName", text: name, of: image)
            return image
        }
    }

    /// Leaves out an attribute of an element with a picture: the size or colour of a symbol, or an unknown one.
    mutating func leaveOut(
        _ attribute: XMLAttribute, ofImageIn element: XMLElement, knowing known: some Sequence<String>
    ) throws(BuildError) {
        guard Self.symbolLooks.contains(attribute.name) else {
            return try notes.leaveOut(attribute, of: element, knowing: known, path: source.path)
        }
        notes.leaveOut(look: attribute.name, of: element, at: element.position(of: attribute))
    }

    /// Writes a picture that is given as an element, with its size and colour as a symbol.
    mutating func writeImageReference(_ element: XMLElement, _ key: String, of number: Int) throws(BuildError) {
        guard let name = element["image"] else { throw source.fault("an imageReference needs an image", element) }
        draft.set(key, .object(image(name, catalog: element["catalog"])), of: number)
        for attribute in element.attributes where Self.symbolLooks.contains(attribute.name) {
            notes.leaveOut(look: attribute.name, of: element, at: element.position(of: attribute))
        }
    }
}

extension InterfaceSource {
    static let symbolLeaves: [String: Set<String>] = [
        "imageReference": ["key", "image", "catalog", "symbolScale", "renderingMode", "variableValue"]
    ]
}
