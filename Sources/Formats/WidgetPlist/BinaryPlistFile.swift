internal import WidgetBytes

/// A binary property list with everything that its bytes need, so that any file is written again as it was read: the
/// spelling of scalars, the width of counts, the order of objects and the bytes between them. Objects that overlap are
/// refused, so the value is at most as large as the file.
package struct BinaryPlistFile: Sendable {
    /// The range of an object's bytes in the file: all bytes of a scalar, those before the references of a container.
    /// Bytes that follow and do not belong to any object are its slack.
    private struct Place {
        var head: Range<Int>
        var slack: Range<Int>
    }

    package let table: PlistTable
    private let places: [Place]
    /// The objects in the order of the file.
    private let order: [Int]
    private let offsetSize: Int
    private let referenceSize: Int
    private let source: [UInt8]

    package init(parsing bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        do throws(PlistFault) {
            try self.init(bytes, limits)
        } catch {
            throw PlistError(error.reason, offset: error.offset)
        }
    }

    private init(_ bytes: Span<UInt8>, _ limits: PlistLimits) throws(PlistFault) {
        guard bytes.count <= min(limits.byteCount, PlistTable.largestFile) else {
            throw PlistFault(.byteCount, of: limits, at: limits.byteCount)
        }
        guard case .binary = PlistFormat(of: bytes) else { throw PlistFault(.unsupportedVersion, at: 0) }
        let trailer = try BinaryPlistTrailer(of: bytes, limits: limits)
        var places: [Place] = []
        places.reserveCapacity(trailer.objectCount)
        var referenceCount = 0
        for object in 0..<trailer.objectCount {
            let offset = try trailer.offset(of: object, bytes)
            switch try BinaryPlistObject(at: offset, in: bytes, trailer) {
            case .scalar(let scalar):
                let end = scalar.start + scalar.size
                places.append(Place(head: offset..<end, slack: end..<end))
            case .container(let body):
                referenceCount += body.referenceCount
                guard referenceCount <= limits.visitCount else {
                    throw PlistFault(.visitCount, of: limits, at: offset)
                }
                let end = body.start + body.referenceCount * trailer.referenceSize
                places.append(Place(head: offset..<body.start, slack: end..<end))
            }
        }
        order = try BinaryPlistFile.order(&places, before: trailer.tableOffset)
        // Only now is it certain that the objects together are no larger than the file.
        var table = PlistTable()
        table.reserve(trailer.objectCount)
        var numbers: [UInt32] = []
        for place in places {
            switch try BinaryPlistObject(at: place.head.lowerBound, in: bytes, trailer) {
            case .scalar(let scalar): table.add(.scalar(try scalar.decode(bytes)))
            case .container(let body):
                numbers.removeAll(keepingCapacity: true)
                for position in 0..<body.referenceCount {
                    let place = body.start + position * trailer.referenceSize
                    numbers.append(UInt32(try trailer.reference(at: place, bytes)))
                }
                let list = table.keep(values: numbers[...])
                table.add(body.isDictionary ? .dictionary(list) : .array(list))
            }
        }
        table.top = trailer.topObject
        self.table = table
        self.places = places
        offsetSize = trailer.offsetSize
        referenceSize = trailer.referenceSize
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        source = copy
    }

    /// Finds the order of objects in the file and the bytes between them, and refuses objects that overlap.
    private static func order(
        _ places: inout [Place], before tableOffset: Int
    ) throws(PlistFault) -> [Int] {
        var order = Array(places.indices)
        let isInOrder = zip(places, places.dropFirst()).allSatisfy { $0.head.lowerBound < $1.head.lowerBound }
        if !isInOrder {
            order.sort { (places[$0].head.lowerBound, $0) < (places[$1].head.lowerBound, $1) }
        }
        var next = tableOffset
        for object in order.reversed() {
            let end = places[object].slack.lowerBound
            guard end <= next else { throw PlistFault(.objectsOverlap, at: places[object].head.lowerBound) }
            places[object].slack = end..<next
            next = places[object].head.lowerBound
        }
        return order
    }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] {
        var bytes = Array(
            source[..<(order.first.map { places[$0].head.lowerBound } ?? BinaryPlistTrailer.headerByteCount)])
        bytes.reserveCapacity(source.count)
        var offsets = [Int](repeating: 0, count: table.entries.count)
        for object in order {
            offsets[object] = bytes.count
            bytes += source[places[object].head]
            switch table.entries[object] {
            case .scalar: break
            case .array(let list), .dictionary(let list):
                for number in table.numbers(list) {
                    BinaryPlistTable.append(UInt64(number), size: referenceSize, to: &bytes)
                }
            }
            bytes += source[places[object].slack]
        }
        let tableOffset = bytes.count
        for offset in offsets { BinaryPlistTable.append(UInt64(offset), size: offsetSize, to: &bytes) }
        // Unused bytes, a version for sorting, and the two widths.
        bytes += source[(source.count - BinaryPlistTrailer.byteCount)...].prefix(8)
        for number in [table.entries.count, table.top, tableOffset] {
            BinaryPlistTable.append(UInt64(number), size: 8, to: &bytes)
        }
        return bytes
    }
}
