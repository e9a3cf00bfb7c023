internal import WidgetBytes

/// Reads the binary form.
///
/// Objects refer to each other by number, so the file describes a graph. It is walked with an explicit
/// stack; every object is decoded once; cycles are refused; and since one object may be referred to from
/// many places, each finished object knows how deep and how large the tree below it is.
struct BinaryPlistParser {
    let limits: PlistLimits

    private var offsets: [Int] = []
    private var objects: [State] = []
    private var open: [Container] = []
    /// Bytes of strings and data decoded so far. Objects may overlap, so the file's size does not bound them.
    private var decodedByteCount = 0
    private var referenceCount = 0
    private var isClosing = false

    private enum State {
        case unseen
        case open
        case done(Finished)
    }

    private struct Finished {
        var value: PlistValue
        /// Containers from here to the deepest value below.
        var height = 0
        var visitCount = 1
        var byteCount = 0
    }

    private struct Container {
        var object: Int
        var body: BinaryPlistObject.Body
        var next = 0
        /// The key of the value being visited.
        var key: String?
    }

    init(limits: PlistLimits) {
        self.limits = limits
    }

    mutating func parse(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        guard bytes.count <= limits.byteCount else { throw PlistFault(.byteCount, of: limits, at: limits.byteCount) }
        let trailer = try BinaryPlistTrailer(of: bytes, limits: limits)
        try readOffsets(bytes, trailer)
        objects = Array(repeating: .unseen, count: trailer.objectCount)
        try visit(trailer.topObject, bytes, trailer)
        while let container = open.last {
            if container.next < container.body.referenceCount {
                try step(into: container, bytes, trailer)
            } else {
                try close(container, bytes, trailer)
            }
        }
        guard case .done(let top) = objects[trailer.topObject] else { throw PlistFault(.noObjects, at: bytes.count) }
        return top.value
    }

    /// Visits the next reference of the innermost open container.
    private mutating func step(
        into container: Container, _ bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) {
        let innermost = open.count - 1
        open[innermost].next += 1
        let place = container.body.start + container.next * trailer.referenceSize
        if container.body.isDictionary, container.next >= container.body.keyCount {
            let keyPlace = place - container.body.keyCount * trailer.referenceSize
            let key = try trailer.reference(at: keyPlace, bytes)
            guard case .done(let finished) = objects[key], let text = finished.value.string else {
                throw PlistFault(.keyNotString(typeName(of: key)), at: keyPlace)
            }
            open[innermost].key = text
        }
        try visit(try trailer.reference(at: place, bytes), bytes, trailer)
    }

    private func typeName(of object: Int) -> PlistTypeName {
        if case .done(let finished) = objects[object] { finished.value.typeName } else { .dictionary }
    }

    /// The path of the value that was being read.
    var path: ValuePath {
        var path = ValuePath()
        for container in isClosing ? open.dropLast() : open[...] {
            if !container.body.isDictionary {
                if container.next > 0 { path.steps.append(.index(container.next - 1)) }
            } else if let key = container.key {
                path.steps.append(.key(key))
            }
        }
        return path
    }

    private mutating func readOffsets(_ bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer) throws(PlistFault) {
        offsets.reserveCapacity(trailer.objectCount)
        for object in 0..<trailer.objectCount {
            offsets.append(try trailer.offset(of: object, bytes))
        }
    }

    private mutating func visit(_ object: Int, _ bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer) throws(PlistFault) {
        let offset = offsets[object]
        switch objects[object] {
        case .open: throw PlistFault(.cycle, at: offset)
        case .done(let finished):
            guard open.count + finished.height <= limits.depth else { throw PlistFault(.depth, of: limits, at: offset) }
        case .unseen:
            switch try BinaryPlistObject(at: offset, in: bytes, trailer) {
            case .container(let body):
                guard open.count < limits.depth else { throw PlistFault(.depth, of: limits, at: offset) }
                referenceCount += body.referenceCount
                guard referenceCount <= limits.visitCount else { throw PlistFault(.visitCount, of: limits, at: offset) }
                objects[object] = .open
                open.append(Container(object: object, body: body))
            case .scalar(let scalar):
                decodedByteCount += scalar.byteCount
                guard decodedByteCount <= limits.expandedByteCount else {
                    throw PlistFault(.expandedByteCount, of: limits, at: offset)
                }
                objects[object] = .done(Finished(value: try scalar.decode(bytes), byteCount: scalar.byteCount))
            }
        }
    }

