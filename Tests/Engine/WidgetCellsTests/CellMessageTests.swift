import JSONText
import Testing
import WidgetFiles
import WidgetProcesses
import WidgetTestSupport

@testable import WidgetCells

/// Goal: bytes of a cell that was taken over stop nothing. Method: messages in pieces, cut, too large and of other forms.
@Suite struct `Messages of cells` {
    private let limits = CellMessageLimits(headByteCount: 100, bodyByteCount: 50)

    @Test func `A message that arrives byte by byte is read when its last byte is there`() throws {
        let bytes = CellMessage.bytes([1, 2, 3]) { $0.member("a", 1) }
        var reader = CellMessageReader(limits)
        for byte in bytes.dropLast() {
            reader.add([byte])
            #expect(try reader.next() == nil)
        }
        reader.add([bytes.last ?? 0])
        let message = try #require(try reader.next())
        #expect(message.integer("a") == 1 && message.body == [1, 2, 3])
        #expect(try reader.next() == nil && reader.pendingByteCount == 0)
    }

    @Test func `A process that reads nothing keeps no thread, neither by a message nor by a descriptor`() throws {
        let file = try FileDescriptor.sealed([1], subject: "a file")
        for passesFile in [false, true] {
            let (here, there) = try #require(RawConnection.pair())
            let other = StreamSocket(owning: there)
            defer { other.close() }
            let socket = StreamSocket(owning: here)
            while socket.write([UInt8](repeating: 0, count: 4_096), until: .now) {}
            let channel = CellChannel(socket, patience: .milliseconds(1))
            #expect(passesFile ? !channel.send([], passing: file) : !channel.send([0]))
        }
    }

    @Test func `Two messages at once are two`() throws {
        var reader = CellMessageReader(limits)
        reader.add(CellMessage.bytes { $0.member("a", 1) } + CellMessage.bytes([9]) { $0.member("a", 2) })
        #expect(try reader.next()?.integer("a") == 1)
        #expect(try reader.next()?.body == [9])
    }

    @Test(
        arguments: [
            [0, 0, 0, 101, 0, 0, 0, 0], [0, 0, 0, 2, 0, 0, 0, 51], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0, 0, 0, 2, 0, 0, 0, 0, 0x5B, 0x5D], [0, 0, 0, 1, 0, 0, 0, 0, 0x7B], [0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func `Lengths beyond the limits and heads that are no object are faults`(bytes: [UInt8]) {
        var reader = CellMessageReader(limits)
        reader.add(bytes)
        #expect(throws: CellFault.self) { try reader.next() }
    }
}
