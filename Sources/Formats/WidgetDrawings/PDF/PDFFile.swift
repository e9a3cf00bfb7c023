/// The objects of a PDF file by their numbers (ISO 32000-1 §7.5). Each is read when it is first used.
struct PDFFile {
    private enum Place {
        case offset(Int)
        case inStream(Int, index: Int)
        /// The object was removed; older tables may still have it.
        case free
    }

    let bytes: [UInt8]
    let limits: DrawingLimits
    private(set) var trailer: [String: PDFValue] = [:]
    private var places: [Int: Place] = [:]
    private var known: [Int: PDFValue] = [:]
    /// Objects by their offsets: a table may give one offset to many numbers.
    private var parsed: [Int: PDFValue] = [:]
    private var packed: [Int: PackedObjects] = [:]
    /// Objects that are being read, which must not need themselves.
    private var open: Set<Int> = []
    private var readCount = 0
    private var byteCount = 0
    private var searchedCount = 0
    /// Operators can repeat everything, so they count here.
    var work: DrawingWork

    /// A stream of objects, and where each begins in it.
    private struct PackedObjects {
        var bytes: [UInt8]
        var offsets: [Int]
    }

    static func begins(_ bytes: [UInt8]) -> Bool { bytes.place(of: "%PDF-", from: 0, to: 1 << 10) != nil }

    init(_ bytes: [UInt8], limits: DrawingLimits) throws(DrawingError) {
        (self.bytes, self.limits, work) = (bytes, limits, DrawingWork(limits))
        try readTables()
        guard trailer["Encrypt"] == nil else { throw DrawingError(.unsupported(.encryption)) }
    }

    // MARK: - Tables

    private static let mostTables = 16

    private mutating func readTables() throws(DrawingError) {
        var end: Int?
        var place = max(0, bytes.count - 2_048)
        while let found = bytes.place(of: "startxref", from: place) {
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
            // The newest table comes first.
            var freed: [Int] = []
            let members = try readTable(at: offset, &freed)
            trailer.merge(members) { own, _ in own }
            // A stream beside a table has objects that the table calls free, for older readers (§7.5.8.4).
            if let stream = members["XRefStm"]?.integer, stream >= 0, stream < bytes.count, seen.insert(stream).inserted
            {
                _ = try readTableStream(at: stream, &freed)
            }
            for number in freed where places[number] == nil { places[number] = .free }
            if let previous = members["Prev"]?.integer { pending.append(previous) }
        }
    }

