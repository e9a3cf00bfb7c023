internal import Bytes

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
    /// Bytes of strings and data decoded so far. Objects may overlap, so the file's size is no bound.
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

    /// Visits what the innermost open container refers to next.
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

    /// The way to what was being read.
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
