internal import WidgetBytes
internal import WidgetFiles

/// The block of 512 bytes before a member of a tar archive (POSIX ustar, with pax headers for long names).
struct TarHeader: Equatable {
    static let blockSize = 512

    enum Kind: UInt8 {
        case file = 0x30
        /// An extended header: the values that do not fit into the next member's fields.
        case extended = 0x78
    }

    var name: String
    var byteCount: Int
    var kind = Kind.file
    /// Seconds since 1970.
    var modified: Int64 = 0

    /// The number of unused bytes in a member's last block.
    static func padding(_ byteCount: Int) -> Int { (blockSize - byteCount % blockSize) % blockSize }
}

extension TarHeader {
    private static let nameField = 0..<100
    private static let sizeField = 124..<136
    private static let modifiedField = 136..<148
    private static let checksumField = 148..<156
    private static let magic = Array("ustar\u{0}00".utf8)

    /// Eleven octal digits hold no more.
    private static let largest = 1 << 33 - 1

    /// The block, and before it an extended header where the name or the size is too long for one.
    var bytes: [UInt8] {
        let name = Array(self.name.utf8)
        var records: [UInt8] = []
        if name.count > TarHeader.nameField.count { records += TarHeader.record("path", self.name) }
        if byteCount > TarHeader.largest { records += TarHeader.record("size", String(byteCount)) }
        guard !records.isEmpty else { return block(name) }
        let extended = TarHeader(name: "pax", byteCount: records.count, kind: .extended, modified: modified)
        records += [UInt8](repeating: 0, count: TarHeader.padding(records.count))
        return extended.block(Array("pax".utf8)) + records + block(Array(name.prefix(TarHeader.nameField.count)))
    }

    /// `length key=value\n`, where the length counts its own digits.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = Array(" \(key)=\(value)\n".utf8)
        var count = rest.count + 1
        while String(count).utf8.count + rest.count != count { count = String(count).utf8.count + rest.count }
        return Array(String(count).utf8) + rest
    }

    private func block(_ name: [UInt8]) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: TarHeader.blockSize)
        block.replaceSubrange(0..<name.count, with: name)
        TarHeader.putOctal(0o600, in: 100..<108, of: &block)
        TarHeader.putOctal(0, in: 108..<116, of: &block)
        TarHeader.putOctal(0, in: 116..<124, of: &block)
        TarHeader.putOctal(byteCount, in: TarHeader.sizeField, of: &block)
        TarHeader.putOctal(Int(clamping: max(0, modified)), in: TarHeader.modifiedField, of: &block)
        block[156] = kind.rawValue
        block.replaceSubrange(257..<265, with: TarHeader.magic)
        TarHeader.putOctal(TarHeader.checksum(block), in: 148..<155, of: &block)
        block[155] = 0x20
        return block
    }

    /// Writes digits and a NUL. A value that does not fit is written as the largest that does.
    private static func putOctal(_ value: Int, in field: Range<Int>, of block: inout [UInt8]) {
        let digits = Array(String(min(value, largest), radix: 8).utf8)
        let padded = [UInt8](repeating: 0x30, count: max(0, field.count - 1 - digits.count)) + digits
        block.replaceSubrange(field.lowerBound..<(field.upperBound - 1), with: padded.suffix(field.count - 1))
    }

    /// The sum of all bytes, its own field taken as spaces.
    private static func checksum(_ block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { $0 + (checksumField.contains($1.offset) ? 0x20 : Int($1.element)) }
    }

    // MARK: Reading

    /// `nil` for anything but a header exactly as we write it.
    init?(parsing block: [UInt8]) {
        guard block.count == TarHeader.blockSize, let kind = Kind(rawValue: block[156]),
            let size = TarHeader.octal(block[TarHeader.sizeField]),
            let modified = TarHeader.octal(block[TarHeader.modifiedField])
        else { return nil }
        let name = Array(block[TarHeader.nameField].prefix { $0 != 0 })
        guard let text = String(validating: name, as: UTF8.self) else { return nil }
        self.init(name: text, byteCount: size, kind: kind, modified: Int64(modified))
        guard self.block(name) == block else { return nil }
    }

    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = field.prefix { $0 != 0 && $0 != 0x20 }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    /// The header with the values of an extended header; `nil` when those are not in our format.
    func extended(by records: [UInt8]) -> TarHeader? {
        var header = self
        var rest = records[...]
        while !rest.isEmpty {
            guard let (key, value) = TarHeader.takeRecord(from: &rest) else { return nil }
            switch key {
            case "path":
                guard value.utf8.starts(with: name.utf8), value.utf8.count > TarHeader.nameField.count else {
                    return nil
                }
                header.name = value
            case "size":
                guard let size = Int(value), size > TarHeader.largest, byteCount == TarHeader.largest else {
                    return nil
                }
                header.byteCount = size
            default: return nil
            }
        }
        return header
    }

    /// `length key=value\n`, as ``record(_:_:)`` writes it.
    private static func takeRecord(from bytes: inout ArraySlice<UInt8>) -> (key: String, value: String)? {
        guard let space = bytes.firstIndex(of: 0x20),
            let count = Int(String(decoding: bytes[..<space].prefix(8), as: UTF8.self)), count > 0,
            count <= bytes.count, let text = String(validating: bytes.prefix(count), as: UTF8.self)
        else { return nil }
        bytes = bytes.dropFirst(count)
        guard let start = text.firstIndex(of: " "), let equals = text.firstIndex(of: "="), start < equals,
            text.hasSuffix("\n")
        else { return nil }
        return (
            String(text[text.index(after: start)..<equals]), String(text[text.index(after: equals)...].dropLast())
        )
    }
}