    /// - Parameter freed: gets the numbers of objects that the table calls free.
    private mutating func readTable(
        at offset: Int, _ freed: inout [Int]
    ) throws(DrawingError) -> [String: PDFValue] {
        var lexer = PDFLexer(bytes, at: offset, limits: limits)
        guard case .word("xref") = try lexer.token(hasReferences: false) else {
            return try readTableStream(at: offset, &freed)
        }
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
                if kind == "f" { freed.append(number) }
            }
        }
        throw DrawingError(.malformed("its table is malformed"))
    }

    /// A table as a stream of numbers (§7.5.8).
    private mutating func readTableStream(
        at offset: Int, _ freed: inout [Int]
    ) throws(DrawingError) -> [String: PDFValue] {
        let value = try object(at: offset)
        guard case .stream(let members, _) = value, let widths = try numbers(members["W"], most: 8), widths.count >= 3,
            let size = members["Size"]?.integer, size >= 0, size <= limits.elementCount
        else { throw DrawingError(.malformed("its table is malformed")) }
        let sides = widths.prefix(3).compactMap { Int(exactly: $0) }
        guard sides.count == 3, sides.allSatisfy({ (0...6).contains($0) }), sides.contains(where: { $0 > 0 }) else {
            throw DrawingError(.malformed("its table is malformed"))
        }
        let table = try data(of: value)
        let ranges =
            try numbers(members["Index"], most: limits.elementCount)?.compactMap { Int(exactly: $0) }
            ?? [0, size]
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
                if kind == 0 { freed.append(number) }
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
        try countRead()
        let object: PDFValue
        switch place {
        case .free: object = .null
        case .offset(let offset): object = try self.object(at: offset)
        case .inStream(let stream, let index): object = try self.object(in: stream, index)
        }
        guard case .reference = object else {
            known[number] = object
            return object
        }
        return try resolved(object)
    }

    /// Counts the reading of an object, or of a function.
    mutating func countRead() throws(DrawingError) {
        readCount += 1
        guard readCount <= limits.elementCount else { throw DrawingError(.elementCount, of: limits) }
    }

    /// Counts bytes each time they are read. Objects may overlap, and streams are read each time they are used.
    private mutating func count(bytes count: Int) throws(DrawingError) {
        byteCount += count
        guard byteCount <= limits.byteCount * 4 else { throw DrawingError(.byteCount, of: limits) }
    }

    /// The largest number of a list: sums and products of a few such numbers stay exact enough.
    static let largestNumber = 1e7

    /// Returns the numbers of an array; `nil` for null.
    ///
    /// - Parameter most: the most members of the array.
    mutating func numbers(_ value: PDFValue?, most: Int) throws(DrawingError) -> [Double]? {
        let value = try resolved(value)
        if value.isNull { return nil }
        let malformed = DrawingError(.malformed("a list of numbers is malformed, or too long"))
        guard let array = value.array, array.count <= most else { throw malformed }
        try work.spend(array.count)
        var numbers: [Double] = []
        for item in array {
            guard let number = try resolved(item).number, abs(number) <= PDFFile.largestNumber else { throw malformed }
            numbers.append(number)
        }
        return numbers
    }

    private mutating func object(at offset: Int) throws(DrawingError) -> PDFValue {
        if let known = parsed[offset] { return known }
        let object = try readObject(at: offset)
        parsed[offset] = object
        return object
    }

    private mutating func readObject(at offset: Int) throws(DrawingError) -> PDFValue {
        guard offset >= 0, offset < bytes.count else {
            throw DrawingError(.malformed("an object lies outside the file"))
        }
        var lexer = PDFLexer(bytes, at: offset, limits: limits)
        guard case .value(.number) = try lexer.token(hasReferences: false),
            case .value(.number) = try lexer.token(hasReferences: false),
            case .word("obj") = try lexer.token(hasReferences: false),
            case .value(let value) = try lexer.token(hasReferences: true)
        else { throw DrawingError(.malformed("an object is malformed")) }
        try count(bytes: lexer.position - offset)
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
            bytes.place(of: "endstream", from: start + length, to: start + length + 12) != nil
        {
            return .stream(members, start..<start + length)
        }
        // The length is missing or wrong. All searches together read the file four times at most.
        guard let end = bytes.place(of: "endstream", from: start) else {
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
        try count(bytes: lexer.position - packed.offsets[index])
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
        try count(bytes: range.count)
        var data = Array(bytes[range])
        guard filters.count <= 4 else { throw DrawingError(.unsupported(.compression)) }
        for (number, filter) in filters.enumerated() {
            let settings = number < parameters.count ? parameters[number].dictionary ?? [:] : [:]
            var plain: [String: Int] = [:]
            for name in PDFFilter.settings { plain[name] = try resolved(settings[name]).integer }
            try work.spend(PDFFilter.startingWork)
            data = try PDFFilter.decoded(
                data, filter.name ?? "", plain, limit: limits.byteCount * 4 - byteCount, limits)
            try count(bytes: data.count)
        }
        return data
    }

    /// A list, or the single value in its place.
    private mutating func list(_ value: PDFValue?) throws(DrawingError) -> [PDFValue] {
        let value = try resolved(value)
        if value.isNull { return [] }
        guard let array = value.array else { return [value] }
        var values: [PDFValue] = []
        for item in array.prefix(8) { values.append(try resolved(item)) }
        return values
    }
}
