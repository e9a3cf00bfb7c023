@_spi(_Unicode) import Swift
internal import WidgetBytes

/// The name of an entry that has been judged: a relative path that means the same everywhere.
///
/// Until judged, a name is only text that an archive contains; a `ZipName` can be joined to a directory.
/// It is UTF-8 in normalisation form C, its components are separated by `/`, and a directory's ends in `/`.
package struct ZipName: Hashable, Sendable {
    package let text: String
    package let repairs: Repairs

    /// The changes made to the name so that it is portable; the publisher is shown them.
    package struct Repairs: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Backslashes became `/`.
        package static let separators = Repairs(rawValue: 1)
        /// The text was brought to normalisation form C.
        package static let normalization = Repairs(rawValue: 2)
        /// The bytes were read as UTF-8, which the archive does not declare.
        package static let encoding = Repairs(rawValue: 4)
    }

    package var isDirectory: Bool { text.utf8.last == 0x2F }

    /// The name without the slash that ends a directory's.
    package var path: String { isDirectory ? String(Substring(text.utf8.dropLast())) : text }

    /// Found by bytes: the extent of a `Character` changes from one edition of Unicode to the next.
    package var components: [String] { text.utf8.split(separator: 0x2F).map { String(Substring($0)) } }

    init(judged text: String, repairs: Repairs) {
        self.text = text
        self.repairs = repairs
    }

    /// A name of our own making, judged like any other.
    package init(_ text: String, limits: ZipLimits = ZipLimits()) throws(Hazard) {
        self = try ZipName.judge(Array(text.utf8), encoding: .marked, convertsBackslashes: false, limits: limits)
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
    /// The canonical order: by UTF-8 bytes, so a folder comes before its contents.
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

    /// The most bytes of a name that are shown.
    private static let longestShown = 1_024

    /// Bytes of a name that has not been judged, as text that is safe to print.
    static func printable(_ bytes: [UInt8]) -> String {
        ShownText.plain(String(decoding: bytes.prefix(longestShown), as: UTF8.self))
    }
}

extension ZipName {
    /// Judges the bytes of a name as an archive holds them.
    ///
    /// A name is UTF-8 when the archive says so (bit 11), when it is plain ASCII, or when nothing in the archive allows
    /// another reading (``ZipNameEncoding``). Other encodings are never guessed.
    /// `convertsBackslashes` is decided for the whole archive, where separators written by Windows tools can
    /// be distinguished from backslashes in names.
    package static func judge(
        _ bytes: [UInt8], encoding: ZipNameEncoding, convertsBackslashes: Bool, limits: ZipLimits
    ) throws(Hazard) -> ZipName {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= limits.pathByteCount else { throw .tooLong(limits.pathByteCount) }
        var repairs: Repairs = []
        var bytes = bytes
        if convertsBackslashes, bytes.contains(Byte.backslash) {
            bytes = bytes.map { $0 == Byte.backslash ? Byte.slash : $0 }
            repairs.insert(.separators)
        }
        if bytes.contains(where: { $0 >= 0x80 }) {
            switch encoding {
            case .marked: break
            case .implied: repairs.insert(.encoding)
            case .unknown: throw .unknownEncoding
            }
            let normal = try normalized(bytes)
            if normal != bytes {
                bytes = normal
                repairs.insert(.normalization)
            }
            guard bytes.count <= limits.pathByteCount else { throw .tooLong(limits.pathByteCount) }
        }
        try requireSafeCharacters(bytes)
        try requireRelative(bytes)
        try requireSafeComponents(bytes, limits: limits)
        return ZipName(judged: String(decoding: bytes, as: UTF8.self), repairs: repairs)
    }

    private enum Byte {
        static let slash = UInt8(ascii: "/")
        static let backslash = UInt8(ascii: "\\")
        static let colon = UInt8(ascii: ":")
        static let dot = UInt8(ascii: ".")
        static let space = UInt8(ascii: " ")
    }

