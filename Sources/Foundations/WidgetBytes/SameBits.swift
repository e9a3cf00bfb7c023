/// Finds elements that two arrays share. Equal bits are equal values, and comparing them counts no references.
package enum SameBits {
    /// The number of elements at the beginning with the same bits.
    ///
    /// - Parameter start: elements before it count without a look.
    package static func prefixCount<Element>(of first: [Element], and second: [Element], from start: Int = 0) -> Int {
        let end = min(first.count, second.count)
        guard start < end else { return start }
        let (stride, size) = (MemoryLayout<Element>.stride, MemoryLayout<Element>.size)
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return start }
                var place = start
                while place < end, unsafe areSame(first + place * stride, second + place * stride, size) { place += 1 }
                return place
            }
        }
    }

    /// The number of elements at the end with the same bits.
    ///
    /// - Parameter most: the number of elements that may count.
    package static func suffixCount<Element>(of first: [Element], and second: [Element], atMost most: Int) -> Int {
        let most = min(most, first.count, second.count)
        guard most > 0 else { return 0 }
        let (stride, size) = (MemoryLayout<Element>.stride, MemoryLayout<Element>.size)
        let ends = (first.count * stride, second.count * stride)
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return 0 }
                var count = 0
                while count < most {
                    let offset = (count + 1) * stride
                    guard unsafe areSame(first + (ends.0 - offset), second + (ends.1 - offset), size) else { break }
                    count += 1
                }
                return count
            }
        }
    }

    /// Compares the bytes of one element, eight at a time. The padding behind it has no meaning.
    @inline(__always)
    private static func areSame(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ size: Int) -> Bool {
        var offset = 0
        while offset + 8 <= size {
            let left = unsafe first.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let right = unsafe second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if left != right { return false }
            offset += 8
        }
        while offset < size {
            let left = unsafe first.load(fromByteOffset: offset, as: UInt8.self)
            let right = unsafe second.load(fromByteOffset: offset, as: UInt8.self)
            if left != right { return false }
            offset += 1
        }
        return true
    }
}
