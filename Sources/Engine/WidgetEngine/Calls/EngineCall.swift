package import JSONText
internal import WidgetBytes

/// A call of a host: a line of JSON, and pieces of bytes behind it.
package struct EngineCall: Sendable {
    package let json: JSONValue
    package let pieces: [[UInt8]]

    /// The deepest and the longest line of a host.
    private static let limits = JSONLimits(byteCount: 64 << 20, depth: 64, valueCount: 4_000_000)
    private static let pieceCount = 1_000

    package init(_ json: JSONValue, _ pieces: [[UInt8]] = []) {
        self.json = json
        self.pieces = pieces
    }

    /// Reads a call from bytes: four say how long the line is, four how many pieces there are, and four for each piece how
    /// long that is; then comes the line, and then the pieces. Numbers have their lowest byte first.
    ///
    /// - Returns: `nil` for bytes of another form.
    package init?(_ bytes: borrowing Span<UInt8>) {
        var place = 0
        guard let length = EngineCall.number(bytes, &place), let count = EngineCall.number(bytes, &place),
            count <= EngineCall.pieceCount
        else { return nil }
        var lengths: [Int] = []
        for _ in 0..<count {
            guard let length = EngineCall.number(bytes, &place) else { return nil }
            lengths.append(length)
        }
        guard let line = EngineCall.piece(bytes, length, &place) else { return nil }
        var pieces: [[UInt8]] = []
        for length in lengths {
            guard let piece = EngineCall.piece(bytes, length, &place) else { return nil }
            pieces.append(piece)
        }
        guard let json = try? JSONValue(parsing: line, limits: EngineCall.limits) else { return nil }
        self.init(json, pieces)
    }

    private static func number(_ bytes: borrowing Span<UInt8>, _ place: inout Int) -> Int? {
        guard bytes.count - place >= 4 else { return nil }
        var number: UInt32 = 0
        for offset in 0..<4 { number |= UInt32(bytes[place + offset]) << UInt32(8 * offset) }
        place += 4
        return Int(exactly: number)
    }

    private static func piece(_ bytes: borrowing Span<UInt8>, _ length: Int, _ place: inout Int) -> [UInt8]? {
        guard length <= bytes.count - place else { return nil }
        var piece: [UInt8] = []
        piece.reserveCapacity(length)
        piece.append(copying: bytes.extracting(place..<place + length))
        place += length
        return piece
    }

    /// True for a call by which a host opens a widget, in an engine that has none.
    package var opensWidget: Bool { text("call") == "open" }

    func text(_ name: String) -> String? { json.object?[name]?.string }

    func number(_ name: String) -> Double? { json.object?[name]?.double }

    func integer(_ name: String) -> Int? { json.object?[name]?.integer.flatMap { Int(exactly: $0) } }

    func truth(_ name: String) -> Bool { json.object?[name]?.boolean ?? false }

    func texts(_ name: String) -> [String] { json.object?[name]?.array?.compactMap { $0.string } ?? [] }

    /// The piece whose number a member names.
    func bytes(_ name: String) -> [UInt8]? {
        integer(name).flatMap { pieces.indices.contains($0) ? pieces[$0] : nil }
    }
}

/// The answer to a call, in the same form.
package struct EngineAnswer: Sendable {
    package var line: [UInt8]
    package var pieces: [[UInt8]] = []

    package init(_ pieces: [[UInt8]] = [], _ members: (inout JSONWriter) -> Void = { _ in }) {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        line = writer.bytes
        self.pieces = pieces
    }

    /// The answer to a call that was refused: a word for programs, and a sentence.
    package init(fault code: String, _ message: String, hints: [String] = []) {
        self.init { writer in
            writer.key("fault")
            writer.object { writer in
                writer.member("code", code)
                writer.member("message", message)
                writer.key("hints")
                writer.array { for hint in hints { $0.string(hint) } }
            }
        }
    }

    /// The answer to bytes that are no call.
    package static var misuse: EngineAnswer { EngineAnswer(fault: "misuse", "the call has another form") }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + line.count + pieces.reduce(0) { $0 + $1.count + 4 })
        func add(_ number: Int) {
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        add(line.count)
        add(pieces.count)
        for piece in pieces { add(piece.count) }
        bytes += line
        for piece in pieces { bytes += piece }
        return bytes
    }
}
