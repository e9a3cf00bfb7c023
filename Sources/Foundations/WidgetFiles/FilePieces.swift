extension FileDescriptor {
    /// Hands on a stretch of the file piece by piece, each as large as the window, up to the file's end.
    ///
    /// - Returns: how many bytes there were.
    @discardableResult
    package borrowing func forEachPiece(
        of range: Range<Int>, through window: inout [UInt8], _ body: (borrowing Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) -> Int {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let filled = try read(at: offset, into: &window, count: min(window.count, range.upperBound - offset))
            guard filled > 0 else { break }
            try body(window.span.extracting(0..<filled))
            offset += filled
        }
        return offset - range.lowerBound
    }
}