    private mutating func close(
        _ container: Container, _ bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) {
        isClosing = true
        let offset = offsets[container.object]
        var finished = Finished(value: .array([]), height: 1)
        var values: [PlistValue] = []
        values.reserveCapacity(container.body.referenceCount)
        for position in 0..<container.body.referenceCount {
            let place = container.body.start + position * trailer.referenceSize
            guard case .done(let child) = objects[try trailer.reference(at: place, bytes)] else {
                throw PlistFault(.referenceOutOfRange, at: place)
            }
            finished.height = max(finished.height, child.height + 1)
            finished.visitCount += child.visitCount
            finished.byteCount += child.byteCount
            guard finished.visitCount <= limits.visitCount else {
                throw PlistFault(.visitCount, of: limits, at: offset)
            }
            guard finished.byteCount <= limits.expandedByteCount else {
                throw PlistFault(.expandedByteCount, of: limits, at: offset)
            }
            values.append(child.value)
        }
        if container.body.isDictionary {
            finished.value = .dictionary(try dictionary(values, container.body, trailer))
        } else {
            finished.value = .array(values)
        }
        objects[container.object] = .done(finished)
        open.removeLast()
        isClosing = false
    }

    /// The first half are the keys, the second half their values.
    private func dictionary(
        _ all: [PlistValue], _ body: BinaryPlistObject.Body, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) -> PlistDictionary {
        let count = body.keyCount
        var keys: [String] = []
        keys.reserveCapacity(count)
        for key in all[..<count] {
            guard let text = key.string else {
                throw PlistFault(.keyNotString(key.typeName), at: body.start + keys.count * trailer.referenceSize)
            }
            keys.append(text)
        }
        do {
            return try PlistDictionary(keys: keys, values: Array(all[count...]))
        } catch {
            throw PlistFault(
                .duplicateKey(keys[error.position]), at: body.start + error.position * trailer.referenceSize)
        }
    }
}

/// One object of the binary form, found to lie wholly among the objects but not yet decoded.
enum BinaryPlistObject {
    case scalar(Scalar)
    case container(Body)

    /// The references of an array or a dictionary: keys first, then as many values.
    struct Body {
        var isDictionary: Bool
        var start: Int
        var referenceCount: Int

        var keyCount: Int { isDictionary ? referenceCount / 2 : 0 }
    }

    struct Scalar {
        enum Kind {
            case boolean(Bool)
            case integer, real, date, data, ascii, utf16, uid
        }

        var kind: Kind
        var start: Int
        var size: Int

        /// The bytes that count against the limit of text and data.
        var byteCount: Int {
            switch kind {
            case .data, .ascii, .utf16: size
            default: 0
            }
        }
    }

    init(at offset: Int, in bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer) throws(PlistFault) {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        var body = offset + 1
        var isCounted: Bool { marker >= 0x40 && marker & 0xF0 != 0x80 }
        let isKnown: Bool =
            switch marker {
            case 0x08, 0x09, 0x10...0x14, 0x22, 0x23, 0x33, 0x40...0x6F, 0x80...0x8F, 0xA0...0xAF, 0xD0...0xDF: true
            default: false
            }
        guard isKnown else { throw PlistFault(.unsupportedMarker(marker), at: offset) }
        let count = isCounted ? try BinaryPlistObject.count(low, &body, in: bytes, trailer) : 0
        let sizeOfOne: Int
        let kind: Scalar.Kind?
        switch marker >> 4 {
        case 0x0: (sizeOfOne, kind) = (0, .boolean(marker == 0x09))
        case 0x1: (sizeOfOne, kind) = (1 << low, .integer)
        case 0x2: (sizeOfOne, kind) = (1 << low, .real)
        case 0x3: (sizeOfOne, kind) = (8, .date)
        case 0x4: (sizeOfOne, kind) = (1, .data)
        case 0x5: (sizeOfOne, kind) = (1, .ascii)
        case 0x6: (sizeOfOne, kind) = (2, .utf16)
        case 0x8: (sizeOfOne, kind) = (low + 1, .uid)
        case 0xD: (sizeOfOne, kind) = (trailer.referenceSize * 2, nil)
        default: (sizeOfOne, kind) = (trailer.referenceSize, nil)
        }
        guard let size = isCounted ? count.multiplied(by: sizeOfOne) : sizeOfOne,
            let end = body.adding(size), end <= trailer.tableOffset
        else { throw PlistFault(.objectOutOfRange, at: offset) }
        if let kind {
            self = .scalar(Scalar(kind: kind, start: body, size: size))
        } else {
            let isDictionary = marker >> 4 == 0xD
            // No overflow: the references lie in the file.
            self = .container(
                Body(isDictionary: isDictionary, start: body, referenceCount: isDictionary ? count * 2 : count))
        }
    }

