import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetProcesses
import WidgetTestSupport

/// A child that has confined itself, and does forbidden things when asked.
final class ConfinedChild: Sendable {
    let program: SpawnedProgram
    let confinement: Confinement
    let printed = Guarded<[String]>([])
    private let channel: StreamSocket

    static let path = BuiltProgram("WidgetSpecimen").url.path
    /// The arguments by which the parts are left out that some systems forbid.
    static let withoutNamespaces = "without=user-namespace,network-namespace,message-namespace"
    /// True for root with root's rights, which containers take from it.
    static let changesUser =
        geteuid() == 0 && [5, 6, 7].allSatisfy(has(capability:))
        && (text("/proc/self/uid_map") ?? "").split(separator: "\n").contains { line in
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            return numbers.count == 3 && numbers[0] <= 65_534 && numbers[0] + numbers[2] > 65_534
        }
    /// Confined as the user who runs the tests; as root also as a user without rights, who starts the program.
    static let ways: [[String]] =
        [[], [withoutNamespaces]] + (changesUser ? [["user=65534"], ["user=65534", withoutNamespaces]] : [])
    /// The right to look into other users' processes.
    static let seesNamespaces = has(capability: 19)

    private static func has(capability: Int) -> Bool {
        let line = text("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let rights = line.flatMap { UInt64($0.dropFirst("CapEff:".count).drop { $0.isWhitespace }, radix: 16) } ?? 0
        return rights & 1 << UInt64(capability) != 0
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// Sanitizers open files and make calls of any kind.
    static let isPossible = ["__asan_init", "__tsan_init"].allSatisfy { (name: String) in
        unsafe dlsym(nil, name) == nil
    }
    /// The confinement that this machine allows.
    static let found: Confinement? = isPossible ? try? ConfinedChild().confinement : nil

    static func start(_ arguments: [String]) -> ProgramStart {
        var start = ProgramStart(path, ["confined"] + arguments, environment: ConfinementLimits.environment)
        start.channel = .one
        return start
    }

    init(_ arguments: [String] = []) throws {
        let printed = printed
        program = try SpawnedProgram(ConfinedChild.start(arguments)) { _, line in printed.withLock { $0.append(line) } }
        channel = try #require(program.channel)
        let line = try #require(ConfinedChild.line(of: channel), "the child has not answered")
        confinement = try #require(Confinement(text: line), "not a confinement: \(line)")
    }

    private static func line(of channel: StreamSocket) -> String? {
        var line: [UInt8] = []
        while let byte = channel.read(exactly: 1, until: .now + .seconds(100))?.first {
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    func begin(_ act: String) { _ = channel.write(Array((act + "\n").utf8), until: .now + .seconds(60)) }

    /// The answer to an act; `nil` if the child ends instead.
    func perform(_ act: String) -> String? {
        begin(act)
        return ConfinedChild.line(of: channel)
    }

    func send(_ file: borrowing FileDescriptor) -> Bool { channel.send(file, until: .now + .seconds(60)) }

    func answer() -> String? { ConfinedChild.line(of: channel) }

    func end() -> ProgramEnd? {
        channel.close()
        return program.wait(seconds: 100)
    }

    /// A line of `/proc/NUMBER/status` or `limits`.
    func account(_ file: String, _ name: String) throws -> String {
        let number = try #require(program.number)
        let text = try String(contentsOfFile: "/proc/\(number)/\(file)", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name) })
        return line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
