internal import Glibc

/// A connected socket that the program was started with. One thread reads, and another one writes.
package struct InheritedSocket: Sendable {
    private let number: Int32

    /// - Parameter number: the number of its descriptor. Programs that this one starts do not inherit it.
    package init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// Waits for the next bytes, and returns at most `count` of them; `nil` at the end, and after an error.
    package func read(count: Int) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: count)
        // Once there is something to read, no signal interrupts the reading.
        AwaitedDescriptor(number).wait(for: .readable)
        // The pointer lives for this call, inside the array.
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        return read > 0 ? bytes[..<read] : nil
    }

    /// Writes all of the bytes, however long the other side takes to read them.
    ///
    /// - Returns: false if the other side has closed.
    package func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let left = bytes.count - sent
            // The pointer lives for this call, inside the array.
            let count = unsafe bytes.withUnsafeBytes { source in
                unsafe send(
                    number, source.baseAddress.map { unsafe $0 + sent }, left, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else if AwaitedDescriptor(number).wait(for: .writable) {
                return false
            }
        }
        return true
    }
}
