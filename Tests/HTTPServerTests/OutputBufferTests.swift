import Testing

@testable import HTTPServer

@Suite struct `An output buffer` {
    @Test func `holds what was appended, in order`() {
        let buffer = OutputBuffer(capacity: 8)
        buffer.append(contentsOf: [1, 2, 3])
        buffer.append(contentsOf: [0, 4, 5][1...])
        buffer.append(0x0D0C_0B0A_0908_0706)
        #expect(buffer.take() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    }

    @Test func `grows with what it is given`() {
        let buffer = OutputBuffer(capacity: 2)
        var expected: [UInt8] = []
        for length in 0..<300 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* length) }
            buffer.append(contentsOf: bytes)
            expected += bytes
        }
        #expect(buffer.count == expected.count)
        #expect(buffer.take() == expected)
    }

    @Test func `is empty once its content is taken`() {
        let buffer = OutputBuffer(capacity: 2)
        buffer.append(contentsOf: [1, 2, 3])
        _ = buffer.take()
        #expect(buffer.isEmpty)
        #expect(buffer.take() == [])
    }

    @Test func `forgets its beginning and keeps the rest`() {
        let buffer = OutputBuffer(capacity: 2)
        buffer.append(contentsOf: [1, 2, 3, 4, 5])
        buffer.removeFirst(2)
        #expect(buffer.take() == [3, 4, 5])
    }

    @Test func `takes nothing from an empty array`() {
        let buffer = OutputBuffer(capacity: 0)
        buffer.append(contentsOf: [])
        #expect(buffer.isEmpty)
    }
}
