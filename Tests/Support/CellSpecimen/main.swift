import Glibc
import WidgetCells

/// A cell that does something which no widget can do, before it carries out an order: `CellSpecimen ORDER DEED`, and the
/// parts of the confinement to leave out. Without a deed it is an ordinary cell.
let arguments = Array(CommandLine.arguments.dropFirst())
let (order, deed) = (arguments.first ?? "", arguments.dropFirst().first ?? "")

func misbehave() {
    switch deed {
    case "open": _ = unsafe open("/etc/passwd", O_RDONLY)
    case "socket": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    case "execve":
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        _ = unsafe execve("/bin/true", &words, &words)
    case "spawn":
        var words: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var number: pid_t = 0
        // Until the system has no more room for processes.
        while true { _ = unsafe posix_spawn(&number, "/bin/true", nil, nil, &words, &words) }
    case "loop": while true {}
    case "memory":
        var kept: [[UInt8]] = []
        for number in 0..<200 { kept.append([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20)) }
        while true { _ = kept.count }
    case "crash": abort()
    case "exit": exit(0)
    case "garbage":
        let bytes: [UInt8] = Array(repeating: 0xFF, count: 64)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(3, $0.baseAddress, $0.count) }
    default: return
    }
}

exit(CellProgram.run(Array(arguments.dropFirst(2))) { if $0 == order { misbehave() } } ? 0 : 1)
