internal import Nib

/// What the interfaces of a bundle call their objects, so that schemes can refer to them.
struct InterfaceNames: Sendable {
    private static let countLimit = 20_000
    /// Cells in cells in cells; every interface in another is smaller than it.
    private static let deepestPrototype = 4
    /// Bytes of interfaces in others that are read; tables can share them as often as they like.
    private var remaining = 16 << 20

    private var identifiers: Set<String> = []
    /// Nothing is said of names when some are not known: without interfaces, with too many, or with unreadable ones.
    private(set) var isComplete = false
    private var isBroken = false

    func contains(_ name: String) -> Bool { identifiers.contains(name) }

    mutating func add(_ bytes: [UInt8]) {
        guard !isBroken else { return }
        do throws(NibError) {
            try add(try NibDocument(parsing: bytes).graph)
            isComplete = true
        } catch {
            isBroken = true
        }
        if identifiers.count > Self.countLimit { isBroken = true }
        if isBroken { (identifiers, isComplete) = ([], false) }
    }

    private mutating func add(_ graph: NibGraph) throws(NibError) {
        var pending = [(graph: graph, depth: 0)]
        while let (graph, depth) = pending.popLast() {
            let interface = NibInterface(graph)
            for attribute in interface.attributes where attribute.keyPath == "wx.identifier" {
                if case .text(let text) = attribute.value { identifiers.insert(text) }
            }
            guard depth < Self.deepestPrototype else { continue }
            var seen: Set<Int> = []
            for object in interface.objects where seen.insert(object.index).inserted {
                for prototype in try NibPrototype.prototypes(of: object, &remaining) {
                    pending.append((prototype.document.graph, depth + 1))
                }
            }
        }
    }
}
