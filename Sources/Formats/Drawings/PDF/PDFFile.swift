/// The objects of a PDF file by their numbers (ISO 32000-1 §7.5). Each is read when it is asked for.
struct PDFFile {
    private enum Place {
        case offset(Int)
        case inStream(Int, index: Int)
    }

    let bytes: [UInt8]
    let limits: DrawingLimits
    private(set) var trailer: [String: PDFValue] = [:]
    private var places: [Int: Place] = [:]
    private var known: [Int: PDFValue] = [:]
    private var packed: [Int: PackedObjects] = [:]
    /// Objects that are being read, which must not need themselves.
    private var open: Set<Int> = []
    private var readCount = 0
    private var expandedCount = 0
    private var searchedCount = 0

    /// A stream of objects, and where each begins in it.
    private struct PackedObjects {
        var bytes: [UInt8]
        var offsets: [Int]
    }

    static func begins(_ bytes: [UInt8]) -> Bool { PDFFile.find("%PDF-", in: bytes, from: 0, to: 1 << 10) != nil }

    init(_ bytes: [UInt8], limits: DrawingLimits) throws(DrawingError) {
        (self.bytes, self.limits) = (bytes, limits)
        try readTables()
        guard trailer["Encrypt"] == nil else { throw DrawingError(.unsupported(.encryption)) }
    }

    static func find(_ word: String, in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        let word = Array(word.utf8)
        let last = min(end, bytes.count) - word.count
        guard start >= 0, start <= last else { return nil }
        return (start...last).first { place in
            bytes[place] == word[0] && word.indices.allSatisfy { bytes[place + $0] == word[$0] }
        }
    }

    // MARK: - Tables

    private static let mostTables = 16

    private mutating func readTables() throws(DrawingError) {
        var end: Int?
        var place = max(0, bytes.count - 2_048)
        while let found = PDFFile.find("startxref", in: bytes, from: place, to: bytes.count) {
            (end, place) = (found, found + 1)
        }
        guard let end else { throw DrawingError(.malformed("it does not say where its table is")) }
        var lexer = PDFLexer(bytes, at: end + 9, limits: limits)
        guard case .value(.number(let start)) = try lexer.token(hasReferences: false), let first = Int(exactly: start)
        else { throw DrawingError(.malformed("it does not say where its table is")) }
        var pending = [first]
        var seen: Set<Int> = []
        while let offset = pending.popLast() {
            guard seen.insert(offset).inserted else { continue }
            guard seen.count <= PDFFile.mostTables, offset >= 0, offset < bytes.count else {
                throw DrawingError(.malformed("a table lies outside the file"))
            }
            let members = try readTable(at: offset)
            trailer.merge(members) { own, _ in own }
            // The newest table comes first, and of a table the stream beside it.
            if let previous = members["Prev"]?.integer { pending.append(previous) }
            if let stream = members["XRefStm"]?.integer { pending.append(stream) }
        }
    }

    private mutating func readTable(at offset: Int) throws(DrawingError) -> [String: PDFValue] {
        var lexer = PDFLexer(bytes, at: offset, limits: limits)
        guard case .word("xref") = try lexer.token(hasReferences: false) else { return try readTableStream(at: offset) }
        while true {
            let token = try lexer.token(hasReferences: false)
            if case .word("trailer") = token {
                guard case .value(.dictionary(let members)) = try lexer.token(hasReferences: true) else { break }
                return members
            }
            guard case .value(.number(let first)) = token,
                case .value(.number(let count)) = try lexer.token(hasReferences: false),
                let first = Int(exactly: first), let count = Int(exactly: count), count >= 0,
                count <= limits.elementCount, first >= 0, first <= limits.elementCount
            else { break }
            for number in first..<first + count {
                guard case .value(.number(let offset)) = try lexer.token(hasReferences: false),
                    case .value = try lexer.token(hasReferences: false),
                    case .word(let kind) = try lexer.token(hasReferences: false), let offset = Int(exactly: offset)
                else { throw DrawingError(.malformed("its table is malformed")) }
                if kind == "n", places[number] == nil { places[number] = .offset(offset) }
            }
        }
        throw DrawingError(.malformed("its table is malformed"))
    }

    /// A table as a stream of numbers (§7.5.8).
    private mutating func readTableStream(at offset: Int) throws(DrawingError) -> [String: PDFValue] {
        let value = try object(at: offset)
        guard case .stream(let members, _) = value, let widths = members["W"]?.numbers, widths.count >= 3,
            let size = members["Size"]?.integer, size >= 0, size <= limits.elementCount
        else { throw DrawingError(.malformed("its table is malformed")) }
        let sides = widths.prefix(3).compactMap { Int(exactly: $0) }
        guard sides.count == 3, sides.allSatisfy({ (0...6).contains($0) }), sides.contains(where: { $0 > 0 }) else {
            throw DrawingError(.malformed("its table is malformed"))
        }
        let table = try data(of: value)
        let ranges = members["Index"]?.numbers?.compactMap { Int(exactly: $0) } ?? [0, size]
        var position = 0
        func field(_ width: Int, _ usual: Int) -> Int {
            guard width > 0 else { return usual }
            let value = table[position..<position + width].reduce(0) { $0 << 8 | Int($1) }
            position += width
            return value
        }
        for pair in stride(from: 0, to: ranges.count - 1, by: 2) {
            let (first, count) = (ranges[pair], ranges[pair + 1])
            guard first >= 0, count >= 0, first <= limits.elementCount, count <= limits.elementCount else { break }
            for number in first..<first + count {
                guard position + sides.reduce(0, +) <= table.count else { return members }
                let (kind, second, third) = (field(sides[0], 1), field(sides[1], 0), field(sides[2], 0))
                guard places[number] == nil else { continue }
                if kind == 1 { places[number] = .offset(second) }
                if kind == 2 { places[number] = .inStream(second, index: third) }
            }
        }
        return members
    }

