@_spi(_Unicode) import Swift

extension ZipName {
    /// Judges the bytes of a name as an archive holds them.
    ///
    /// A name is UTF-8 when the archive says so (bit 11) or when it is plain ASCII; there is no guessing.
    /// `convertsBackslashes` is decided for the whole archive, where separators written by Windows tools can
    /// be told from backslashes in names.
    package static func judge(
        _ bytes: [UInt8], isUTF8: Bool, convertsBackslashes: Bool, limits: ZipLimits
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
            guard isUTF8 else { throw .unknownEncoding }
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
            // Plain dots have their own names; these are the ones that only look harmless.
            if count <= 2, component != ".", component != ".." { throw .compatibleDots }
        }
        // To a program that cuts text into characters, such a slash or dot is none.
        for (character, byte) in [("/" as Character, Byte.slash), (".", Byte.dot)]
        where normal.count(where: { $0 == character }) != normal.utf8.count(where: { $0 == byte }) {
            throw .joinedPunctuation
        }
        return Array(normal.utf8)
    }

    /// Control characters, separators of other systems, and what a decoder further down might decode.
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

    /// `%2e`, `%2f`, `%5c`, `%00`: a dot, a separator or NUL to whoever decodes once more.
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

    /// Names that Windows gives to devices, whatever extension follows.
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
