internal import CWidgetLinux
internal import Glibc
package import WidgetFiles

/// One end of a connection to another process. One thread reads, and another one writes.
package final class StreamSocket: Sendable {
    private let descriptor: FileDescriptor

    package init(owning number: Int32) {
        descriptor = FileDescriptor(owning: number, subject: "a channel")
    }

    /// A child's end of its channel, which it takes once.
    ///
    /// - Returns: `nil` if the program was started without a channel.
    package static func toParent() -> StreamSocket? {
        let number = Int32(SpawnedProgram.channelNumber)
        var (kind, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        // The pointers live for this call.
        guard unsafe getsockopt(number, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { return nil }
        return StreamSocket(owning: number)
    }

    /// The next bytes; empty at the end, and after an error.
    package func read(count: Int) -> [UInt8] { (try? descriptor.readNext(count: count)) ?? [] }

    /// The next bytes; empty at the end, and after an error.
    ///
    /// - Returns: `nil` if none comes before the moment.
    package func read(count: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while wait(for: POLLIN, until: deadline) == 0 {
            if ContinuousClock.now >= deadline { return nil }
        }
        return read(count: count)
    }

    /// As many bytes as are asked for, and none after them, which may come with a descriptor.
    ///
    /// - Returns: `nil` if the connection ends, or the moment comes, before they are there.
    package func read(exactly count: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let piece = read(count: min(64 << 10, count - bytes.count), until: deadline), !piece.isEmpty else {
                return nil
            }
            bytes += piece
        }
        return bytes
    }

    /// Sends a descriptor with one byte. The other side reads exactly the bytes before it, and then receives it
    /// (``receiveDescriptor(until:)``); one that meets an ordinary read is lost.
    ///
    /// - Returns: false if the other side has closed, or does not read before the moment comes.
    package func send(_ file: borrowing FileDescriptor, until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let result = linux_send_descriptor(descriptor.number, file.number)
            if result == 0 { return true }
            guard result == -EAGAIN || result == -EINTR, ContinuousClock.now < deadline else { return false }
            guard wait(for: POLLOUT, until: deadline) & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return false }
        }
    }

    /// Receives a descriptor, which closes when another program is run.
    ///
    /// - Returns: `nil` if the connection ends, or the moment comes, before it is there.
    /// - Throws: ``FileError`` if other bytes came, or several descriptors, which are closed.
    package func receiveDescriptor(until deadline: ContinuousClock.Instant) throws(FileError) -> FileDescriptor? {
        while true {
            let result = linux_receive_descriptor(descriptor.number)
            if result >= 0 { return FileDescriptor(owning: result, subject: "a descriptor from another process") }
            switch -result {
            case EPIPE, ECONNRESET: return nil
            case EAGAIN, EINTR:
                guard ContinuousClock.now < deadline else { return nil }
                _ = wait(for: POLLIN, until: deadline)
            default: throw FileError(.read, subject: "a channel", code: -result)
            }
        }
    }

    /// Writes all of the bytes.
    ///
    /// - Returns: false if the other side has closed, or does not read them before the moment comes.
    package func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let left = bytes.count - sent
            // The pointer lives for this call, inside the array.
            let count = unsafe bytes.withUnsafeBytes { source in
                unsafe Glibc.send(
                    descriptor.number, source.baseAddress.map { unsafe $0 + sent }, left,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
                continue
            }
            // The buffer is full, or the other side has closed, which the next wait shows.
            guard ContinuousClock.now < deadline else { return false }
            guard wait(for: POLLOUT, until: deadline) & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return false }
        }
        return true
    }

    /// Waits until something happens, until the moment, or for a second.
    private func wait(for event: Int32, until deadline: ContinuousClock.Instant) -> Int32 {
        var awaited = pollfd(fd: descriptor.number, events: Int16(event), revents: 0)
        let milliseconds = min(1_000, max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up)))
        return unsafe poll(&awaited, 1, Int32(milliseconds)) > 0 ? Int32(awaited.revents) : 0
    }

    /// Ends the connection: a thread that reads finds the end.
    package func close() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}
