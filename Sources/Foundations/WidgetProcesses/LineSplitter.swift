/// Makes lines of the bytes of a stream. A line that is too long is cut, and said to be.
package struct LineSplitter {
    private let limit: Int
    private var line: [UInt8] = []
    /// True if bytes of the present line were left out.
    package private(set) var isCut = false

    /// - Parameter limit: the most bytes of a line.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes the next bytes, and hands on the lines that they end, without the line feeds, and whether each was cut.
    package mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (_ line: [UInt8], _ isCut: Bool) -> Void) {
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            add(rest[..<end])
            finish(body)
            rest = rest[(end + 1)...]
        }
        add(rest)
    }

    /// Hands on what lies after the last line feed.
    package mutating func end(_ body: (_ line: [UInt8], _ isCut: Bool) -> Void) {
        if !line.isEmpty { finish(body) }
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        let room = limit - line.count
        line += bytes.prefix(room)
        if bytes.count > room { isCut = true }
    }

    private mutating func finish(_ body: (_ line: [UInt8], _ isCut: Bool) -> Void) {
        if line.last == 0x0D { line.removeLast() }
        body(line, isCut)
        line = []
        isCut = false
    }
}
