internal import JSONText
internal import WidgetBytes
package import WidgetContract
internal import WidgetSystemCalls

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
        ProcessEnvironment.text(ChannelQuestion.variable).flatMap { Int32($0) }
    }

    /// Answers questions until the host closes the channel.
    ///
    /// - Returns: the exit code of the program.
    package func run(on number: Int32) -> Int32 {
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
            OutputDescriptor.flushStreams()
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
        OutputDescriptor.standardError.write(Array("\(sentence)\n".utf8))
    }
}

/// The socket of a channel: one thread reads lines, and any thread writes them.
private final class ChannelEnd: Sendable {
    private static let readByteCount = 64 << 10

    private let socket: InheritedSocket
    private let unread = Guarded<[UInt8]>([])
    /// Held while a line is written.
    private let writing = Guarded(0)

    init(_ number: Int32) {
        socket = InheritedSocket(number)
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
                guard let bytes = socket.read(count: ChannelEnd.readByteCount) else { return nil }
                unread += bytes
            }
            return nil
        }
    }

    /// - Returns: false if the host does not read any more.
    func write(_ line: [UInt8]) -> Bool {
        writing.withLock { _ in socket.write(line) }
    }
}
