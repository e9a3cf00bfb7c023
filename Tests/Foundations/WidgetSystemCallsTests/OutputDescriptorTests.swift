import Glibc
import Testing
import WidgetSystemCalls

/// Real descriptors that are closed, broken or full; each must come back, with a count.
@Suite struct `Writing lines to a descriptor` {
    private let line = Array("one line\n".utf8)

    private func withPipe(closingReader: Bool = false, _ body: (_ reader: Int32, _ writer: Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        // Safe: pipe writes two descriptors, and the array holds two.
        let status = unsafe pipe(&ends)
        #expect(status == 0)
        if closingReader { close(ends[0]) }
        body(ends[0], ends[1])
        if !closingReader { close(ends[0]) }
        close(ends[1])
    }

    @Test func `Writing lines gives up on a closed descriptor`() {
        #expect(OutputDescriptor(-1).write(line) == 0)
    }

    @Test func `Writing lines gives up on a pipe without a reader`() {
        signal(SIGPIPE, SIG_IGN)
        withPipe(closingReader: true) { _, writer in
            #expect(OutputDescriptor(writer).write(line) == 0)
        }
    }

    @Test func `Writing lines gives up on a pipe that stays full`() {
        withPipe { _, writer in
            #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
            let lines = [UInt8](repeating: 0x0A, count: 4 << 20)
            let count = OutputDescriptor(writer).write(lines)
            #expect(count > 0 && count < lines.count)
            #expect(OutputDescriptor(writer).write(line) == 0)
        }
    }

    @Test func `Writing lines writes all bytes when there is room`() {
        withPipe { reader, writer in
            #expect(OutputDescriptor(writer).write(line) == line.count)
            var received = [UInt8](repeating: 0, count: 64)
            // Safe: at most 64 bytes are written into an array of 64.
            let count = unsafe read(reader, &received, 64)
            #expect(Array(received[..<count]) == line)
        }
    }
}
