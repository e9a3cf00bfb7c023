import Glibc
import HostileWidgets
import WidgetEngine

/// The engine in a process of this machine, which answers the calls of its standard input as `engine.wasm` does: each call
/// and each answer with four bytes before it that say how long it is. `Specimen engine FOLDER` writes hostile bundles there instead.
enum EngineSpecimen {
    static func run(_ arguments: [String]) throws -> Never {
        if let folder = arguments.first {
            try HostileFiles.write(into: folder)
            exit(0)
        }
        var desk = EngineDesk()
        while let head = read(4), let body = read(head.reversed().reduce(0) { $0 << 8 | Int($1) }) {
            let call = EngineCall(body.span)
            // A widget is opened in another engine.
            if call?.opensWidget ?? false { desk = EngineDesk() }
            let answer = (call.map { desk.answer($0) } ?? .misuse).bytes
            write((0..<4).map { UInt8(truncatingIfNeeded: answer.count >> (8 * $0)) } + answer)
        }
        exit(0)
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // The pointer lives for this call, inside the array.
            let step = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe Glibc.read(STDIN_FILENO, room.baseAddress.map { unsafe $0 + filled }, count - filled)
            }
            guard step > 0 else { return nil }
            filled += step
        }
        return bytes
    }

    private static func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            // The pointer lives for this call, inside the array.
            let step = unsafe bytes.withUnsafeBytes { source in
                unsafe Glibc.write(STDOUT_FILENO, source.baseAddress.map { unsafe $0 + sent }, bytes.count - sent)
            }
            guard step > 0 else { exit(1) }
            sent += step
        }
    }
}