/// Reads a tar archive of ours member after member; anything else in it ends the reading.
struct TarReader: ~Copyable {
    private let file: StoredFile
    private var byteCount: Int { file.byteCount }
    private(set) var offset = 0
    private var window = [UInt8](repeating: 0, count: 256 << 10)
    /// A record that names a member takes less.
    private static let longestRecord = 4 << 10

    init(_ file: StoredFile) {
        self.file = file
    }

    var totalByteCount: Int { byteCount }

    /// Begins again.
    mutating func rewind() { offset = 0 }

    /// The next member, whose contents follow at ``offset``; `nil` at the end, which two empty blocks mark.
    mutating func next() throws(RegistryError) -> TarHeader? {
        var records: [UInt8]?
        while true {
            let block = try take(TarHeader.blockSize)
            if block.allSatisfy({ $0 == 0 }) {
                guard records == nil, try take(TarHeader.blockSize).allSatisfy({ $0 == 0 }) else {
                    throw invalid("its end")
                }
                return nil
            }
            guard var header = TarHeader(parsing: block) else { throw invalid("a header") }
            if header.kind == .extended {
                guard records == nil, (1...TarReader.longestRecord).contains(header.byteCount) else {
                    throw invalid("an extended header")
                }
                records = try take(header.byteCount)
                guard try take(TarHeader.padding(header.byteCount)).allSatisfy({ $0 == 0 }) else {
                    throw invalid("an extended header")
                }
                continue
            }
            if let records {
                guard let extended = header.extended(by: records) else { throw invalid("an extended header") }
                header = extended
            }
            guard header.byteCount <= byteCount - offset else { throw .invalidBackup("it ends too early") }
            return header
        }
    }

    /// Hands over the contents of the member that ``next()`` has found, piece by piece.
    mutating func contents(
        of header: TarHeader, _ body: (Span<UInt8>) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var left = header.byteCount
        while left > 0 {
            let wanted = min(left, window.count)
            try fill(wanted)
            try body(window.span.extracting(0..<wanted))
            left -= wanted
        }
        let padding = TarHeader.padding(header.byteCount)
        guard try take(padding).allSatisfy({ $0 == 0 }) else { throw invalid("a block's end") }
    }

    private mutating func take(_ count: Int) throws(RegistryError) -> [UInt8] {
        try fill(count)
        return Array(window[..<count])
    }

    private mutating func fill(_ count: Int) throws(RegistryError) {
        let filled = try rethrowing(
            try file.descriptor.read(at: offset, into: &window, count: count), as: RegistryError.init)
        guard filled == count else { throw .invalidBackup("it ends too early") }
        offset += count
    }

    private func invalid(_ what: String) -> RegistryError {
        .invalidBackup("\(what) before byte \(offset) is not as a backup has it")
    }
}
