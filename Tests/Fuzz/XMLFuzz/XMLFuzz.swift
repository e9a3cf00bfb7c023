import XMLText

/// Any bytes give a tree within its limits, or a refusal with a place inside the document.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let limits = XMLLimits(depth: 20, elementCount: 500, attributeCount: 20)
    do {
        let document = try XMLDocument(parsing: bytes, limits: limits)
        precondition(document.elementCount <= 500, "a tree is larger than its limit")
        var pending = [document.root]
        var visited = 0
        while let element = pending.popLast() {
            visited += 1
            precondition(element.attributes.count <= 20, "an element has more attributes than its limit")
            precondition((0...count).contains(element.offset), "an element lies outside its document")
            pending += element.children
        }
        precondition(visited == document.elementCount, "an element is in the tree twice, or not at all")
    } catch {
        precondition((0...count).contains(error.offset), "a refusal lies outside its document")
        _ = error.description
    }
    return 0
}