    /// A count in the marker itself, or, when that says 15, in an integer object behind it.
    private static func count(
        _ low: Int, _ body: inout Int, in bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) -> Int {
        guard low == 15 else { return low }
        let start = body
        guard start < trailer.tableOffset else { throw PlistFault(.objectOutOfRange, at: start) }
        guard (0x10...0x13).contains(bytes[start]) else { throw PlistFault(.invalidCount, at: start) }
        let size = 1 << Int(bytes[start] & 0x0F)
        guard start + 1 + size <= trailer.tableOffset else { throw PlistFault(.objectOutOfRange, at: start) }
        body = start + 1 + size
        guard let count = Int64(exactly: bigEndian(bytes, at: start + 1, size: size)).map({ Int(bounded: $0) }) else {
            throw PlistFault(.objectOutOfRange, at: start)
        }
        return count
    }
}

extension BinaryPlistObject.Scalar {
    /// The value; its bytes are known to be there.
    func decode(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        switch kind {
        case .boolean(let value): return .boolean(value)
        case .integer: return try integer(bytes)
        case .real: return .real(real(bytes))
        case .date:
            guard let date = PlistDate(secondsSince2001: real(bytes)) else { throw PlistFault(.invalidDate, at: start) }
            return .date(date)
        case .data: return .data(copy(bytes))
        case .ascii: return .string(try ascii(bytes))
        case .utf16: return .string(try utf16(bytes))
        case .uid:
            for index in start..<start + max(size - 4, 0) where bytes[index] != 0 {
                throw PlistFault(.uidOutOfRange, at: start)
            }
            let width = min(size, 4)
            return .uid(UInt32(truncatingIfNeeded: bigEndian(bytes, at: start + size - width, size: width)))
        }
    }

    /// One, two and four bytes are unsigned, eight and sixteen are signed: so every writer does it.
    private func integer(_ bytes: Span<UInt8>) throws(PlistFault) -> PlistValue {
        switch size {
        case 8: return .integer(Int64(bitPattern: bigEndian(bytes, at: start, size: 8)))
        case 16:
            let high = bigEndian(bytes, at: start, size: 8)
            let low = bigEndian(bytes, at: start + 8, size: 8)
            switch (high, low >> 63) {
            case (0, 0), (.max, 1): return .integer(Int64(bitPattern: low))
            case (0, _): return .largeInteger(low)
            default: throw PlistFault(.integerOutOfRange, at: start)
            }
        default: return .integer(Int64(bigEndian(bytes, at: start, size: size)))
        }
    }

    private func real(_ bytes: Span<UInt8>) -> Double {
        if size == 4 {
            return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bigEndian(bytes, at: start, size: 4))))
        }
        return Double(bitPattern: bigEndian(bytes, at: start, size: 8))
    }

    private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        let slice = bytes.extracting(start..<start + size)
        var result: [UInt8] = []
        result.reserveCapacity(slice.count)
        for index in slice.indices { result.append(slice[index]) }
        return result
    }

    private func ascii(_ bytes: Span<UInt8>) throws(PlistFault) -> String {
        let slice = bytes.extracting(start..<start + size)
        for index in slice.indices where slice[index] >= 0x80 { throw PlistFault(.notASCII, at: start + index) }
        do {
            return String(copying: try UTF8Span(validating: slice))
        } catch {
            throw PlistFault(.notASCII, at: start)
        }
    }

    /// Big-endian units; surrogates only in pairs.
    private func utf16(_ bytes: Span<UInt8>) throws(PlistFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(size)
        var marks = CombiningMarks()
        var index = start
        while index < start + size {
            let place = index
            let unit = UInt16(truncatingIfNeeded: bigEndian(bytes, at: index, size: 2))
            index += 2
            var value = UInt32(unit)
            if unit & 0xF800 == 0xD800 {
                guard unit < 0xDC00, index < start + size else { throw PlistFault(.loneSurrogate(unit), at: place) }
                let second = UInt16(truncatingIfNeeded: bigEndian(bytes, at: index, size: 2))
                guard second & 0xFC00 == 0xDC00 else { throw PlistFault(.loneSurrogate(unit), at: place) }
                value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(second & 0x3FF))
                index += 2
            }
            guard marks.take(value) <= CombiningMarks.mostInARow else { throw PlistFault(.tooManyMarks, at: place) }
            if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) {
                text.append(contentsOf: encoded)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