    /// Strict UTF-8 to normalisation form C, and the characters judged on the way.
    private static func normalized(_ bytes: [UInt8]) throws(Hazard) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
        var normal = ""
        for scalar in text._nfc { normal.unicodeScalars.append(scalar) }
        for scalar in normal.unicodeScalars {
            if let hazard = ZipCharacter.hazard(of: scalar) { throw hazard }
            if ZipCharacter.becomesSeparator(scalar.value) { throw .compatibleSeparator(scalar.value) }
        }
        for bytes in normal.utf8.split(separator: Byte.slash) {
            let component = Substring(bytes)
            let dots = component.unicodeScalars.map { ZipCharacter.dotCount($0.value) }
            if dots.contains(nil) { continue }
            let count = dots.reduce(0) { $0 + ($1 ?? 0) }
            // Plain dots have their own names; these only look harmless.
            if count <= 2, component != ".", component != ".." { throw .compatibleDots }
        }
        // A program that cuts text into characters does not see such a slash or dot.
        for (character, byte) in [("/" as Character, Byte.slash), (".", Byte.dot)]
        where normal.count(where: { $0 == character }) != normal.utf8.count(where: { $0 == byte }) {
            throw .joinedPunctuation
        }
        return Array(normal.utf8)
    }

    /// Control characters, separators of other systems, and escapes that a later decoder might decode.
    private static func requireSafeCharacters(_ bytes: [UInt8]) throws(Hazard) {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0: throw .nul
            case 0x01..<0x20, 0x7F: throw .controlCharacter(UInt32(byte))
            case Byte.backslash:
                throw bytes.starts(with: [Byte.backslash, Byte.backslash]) ? .networkPath : .backslash
            case Byte.colon:
                throw index == 1 && isLetter(bytes[0]) ? .drive : .colon
            case UInt8(ascii: "%"):
                if isHazardousEncoding(bytes[index...].dropFirst().prefix(2)) { throw .percentEncoding }
            default: break
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// `%2e`, `%2f`, `%5c`, `%00`: a dot, a separator or NUL to a reader who decodes once more.
    private static func isHazardousEncoding(_ digits: ArraySlice<UInt8>) -> Bool {
        switch String(decoding: digits, as: UTF8.self).lowercased() {
        case "2e", "2f", "5c", "00": true
        default: false
        }
    }

    private static func requireRelative(_ bytes: [UInt8]) throws(Hazard) {
        guard bytes[0] == Byte.slash else { return }
        throw bytes.count > 1 && bytes[1] == Byte.slash ? .networkPath : .absolute
    }

    private static func requireSafeComponents(_ bytes: [UInt8], limits: ZipLimits) throws(Hazard) {
        let path = bytes.last == Byte.slash ? bytes.dropLast() : bytes[...]
        var depth = 0
        for component in path.split(separator: Byte.slash, omittingEmptySubsequences: false) {
            depth += 1
            if component.isEmpty { throw .emptyComponent }
            if component.elementsEqual([Byte.dot]) { throw .currentDirectory }
            if component.elementsEqual([Byte.dot, Byte.dot]) { throw .parentDirectory }
            if component.last == Byte.dot { throw .trailingDot }
            if component.last == Byte.space { throw .trailingSpace }
            if component.count > limits.componentByteCount { throw .componentTooLong(limits.componentByteCount) }
            if isDeviceName(component) { throw .deviceName }
        }
        if depth > limits.pathDepth { throw .tooDeep(limits.pathDepth) }
    }

    /// Returns true for names that Windows gives to devices, with any extension.
    private static func isDeviceName(_ component: ArraySlice<UInt8>) -> Bool {
        var stem = component.prefix { $0 != Byte.dot }
        while stem.last == Byte.space { stem = stem.dropLast() }
        guard (3...7).contains(stem.count) else { return false }
        switch String(decoding: stem, as: UTF8.self).lowercased() {
        case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$": return true
        case let name where name.hasPrefix("com") || name.hasPrefix("lpt"):
            // Windows counts the superscript digits of Latin-1 as digits here.
            return name.unicodeScalars.count == 4
                && "123456789¹²³".unicodeScalars.contains(name.unicodeScalars.last ?? "0")
        default: return false
        }
    }
}

