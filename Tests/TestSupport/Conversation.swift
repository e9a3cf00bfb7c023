/// A connection together with the answers read from it so far.
package final class Conversation {
    package let connection: RawConnection
    private var reader = AnswerReader(hasEnded: false)
    /// How the connection ended, once it has.
    package private(set) var ending: RawConnection.Arrival?

    package init(_ connection: RawConnection) { self.connection = connection }

    /// What went wrong instead of an answer.
    package struct NoAnswer: Error, CustomStringConvertible {
        package var description: String
    }

    /// The next answer; anything about it that breaks a general rule is an error.
    package func next(isHead: Bool = false) throws -> WireAnswer {
        while true {
            switch reader.next(isHead: isHead) {
            case .answer(let answer):
                let complaints = answer.complaints(isHead: isHead)
                guard complaints.isEmpty else { throw NoAnswer(description: complaints.joined(separator: "; ")) }
                return answer
            case .malformed(let text): throw NoAnswer(description: "malformed: \(text)")
            case .end: throw NoAnswer(description: "the connection ended: \(ending.map { "\($0)" } ?? "")")
            case .incomplete:
                guard ending == nil else {
                    throw NoAnswer(
                        description: "cut off after \(reader.rest.count) bytes: \(ending.map { "\($0)" } ?? "")")
                }
                read()
            }
        }
    }

    private func read() {
        switch connection.receive(upTo: 262_144) {
        case .bytes(let bytes): reader.append(bytes)
        case let other:
            ending = other
            reader.hasEnded = true
        }
    }

    /// Sends a request and reads its answer.
    package func ask(_ request: String, isHead: Bool = false) throws -> WireAnswer {
        connection.send(request)
        return try next(isHead: isHead)
    }

    /// Bytes that came without being an answer to anything, and how the connection ended.
    package func remainder() -> (bytes: [UInt8], ending: RawConnection.Arrival) {
        while ending == nil { read() }
        return (reader.rest, ending ?? .end)
    }
}
