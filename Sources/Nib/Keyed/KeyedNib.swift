internal import Plist

/// A compiled interface as NSKeyedArchiver writes it: those of macOS, and of iOS before version 6.
package struct KeyedNib: Sendable {
    /// The archive's objects at the positions they have there; what stands at the top is the last object, the root.
    package let graph: NibGraph
    private let table: BinaryPlistFile

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        do throws(PlistError) {
            table = try BinaryPlistFile(
                parsing: bytes,
                limits: PlistLimits(
                    byteCount: limits.byteCount, objectCount: limits.listedCount, visitCount: limits.valueCount))
        } catch {
            throw NibError(.propertyList("\(error.reason)"), at: error.offset)
        }
        var reader = KeyedGraphReader(table, limits: limits)
        graph = try reader.read()
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] { table.encode() }
}
