internal import WidgetBytes

/// The two forms of a property list.
package enum PlistFormat: Sendable {
    case binary
    case xml

    /// Recognises the form by the first bytes; a file that is not binary has to be XML.
    package init(of bytes: Span<UInt8>) {
        let mark = Array("bplist".utf8)
        let isBinary = bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
        self = isBinary ? .binary : .xml
    }
}

extension PlistError.Reason {
    static let tooManyMarks = PlistError.Reason.limitReached(.markCount, limit: CombiningMarks.mostInARow)
}

/// A reason and an offset, before a position and a path are worked out for them.
struct PlistFault: Error {
    var reason: PlistError.Reason
    var offset: Int

    init(_ reason: PlistError.Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    init(_ limit: PlistLimits.Name, of limits: PlistLimits, at offset: Int) {
        self.init(.limitReached(limit, limit: limits.limit(limit)), at: offset)
    }
}

extension PlistValue {
    /// The value of a property list in either form, or the first reason to refuse it. A repeated key is such a
    /// reason: this is for files that programs write; people's files are read by ``PlistReading``.
    package init(parsing bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        switch PlistFormat(of: bytes) {
        case .binary: try self.init(parsingBinary: bytes, limits: limits)
        case .xml: try self.init(parsingXML: bytes, limits: limits)
        }
    }

    package init(parsing bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    package init(parsingBinary bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        var parser = BinaryPlistParser(limits: limits)
        do {
            self = try parser.parse(bytes)
        } catch {
            throw PlistError(error.reason, offset: error.offset, path: parser.path)
        }
    }

    package init(parsingXML bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        var parser = XMLPlistParser(limits: limits, repetition: .refused)
        self = try parser.value(of: bytes)
    }
}

/// The limits of a property list. Each has a name, and a property list that exceeds it is refused for that limit.
package struct PlistLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole file.
        case byteCount
        /// Arrays and dictionaries around a value.
        case depth
        /// Objects the file declares; keys are objects.
        case objectCount
        /// Values met when walking the whole tree. The binary form can refer to one object from many
        /// places, so a small file can hold a tree too large to walk.
        case visitCount
        /// Bytes of strings and data met when walking the whole tree.
        case expandedByteCount
        /// Combining marks in a row in a string or a key: see ``CombiningMarks``.
        case markCount
    }

    package var byteCount: Int
    package var depth: Int
    package var objectCount: Int
    package var visitCount: Int
    package var expandedByteCount: Int

    /// No depth may be set above this: values are freed from the outside in, on the stack.
    package static let deepest = 512

    package init(
        byteCount: Int = 1 << 20, depth: Int = 64, objectCount: Int = 100_000, visitCount: Int = 400_000,
        expandedByteCount: Int = 16 << 20
    ) {
        // Sums of two counts within their limits never overflow.
        let largest = Int.max / 2
        self.byteCount = min(byteCount, largest)
        self.depth = min(depth, PlistLimits.deepest)
        self.objectCount = min(objectCount, largest)
        self.visitCount = min(visitCount, largest)
        self.expandedByteCount = min(expandedByteCount, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .depth: depth
        case .objectCount: objectCount
        case .visitCount: visitCount
        case .expandedByteCount: expandedByteCount
        case .markCount: CombiningMarks.mostInARow
        }
    }
}
