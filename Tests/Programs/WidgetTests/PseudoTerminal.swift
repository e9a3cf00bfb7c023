import Foundation
import Glibc
import WidgetTestSupport

/// A terminal that a program runs on.
final class PseudoTerminal {
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    struct NoTerminal: Error {}

    /// `TIOCSPTLCK`, `TIOCGPTN` and `TIOCSWINSZ`, which are macros.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let setSize: UInt = 0x5414

    private let process = ChildProcess()
    private let main: Int32
    private let side: Int32
    private var watched: WatchedProcess?
    private var bytes: [UInt8] = []

    init(_ arguments: [String], environment: [String: String] = [:], columns: UInt16 = 80) throws {
        main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (Int32, Int32) = (0, 0)
        // Both live until the calls have returned.
        guard main >= 0, unsafe ioctl(main, PseudoTerminal.setLock, &lock) == 0,
            unsafe ioctl(main, PseudoTerminal.getNumber, &number) == 0
        else { throw NoTerminal() }
        side = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard side >= 0 else { throw NoTerminal() }
        resize(columns: columns, rows: 24)
        process.executableURL = BuiltProgram("widget").url
        process.arguments = arguments
        process.environment = BuiltProgram.environment(
            ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 })
        process.standardInput = .handle(FileHandle(fileDescriptor: side))
        process.standardOutput = .handle(FileHandle(fileDescriptor: side))
        process.standardError = .handle(FileHandle(fileDescriptor: side))
        try process.run()
        watched = try WatchedProcess(Int(process.processIdentifier))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(main)
        close(side)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // Lives until the call has returned.
        _ = unsafe ioctl(main, PseudoTerminal.setSize, &size)
    }

    var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// True if keys arrive as they are pressed.
    var isRaw: Bool {
        var settings = termios()
        guard unsafe tcgetattr(side, &settings) == 0 else { return false }
        return settings.c_lflag & tcflag_t(ICANON) == 0
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(main, $0.baseAddress, $0.count) }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for a text in the output from now on.
    func waits(for text: String) -> Bool {
        let begin = seen
        return comesTrue { String(decoding: bytes[min(begin, bytes.count)...], as: UTF8.self).contains(text) }
    }

    /// Reads the output until something is so, for some minutes at most: a program may build a package first.
    func comesTrue(_ holds: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(240)
        while !holds() { guard read(by: end) else { return false } }
        seen = bytes.count
        return true
    }

    /// The number of bytes of output that earlier waits have passed.
    private var seen = 0

    /// Reads more output.
    ///
    /// - Returns: false if none comes in time, or before the program has ended.
    private func read(by end: ContinuousClock.Instant) -> Bool {
        // The test has the other end as well, so that it is never closed.
        guard let watched, watched.isReadable(main, by: end) else { return false }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(main, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        bytes += piece[..<count]
        return true
    }

    func end() -> End {
        let end = ContinuousClock.now + .seconds(60)
        while read(by: end) {}
        guard !process.isRunning else { return .signalled(0) }
        return process.terminationReason == .exit
            ? .exited(process.terminationStatus) : .signalled(process.terminationStatus)
    }
}
