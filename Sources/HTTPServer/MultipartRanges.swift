internal import HTTPWire

/// The body of an answer with several ranges (RFC 9110 §14.6): what stands before, between and after them.
struct MultipartRanges {
    let boundary: String
    let partHeads: [[UInt8]]
    let end: [UInt8]
    let byteCount: Int

    /// - Parameter boundary: must not occur in the content; callers pass an unpredictable text.
    init(_ ranges: [Range<Int>], size: Int, mediaType: String, boundary: String) {
        self.boundary = boundary
        partHeads = ranges.enumerated().map { index, range in
            let lead = index == 0 ? "" : "\r\n"
            return Array(
                ("\(lead)--\(boundary)\r\nContent-Type: \(mediaType)\r\n"
                    + "Content-Range: \(ContentRange.text(range, size: size))\r\n\r\n").utf8)
        }
        end = Array("\r\n--\(boundary)--\r\n".utf8)
        let heads = partHeads.reduce(0) { $0 &+ $1.count }
        byteCount = heads &+ end.count &+ ranges.reduce(0) { $0 &+ $1.count }
    }
}

enum ContentRange {
    static func text(_ range: Range<Int>, size: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound &- 1)/\(size)"
    }
}
