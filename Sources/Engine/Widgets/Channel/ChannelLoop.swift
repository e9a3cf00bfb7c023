internal import Bytes
internal import Glibc
internal import JSONText
package import WidgetContract

/// The end of a channel in the program of a widget: it describes the widget, and answers the turns of its host.
package struct ChannelLoop: Sendable {
    private let declaration: @Sendable () -> NativeDeclaration
    private let code: any NativeCode

    /// - Parameter declaration: the description of the widget, made when it is asked for.
    package init(_ code: any NativeCode, declaration: @escaping @Sendable () -> NativeDeclaration) {
        self.code = code
        self.declaration = declaration
    }

    /// The number of the channel's descriptor; `nil` in a program that no host has started.
    package static var number: Int32? {
        // The text is copied at once.
        guard let text = unsafe getenv(ChannelQuestion.variable) else { return nil }
        return Int32(unsafe String(cString: text))
    }

    /// Answers questions until the host closes the channel.
    ///
    /// - Returns: the exit code of the program.
    package func run(on number: Int32) -> Int32 {
        // Programs that this one starts do not have the channel.
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let end = ChannelEnd(number)
        code.onNotice { _ = end.write(ChannelAnswer.notice.line) }
        while let line = end.nextLine() {
            guard
                let question = try? JSONDocument(parsing: line, limits: ChannelLoop.limits).cursor
                    .decode(as: ChannelQuestion.self)
            else {
                ChannelLoop.complain("the host has asked something that this program does not understand")
                return 1
            }
            let answered = answer(to: question)
            // Texts that were printed meanwhile come before the answer.
            _ = fflush(nil)
            guard let answer = answered else { return 1 }
            guard end.write(answer.line) else { return 0 }
        }
        return 0
    }

    private func answer(to question: ChannelQuestion) -> ChannelAnswer? {
        switch question {
        case .begin(ChannelQuestion.version): return .program(declaration())
        case .begin(let version):
            ChannelLoop.complain(
                "the host speaks version \(version) of the channel, and this program \(ChannelQuestion.version); "
                    + "build it with the package of the host's version")
            return nil
        case .turn(let turn):
            do throws(NativeFailure) {
                return .reply(try code.reply(to: turn))
            } catch {
                ChannelLoop.complain("\(error)")
                return nil
            }
        }
    }

    /// A question is one level deeper than its turn.
    private static let limits: JSONLimits = {
        var limits = NativeReply.limits
        limits.depth += 1
        return limits
    }()

    private static func complain(_ sentence: String) {
        let line = Array("\(sentence)\n".utf8)
        // The pointer lives for this call, inside the array.
        _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The descriptor of a channel: one thread reads lines, and any thread writes them.
private final class ChannelEnd: Sendable {
    private let number: Int32
    private let unread = Guarded<[UInt8]>([])
    /// Held while a line is written.
    private let writing = Guarded(0)

    init(_ number: Int32) {
        self.number = number
    }

    /// The next line without its end; `nil` at the end of the channel, or for a line that is too long.
    func nextLine() -> [UInt8]? {
        unread.withLock { unread in
            var searched = 0
            while unread.count <= NativeReply.limits.byteCount {
                if let end = unread[searched...].firstIndex(of: 0x0A) {
                    let line = Array(unread[..<end])
                    unread.removeFirst(end + 1)
                    return line
                }
                searched = unread.count
                guard let bytes = next() else { return nil }
                unread += bytes
            }
            return nil
        }
    }

    private func next() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        // Once there is something to read, no signal interrupts the reading.
        wait(for: POLLIN)
        // The pointer lives for this call, inside the array.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
        return count > 0 ? bytes[..<count] : nil
    }

    /// - Returns: false if the host does not read any more.
    func write(_ line: [UInt8]) -> Bool {
        writing.withLock { _ in
            var sent = 0
            while sent < line.count {
                let left = line.count - sent
                let count = unsafe line.withUnsafeBytes { source in
                    unsafe send(
                        number, source.baseAddress.map { unsafe $0 + sent }, left, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
                if count > 0 {
                    sent += count
                } else if wait(for: POLLOUT) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                    return false
                }
            }
            return true
        }
    }

    /// Waits until the descriptor can be read or written, or is closed on the other side.
    @discardableResult
    private func wait(for events: Int32) -> Int32 {
        while true {
            var awaited = pollfd(fd: number, events: Int16(events), revents: 0)
            if unsafe poll(&awaited, 1, -1) > 0 { return Int32(awaited.revents) }
        }
    }
}
