internal import WidgetBytes

/// A compiled interface in one of its two forms.
package enum NibDocument: Sendable {
    case archive(NibArchive)
    case keyed(KeyedNib)

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        if ArchiveHeader.isMarked(bytes) {
            self = .archive(try NibArchive(parsing: bytes, limits: limits))
        } else if NibDocument.isPropertyList(bytes) {
            self = .keyed(try KeyedNib(parsing: bytes, limits: limits))
        } else if NibDocument.begins(bytes, with: "\u{04}\u{0B}streamtyped")
            || NibDocument.begins(bytes, with: "\u{04}\u{0B}typedstream")
        {
            throw NibError(.typedStream, at: 0)
        } else {
            throw NibError(.unknownForm, at: 0)
        }
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// Returns true if the first bytes belong to either form.
    package static func isMarked(_ bytes: Span<UInt8>) -> Bool {
        ArchiveHeader.isMarked(bytes) || isPropertyList(bytes)
    }

    private static func isPropertyList(_ bytes: Span<UInt8>) -> Bool {
        ["bplist00", "<?xml", "<!DOCTYPE plist", "<plist", "\u{FEFF}<?xml"].contains { begins(bytes, with: $0) }
    }

    private static func begins(_ bytes: Span<UInt8>, with mark: String) -> Bool {
        let mark = mark.utf8.span
        return bytes.count >= mark.count && mark.indices.allSatisfy { bytes[$0] == mark[$0] }
    }

    package var graph: NibGraph {
        switch self {
        case .archive(let archive): archive.graph
        case .keyed(let nib): nib.graph
        }
    }

    /// Returns the same bytes that were parsed.
    package func encode() -> [UInt8] {
        switch self {
        case .archive(let archive): archive.encode()
        case .keyed(let nib): nib.encode()
        }
    }
}
