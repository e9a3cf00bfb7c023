import WidgetNib

/// Any bytes give a graph that is encoded to the same bytes, or a refusal with a place inside the file. Every accessor
/// of a graph returns, for any references between its objects.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNib(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    do {
        let document = try NibDocument(parsing: bytes)
        precondition(document.encode() == bytes, "an interface is not written as it was read")
        look(at: document.graph)
    } catch {
        precondition((0...count).contains(error.offset ?? -1), "a refusal lies outside its file")
        _ = error.description
    }
    return 0
}

private func look(at graph: NibGraph) {
    let rewritten = NibArchive(graph).encode()
    if graph.root == 0 {
        guard let again = try? NibArchive(parsing: rewritten) else { preconditionFailure("a written graph is refused") }
        precondition(again.graph == graph, "a graph is not read as it was written")
    }
    let interface = NibInterface(graph)
    for element in interface.objects.prefix(50) + interface.topLevelObjects.prefix(50) {
        let tree = NibViewTree(element)
        precondition(tree.entries.count <= graph.objects.count, "a view is in a tree twice")
        for entry in tree.entries.prefix(50) {
            _ = (entry.view.frame, entry.view.constraints, entry.view.font("UIFont"), entry.view.color("UITextColor"))
            _ = try? NibPrototype.prototypes(of: entry.view)
        }
        let controller = NibController(element)
        _ = (controller.children, controller.segues, controller.externalObjects, element.shownClassName)
    }
    for index in graph.objects.indices.prefix(200) {
        let element = graph.element(index)
        _ = (element.text, element.number, element.ownPairs, element.listed, NibColor(element), NibFont(element))
    }
    _ = interface.attributes.map(\.value)
}
