/// Builds binary property lists field by field, good ones and bad ones. What is not set is right.
package struct PlistForge: Sendable {
    package var header = Array("bplist00".utf8)
    /// Encoded objects: marker and contents.
    package var objects: [[UInt8]]
    package var offsetSize = 1
    package var referenceSize = 1
    /// Bytes between the last object and the table.
    package var gap: [UInt8] = []
    /// Bytes behind the table, before the trailer.
    package var afterTable: [UInt8] = []
    /// Offsets to write instead of the right ones, by object.
    package var offsets: [Int: UInt64] = [:]
    package var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
    package var declaredOffsetSize: UInt8?
    package var declaredReferenceSize: UInt8?
    package var objectCount: UInt64?
    package var topObject: UInt64 = 0
    package var tableOffset: UInt64?
    package var trailing: [UInt8] = []

    package init(_ objects: [UInt8]...) {
        self.objects = objects
    }

    package init(objects: [[UInt8]]) {
        self.objects = objects
    }

    /// The same with some fields changed.
    package func with(_ change: (inout PlistForge) -> Void) -> PlistForge {
        var copy = self
        change(&copy)
        return copy
    }

    /// The offset of an object.
    package func offset(of object: Int) -> Int {
        objects[..<object].reduce(header.count) { $0 + $1.count }
    }

    /// The offset of the trailer.
    package var trailerOffset: Int {
        offset(of: objects.count) + gap.count + objects.count * offsetSize + afterTable.count
    }

    package var bytes: [UInt8] {
        var bytes = header + objects.flatMap { $0 } + gap
        let table = UInt64(bytes.count)
        var offset = UInt64(header.count)
        for (index, object) in objects.enumerated() {
            bytes += PlistForge.number(offsets[index] ?? offset, size: offsetSize)
            offset += UInt64(object.count)
        }
        bytes += afterTable + unused
        bytes += [declaredOffsetSize ?? UInt8(offsetSize), declaredReferenceSize ?? UInt8(referenceSize)]
        bytes += PlistForge.number(objectCount ?? UInt64(objects.count), size: 8)
        bytes += PlistForge.number(topObject, size: 8)
        bytes += PlistForge.number(tableOffset ?? table, size: 8)
        return bytes + trailing
    }
}

// MARK: - Objects

extension PlistForge {
    /// The low bytes of a number, highest first.
    package static func number(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) : 0 }
    }

    /// A marker with its count, in the marker when it fits.
    package static func marker(_ high: UInt8, count: Int) -> [UInt8] {
        if count < 15 { return [high | UInt8(count)] }
        return [high | 0x0F, 0x12] + number(UInt64(count), size: 4)
    }

    package static func integer(_ value: UInt64, size: Int = 8) -> [UInt8] {
        [0x10 | UInt8(size.trailingZeroBitCount)] + number(value, size: size)
    }

    package static func real(_ value: Double) -> [UInt8] { [0x23] + number(value.bitPattern, size: 8) }

    package static func float(_ value: Float) -> [UInt8] { [0x22] + number(UInt64(value.bitPattern), size: 4) }

    package static func date(_ seconds: Double) -> [UInt8] { [0x33] + number(seconds.bitPattern, size: 8) }

    package static func data(_ bytes: [UInt8]) -> [UInt8] { marker(0x40, count: bytes.count) + bytes }

    package static func ascii(_ text: String) -> [UInt8] { marker(0x50, count: text.utf8.count) + text.utf8 }

    package static func utf16(_ text: String) -> [UInt8] { utf16(units: Array(text.utf16)) }

    package static func utf16(units: [UInt16]) -> [UInt8] {
        marker(0x60, count: units.count) + units.flatMap { number(UInt64($0), size: 2) }
    }

    package static func uid(_ value: UInt64, size: Int) -> [UInt8] {
        [0x80 | UInt8(size - 1)] + number(value, size: size)
    }

    package static func array(_ references: [UInt64], size: Int = 1) -> [UInt8] {
        marker(0xA0, count: references.count) + references.flatMap { number($0, size: size) }
    }

    package static func dictionary(keys: [UInt64], values: [UInt64], size: Int = 1) -> [UInt8] {
        marker(0xD0, count: keys.count) + (keys + values).flatMap { number($0, size: size) }
    }

    package static let yes: [UInt8] = [0x09]
    package static let no: [UInt8] = [0x08]
}
