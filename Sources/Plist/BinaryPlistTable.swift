/// The objects of a binary property list as a file lists them: their order, what shares them, and how wide
/// their numbers are.
///
/// A ``PlistValue`` says what a file means; the table also says how it is written, so that a file read and
/// written again is the same file. Archives name objects by number, which only the table keeps.
package struct BinaryPlistTable: Hashable, Sendable {
    package enum Object: Hashable, Sendable {
        /// The first byte, without the count of text and data, and the bytes behind it.
        case scalar(marker: UInt8, bytes: [UInt8])
        case array([UInt32])
        case dictionary(keys: [UInt32], values: [UInt32])
    }

    package var objects: [Object]
    package var topObject: UInt32
    /// Bytes of an offset and of a reference; more than needed is kept, less is not written.
    package var offsetSize: Int
    package var referenceSize: Int
    /// A byte of the trailer that no reader uses.
    package var sortVersion: UInt8

    package init(objects: [Object], topObject: UInt32) {
        (self.objects, self.topObject) = (objects, topObject)
        (offsetSize, referenceSize, sortVersion) = (1, 1, 0)
    }
}

extension BinaryPlistTable {
    /// Reads the table without following a reference, which is why a file may refer to itself here.
    package init(parsing bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        do {
            try self.init(reading: bytes.span, limits: limits)
        } catch {
            throw PlistError(error.reason, offset: error.offset)
        }
    }

    private init(reading bytes: Span<UInt8>, limits: PlistLimits) throws(PlistFault) {
        guard bytes.count <= limits.byteCount else { throw PlistFault(.byteCount, of: limits, at: limits.byteCount) }
        let trailer = try BinaryPlistTrailer(of: bytes, limits: limits)
        var objects: [Object] = []
        objects.reserveCapacity(trailer.objectCount)
        // Objects may overlap, so what they hold together is not bounded by the file's size.
        var (referenceCount, byteCount) = (0, 0)
        for number in 0..<trailer.objectCount {
            let offset = try trailer.offset(of: number, bytes)
            let object = try BinaryPlistObject(at: offset, in: bytes, trailer)
            switch object {
            case .scalar(let scalar): byteCount += scalar.byteCount
            case .container(let body): referenceCount += body.referenceCount
            }
            guard byteCount <= limits.expandedByteCount else {
                throw PlistFault(.expandedByteCount, of: limits, at: offset)
            }
            guard referenceCount <= limits.visitCount else { throw PlistFault(.visitCount, of: limits, at: offset) }
            objects.append(try Object(object, marker: bytes[offset], bytes, trailer))
        }
        self.init(objects: objects, topObject: UInt32(truncatingIfNeeded: trailer.topObject))
        (offsetSize, referenceSize) = (trailer.offsetSize, trailer.referenceSize)
        sortVersion = bytes[bytes.count - BinaryPlistTrailer.byteCount + 5]
    }
}

extension BinaryPlistTable.Object {
    fileprivate init(
        _ object: BinaryPlistObject, marker: UInt8, _ bytes: Span<UInt8>, _ trailer: BinaryPlistTrailer
    ) throws(PlistFault) {
        switch object {
        case .scalar(let scalar):
            let hasCount = marker >= 0x40 && marker < 0x80
            var content: [UInt8] = []
            content.reserveCapacity(scalar.size)
            for index in scalar.start..<scalar.start + scalar.size { content.append(bytes[index]) }
            self = .scalar(marker: hasCount ? marker & 0xF0 : marker, bytes: content)
        case .container(let body):
            var references: [UInt32] = []
            references.reserveCapacity(body.referenceCount)
            for position in 0..<body.referenceCount {
                let place = body.start + position * trailer.referenceSize
                references.append(UInt32(truncatingIfNeeded: try trailer.reference(at: place, bytes)))
            }
            if body.isDictionary {
                self = .dictionary(
                    keys: Array(references[..<body.keyCount]), values: Array(references[body.keyCount...]))
            } else {
                self = .array(references)
            }
        }
    }
}
