extension Array<UInt8> {
    /// Adds all bytes of a span at once.
    package mutating func append(copying bytes: borrowing Span<UInt8>) {
        // The pointer lives for this call, and its length travels with it.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