    // MARK: - Objects

    /// Returns a value, or the object that it refers to; null for an object that does not exist.
    mutating func resolved(_ value: PDFValue?) throws(DrawingError) -> PDFValue {
        guard let value else { return .null }
        guard case .reference(let number) = value else { return value }
        if let known = known[number] { return known }
        guard let place = places[number] else { return .null }
        guard open.insert(number).inserted, open.count <= limits.depth else {
            throw DrawingError(.malformed("an object needs itself"))
        }
        defer { open.remove(number) }
        readCount += 1
        guard readCount <= limits.elementCount else { throw DrawingError(.elementCount, of: limits) }
        let object: PDFValue
        switch place {
        case .offset(let offset): object = try self.object(at: offset)
        case .inStream(let stream, let index): object = try self.object(in: stream, index)
        }
        guard case .reference = object else {
            known[number] = object
            return object
        }
        return try resolved(object)
    }

    private mutating func object(at offset: Int) throws(DrawingError) -> PDFValue {
        guard offset >= 0, offset < bytes.count else {
            throw DrawingError(.malformed("an object lies outside the file"))
        }
        var lexer = PDFLexer(bytes, at: offset, limits: limits)
        guard case .value(.number) = try lexer.token(hasReferences: false),
            case .value(.number) = try lexer.token(hasReferences: false),
            case .word("obj") = try lexer.token(hasReferences: false),
            case .value(let value) = try lexer.token(hasReferences: true)
        else { throw DrawingError(.malformed("an object is malformed")) }
        guard case .dictionary(let members) = value else { return value }
        let before = lexer.position
        guard case .word("stream") = try lexer.token(hasReferences: false) else {
            lexer.position = before
            return value
        }
        var start = lexer.position
        if start < bytes.count, bytes[start] == 0x0D { start += 1 }
        if start < bytes.count, bytes[start] == 0x0A { start += 1 }
        if let length = try resolved(members["Length"]).integer, length >= 0, length <= bytes.count - start,
            PDFFile.find("endstream", in: bytes, from: start + length, to: start + length + 12) != nil
        {
            return .stream(members, start..<start + length)
        }
        // Of a wrong length, the stream's end is searched, in the whole file a few times at most.
        guard let end = PDFFile.find("endstream", in: bytes, from: start, to: bytes.count) else {
            throw DrawingError(.malformed("a stream is not ended"))
        }
        searchedCount += end - start
        guard searchedCount <= bytes.count * 4 else { throw DrawingError(.malformed("its streams have wrong lengths")) }
        return .stream(members, start..<end)
    }

    /// An object of a stream of objects (§7.5.7).
    private mutating func object(in stream: Int, _ index: Int) throws(DrawingError) -> PDFValue {
        if packed[stream] == nil { packed[stream] = try packedObjects(stream) }
        guard let packed = packed[stream], packed.offsets.indices.contains(index) else { return .null }
        var lexer = PDFLexer(packed.bytes, at: packed.offsets[index], limits: limits)
        guard case .value(let value) = try lexer.token(hasReferences: true) else { return .null }
        return value
    }

    private mutating func packedObjects(_ number: Int) throws(DrawingError) -> PackedObjects {
        guard case .offset = places[number] else { throw DrawingError(.malformed("an object is malformed")) }
        let stream = try resolved(.reference(number))
        guard let members = stream.dictionary, let count = try resolved(members["N"]).integer,
            let first = try resolved(members["First"]).integer, (0...limits.elementCount).contains(count)
        else { throw DrawingError(.malformed("an object is malformed")) }
        let data = try data(of: stream)
        var lexer = PDFLexer(data, limits: limits)
        var offsets: [Int] = []
        for _ in 0..<count {
            guard case .value(.number) = try lexer.token(hasReferences: false),
                case .value(.number(let offset)) = try lexer.token(hasReferences: false),
                let offset = Int(exactly: offset), offset >= 0, first >= 0, first <= data.count,
                offset <= data.count - first
            else { break }
            offsets.append(first + offset)
        }
        return PackedObjects(bytes: data, offsets: offsets)
    }

    // MARK: - Streams

    /// Returns the bytes of a stream, decompressed.
    mutating func data(of value: PDFValue) throws(DrawingError) -> [UInt8] {
        guard case .stream(let members, let range) = value else {
            throw DrawingError(.malformed("a stream is missing"))
        }
        let filters = try list(members["Filter"] ?? members["F"])
        let parameters = try list(members["DecodeParms"] ?? members["DP"])
        var data = Array(bytes[range])
        guard filters.count <= 4 else { throw DrawingError(.unsupported(.compression)) }
        for (number, filter) in filters.enumerated() {
            let settings = number < parameters.count ? parameters[number].dictionary ?? [:] : [:]
            var plain: [String: Int] = [:]
            for (name, value) in settings { plain[name] = try resolved(value).integer }
            data = try PDFFilter.decoded(
                data, filter.name ?? "", plain, limit: limits.byteCount * 4 - expandedCount, limits)
            expandedCount += data.count
        }
        return data
    }

    /// A list, or the one value that is in its place.
    private mutating func list(_ value: PDFValue?) throws(DrawingError) -> [PDFValue] {
        let value = try resolved(value)
        if value.isNull { return [] }
        guard let array = value.array else { return [value] }
        var values: [PDFValue] = []
        for item in array.prefix(8) { values.append(try resolved(item)) }
        return values
    }
}