extension ZipName.Hazard: CustomStringConvertible {
    /// Completes "the name …".
    package var description: String {
        switch self {
        case .empty: "is empty"
        case .nul: "holds a NUL"
        case .absolute: "begins with a slash"
        case .networkPath: "names another machine"
        case .drive: "begins with a drive letter"
        case .emptyComponent: "has two slashes in a row"
        case .currentDirectory: "has a component \".\""
        case .parentDirectory: "has a component \"..\""
        case .backslash: "holds a backslash"
        case .colon: "holds a colon"
        case .controlCharacter(let value): "holds the control character \(code(value))"
        case .bidirectionalControl(let value): "holds \(code(value)), which changes the direction of writing"
        case .invisibleCharacter(let value): "holds \(code(value)), which is invisible"
        case .noncharacter(let value): "holds \(code(value)), which is not a character"
        case .trailingDot: "has a component that ends with a dot"
        case .trailingSpace: "has a component that ends with a space"
        case .deviceName: "has a component that Windows takes for a device"
        case .percentEncoding: "holds an encoded dot, separator or NUL"
        case .compatibleSeparator(let value): "holds \(code(value)), which some systems turn into a separator"
        case .compatibleDots: "has a component that some systems turn into dots"
        case .joinedPunctuation: "holds a character that joins the slash or dot beside it"
        case .invalidUTF8: "is not UTF-8"
        case .unknownEncoding: "is neither ASCII nor marked as UTF-8"
        case .tooLong(let limit): "has more than \(limit) bytes"
        case .componentTooLong(let limit): "has a component of more than \(limit) bytes"
        case .tooDeep(let limit): "has more than \(limit) components"
        }
    }

    private func code(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// The hazards of single characters in a name.
enum ZipCharacter {
    /// The hazard of a character anywhere in a name.
    static func hazard(of scalar: Unicode.Scalar) -> ZipName.Hazard? {
        let value = scalar.value
        if value >= 0x20, value < 0x7F { return nil }
        if value == 0 { return .nul }
        let properties = scalar.properties
        if isBidirectionalControl(value) { return .bidirectionalControl(value) }
        if properties.isNoncharacterCodePoint { return .noncharacter(value) }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return .controlCharacter(value)
        case .format: return .invisibleCharacter(value)
        // Fillers, joiners and variation selectors are invisible, so two different names can look alike.
        default: return properties.isDefaultIgnorableCodePoint ? .invisibleCharacter(value) : nil
        }
    }

    /// The explicit formatting characters of UAX #9.
    private static func isBidirectionalControl(_ value: UInt32) -> Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns true if compatibility normalisation (NFKC) of the character holds `/` or `\`.
    ///
    /// These seven are all there are: the signs ℀ ℁ ℅ ℆, the small backslash, and the full-width pair.
    static func becomesSeparator(_ value: UInt32) -> Bool {
        switch value {
        case 0x2100, 0x2101, 0x2105, 0x2106, 0xFE68, 0xFF0F, 0xFF3C: true
        default: false
        }
    }

    /// The number of dots that compatibility normalisation makes of the character, if it makes nothing else of it.
    ///
    /// One-, two- and three-dot leaders, the vertical forms of the latter two, the small and the full-width stop.
    static func dotCount(_ value: UInt32) -> Int? {
        switch value {
        case 0x2E, 0x2024, 0xFE52, 0xFF0E: 1
        case 0x2025, 0xFE30: 2
        case 0x2026, 0xFE19: 3
        default: nil
        }
    }
}
