internal import Plist

/// A compiled interface as NSKeyedArchiver writes it, a property list of either form: those of macOS, and of iOS before
/// version 6.
package struct KeyedNib: Sendable {
    /// The archive's objects at the positions they have there; what stands at the top is the last object, the root.
    package let graph: NibGraph
    private let file: PlistFile

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        let isText = PlistFormat(of: bytes) == .xml
        do throws(PlistError) {
            file = try PlistFile(
                parsing: bytes,
                limits: PlistLimits(
                    byteCount: min(limits.byteCount, isText ? limits.textByteCount : limits.byteCount),
                    objectCount: min(limits.listedCount, isText ? limits.textListedCount : limits.listedCount),
                    visitCount: limits.valueCount))
        } catch {
            throw NibError(.propertyList("\(error.reason)"), at: error.offset)
        }
        var reader = KeyedGraphReader(file.table, limits: limits)
        graph = try reader.read()
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] { file.encode() }
}
