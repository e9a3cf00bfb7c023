/// Where the variable segments of a matched path are, in its bytes.
struct PathParameters: Sendable {
    /// The most variable segments a route has.
    static let capacity = 4

    private var starts = InlineArray<4, Int32>(repeating: 0)
    private var ends = InlineArray<4, Int32>(repeating: 0)
    private(set) var count = 0

    subscript(index: Int) -> Range<Int> {
        guard index < count else { return 0..<0 }
        return Int(starts[index])..<Int(ends[index])
    }

    mutating func append(_ range: Range<Int>) {
        guard count < PathParameters.capacity else { return }
        starts[count] = Int32(truncatingIfNeeded: range.lowerBound)
        ends[count] = Int32(truncatingIfNeeded: range.upperBound)
        count &+= 1
    }

    /// The same segments in bytes where the path starts at `offset`.
    func shifted(by offset: Int) -> PathParameters {
        guard offset > 0 else { return self }
        var shifted = PathParameters()
        for index in 0..<count {
            let range = self[index]
            shifted.append((range.lowerBound &+ offset)..<(range.upperBound &+ offset))
        }
        return shifted
    }
}

/// A value that a path segment can be read as. A segment that cannot is no such route, or a problem that says more.
package protocol PathParameter: SendableMetatype {
    init?(pathSegment: Span<UInt8>) throws(Problem)
}

extension String: PathParameter {
    package init?(pathSegment: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: pathSegment) else { return nil }
        self.init(copying: text)
    }
}
