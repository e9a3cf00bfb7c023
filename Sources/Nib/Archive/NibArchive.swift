/// A compiled interface as Xcode has written it since iOS 6: four tables and a header.
package struct NibArchive: Sendable {
    package let graph: NibGraph
    package let coderVersion: UInt32
    let layout: ArchiveLayout

    init(graph: NibGraph, coderVersion: UInt32, layout: ArchiveLayout) {
        self.graph = graph
        self.coderVersion = coderVersion
        self.layout = layout
    }

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        var decoder = try ArchiveDecoder(bytes, limits: limits)
        self = try decoder.decode(bytes)
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// An archive of a graph, laid out the way every known writer does it.
    package init(_ graph: NibGraph, coderVersion: UInt32 = 9) {
        self.init(graph: graph, coderVersion: coderVersion, layout: .plain)
    }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] {
        var encoder = ArchiveEncoder(self)
        return encoder.encode()
    }
}
