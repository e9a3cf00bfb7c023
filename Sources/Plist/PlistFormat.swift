internal import Bytes

/// The two forms of a property list.
package enum PlistFormat: Sendable {
    case binary
    case xml

    /// What the first bytes claim; anything that is not binary has to be XML.
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
    /// The value a property list of either form denotes, or the first reason to refuse it.
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
        var parser = XMLPlistParser(limits: limits)
        do {
            self = try parser.parse(bytes)
        } catch {
            throw PlistError(
                error.reason, offset: error.offset, position: TextPosition(of: error.offset, in: bytes),
                path: parser.path)
        }
    }
}
