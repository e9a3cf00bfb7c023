import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: a widget in a terminal is moved about in, touched and left by keys, and the terminal is as before however it
/// ends. Method: the built program on a terminal of the test's own.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `widget run, on a terminal` {
    private static var sample: String { "\(Corpus.repositoryRoot)/Bundles/HarbourLog" }

    @Test func `draws the widget, follows keys, and leaves the terminal as it was`() throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        #expect(terminal.isRaw)
        terminal.type("fog")
        #expect(terminal.waits(for: "( fog )"))
        terminal.type("\u{1B}[B\u{1B}[B\r")
        #expect(terminal.waits(for: "(Back)"))
        terminal.type("\u{1B}")
        #expect(terminal.waits(for: "( fog )"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        #expect(!terminal.isRaw && terminal.shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGTRAP])
    func `gives the terminal back when a signal ends it`(number: Int32) throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "Fog, and nothing else") && terminal.isRaw)
        terminal.signal(number)
        #expect(terminal.end() == .signalled(number))
        #expect(!terminal.isRaw && terminal.shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `draws anew when the terminal has another size`() throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "more lines"))
        terminal.resize(columns: 40, rows: 60)
        terminal.signal(SIGWINCH)
        #expect(terminal.waits(for: "Clear to the horizon"))
        terminal.type("q\u{3}")
        _ = terminal.end()
    }

    @Test func `shows what is wrong with a change, runs on, and takes over the next one`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-run-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path)
        let storyboard = folder.appending(path: "Main.storyboard")
        let whole = try String(contentsOf: storyboard, encoding: .utf8)
        let terminal = try PseudoTerminal(["run", folder.path])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        try "<document".write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "! Main.storyboard:1:"))
        try whole.replacing("title=\"Harbour Log\"", with: "title=\"Another Log\"")
            .write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "[ Another Log ]") && terminal.shown.contains("revision 2"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `uses no colours where they are not wanted, and shows what is about to be touched all the same`() throws
    {
        let terminal = try PseudoTerminal(["run", Self.sample], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: ">( Search the log )"))
        #expect(!terminal.shown.contains("\u{1B}[7m") && !terminal.shown.contains("\u{1B}[36m"))
        terminal.type("\u{3}")
        _ = terminal.end()
    }

    @Test func `is spoken to line by line where there is no terminal`() throws {
        let result = try Program.run(["run", Self.sample])
        #expect(result.exitCode == 0 && result.output.contains("-- revision 1"))
        #expect(!result.output.contains("\u{1B}"))
    }
}

/// A terminal that a program runs on.
private final class PseudoTerminal {
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    struct NoTerminal: Error {}

    /// `TIOCSPTLCK`, `TIOCGPTN` and `TIOCSWINSZ`, which are macros.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430
    private static let setSize: UInt = 0x5414

    private let process = Process()
    private let main: Int32
    private let side: Int32
    private var bytes: [UInt8] = []

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (lock, number): (Int32, Int32) = (0, 0)
        // Both live until the calls have returned.
        guard main >= 0, unsafe ioctl(main, PseudoTerminal.setLock, &lock) == 0,
            unsafe ioctl(main, PseudoTerminal.getNumber, &number) == 0
        else { throw NoTerminal() }
        side = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard side >= 0 else { throw NoTerminal() }
        resize(columns: 80, rows: 24)
        process.executableURL = BuiltProgram("widget").url
        process.arguments = arguments
        process.environment = ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 }
        process.standardInput = FileHandle(fileDescriptor: side)
        process.standardOutput = FileHandle(fileDescriptor: side)
        process.standardError = FileHandle(fileDescriptor: side)
        try process.run()
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

    /// Whether keys come as they are pressed.
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

    /// Whether it shows that from now on, within half a minute.
    func waits(for text: String) -> Bool {
        let begin = seen
        for _ in 0..<300 {
            read(milliseconds: 100)
            if String(decoding: bytes[min(begin, bytes.count)...], as: UTF8.self).contains(text) {
                seen = bytes.count
                return true
            }
        }
        return false
    }

    /// How much of what was shown has been looked at.
    private var seen = 0

    private func read(milliseconds: Int32) {
        var waited = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waited, 1, milliseconds) > 0 else { return }
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(main, $0.baseAddress, $0.count) }
        if count > 0 { bytes += piece[..<count] }
    }

    func end() -> End {
        for _ in 0..<300 where process.isRunning { read(milliseconds: 100) }
        read(milliseconds: 100)
        guard !process.isRunning else { return .signalled(0) }
        return process.terminationReason == .exit
            ? .exited(process.terminationStatus) : .signalled(process.terminationStatus)
    }
}
