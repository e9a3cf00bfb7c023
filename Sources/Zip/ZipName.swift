internal import Bytes

/// The name of an entry that has been judged: a relative path that means the same everywhere.
///
/// Until judged, a name is only text that an archive contains; a `ZipName` can be joined to a directory.
/// It is UTF-8 in normalisation form C, its components are separated by `/`, and a directory's ends in `/`.
package struct ZipName: Hashable, Sendable {
    package let text: String
    package let repairs: Repairs

    /// What had to be changed for the name to be portable; the publisher is told.
    package struct Repairs: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Backslashes became `/`.
        package static let separators = Repairs(rawValue: 1)
        /// The text was brought to normalisation form C.
        package static let normalization = Repairs(rawValue: 2)
    }

    package var isDirectory: Bool { text.utf8.last == 0x2F }

    /// The name without the slash that ends a directory's.
    package var path: String { isDirectory ? String(Substring(text.utf8.dropLast())) : text }

    /// Found by bytes: what a `Character` is changes from one edition of Unicode to the next.
    package var components: [String] { text.utf8.split(separator: 0x2F).map { String(Substring($0)) } }

    init(judged text: String, repairs: Repairs) {
        self.text = text
        self.repairs = repairs
    }

    /// A name of our own making, judged like any other.
    package init(_ text: String, limits: ZipLimits = ZipLimits()) throws(Hazard) {
        self = try ZipName.judge(Array(text.utf8), isUTF8: true, convertsBackslashes: false, limits: limits)
    }

    package static func == (left: ZipName, right: ZipName) -> Bool {
        // Names are normalised, so equal names are equal bytes.
        left.text.hasBytes(of: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ZipName: Comparable {
    /// The canonical order: by UTF-8 bytes, so a folder comes before what is in it.
    package static func < (left: ZipName, right: ZipName) -> Bool {
        left.text.byteOrder(right.text) < 0
    }
}

extension ZipName {
    /// Why a name cannot be joined to a directory on every system with the same result.
    package enum Hazard: Error, Equatable, Sendable {
        case empty
        case nul
        case absolute
        case networkPath
        case drive
        case emptyComponent
        case currentDirectory
        case parentDirectory
        case backslash
        case colon
        case controlCharacter(UInt32)
        case bidirectionalControl(UInt32)
        case invisibleCharacter(UInt32)
        case noncharacter(UInt32)
        case trailingDot
        case trailingSpace
        case deviceName
        case percentEncoding
        case compatibleSeparator(UInt32)
        case compatibleDots
        case joinedPunctuation
        case invalidUTF8
        case unknownEncoding
        case tooLong(Int)
        case componentTooLong(Int)
        case tooDeep(Int)
    }

    /// Bytes of a name that has not been judged, as text that is safe to print.
    static func printable(_ bytes: [UInt8]) -> String {
        ShownText.plain(String(decoding: bytes.prefix(1_024), as: UTF8.self))
    }
}
