internal import Dispatch
internal import JSONText
internal import WidgetBytes
package import WidgetContract
internal import WidgetFiles
internal import WidgetProcesses
package import WidgetSurroundings

/// The native code of a widget in another process, which is asked over a socket. The process ends with this object.
package final class ChildCode: NativeCode {
    /// The seconds that a program may take.
    package struct Patience: Sendable {
        /// Until it has described itself.
        package var start = 20.0
        /// Until it has answered a turn.
        package var turn = 10.0

        package init() {}
    }

    /// The widget, as the program describes it.
    package let declaration: NativeDeclaration
    /// `nil` for a program that was called.
    private let program: SpawnedProgram?
    private let channel: StreamSocket
    private let answers: AnswerBox
    private let patience: Patience
    private let names: SourceNames
    private let clock: any Clock

    /// Starts a program, and waits for the description of its widget.
    ///
    /// - Parameters:
    ///   - names: the names of its sources, for places in its texts.
    ///   - programs: called in place of the program.
    ///   - onLine: called with each line that the program prints, by another thread.
    package init(
        starting path: String, environment: [String: String], names: SourceNames, patience: Patience = Patience(),
        clock: any Clock = SystemClock(), programs: (any Programs)? = nil,
        onLine: @escaping @Sendable (String) -> Void
    ) throws(PackageError) {
        let called = programs?.begin(path, onLine: onLine).map { StreamSocket(owning: $0) }
        let program = called == nil ? try ChildCode.started(path, environment, onLine) : nil
        guard let channel = called ?? program?.channel else { throw .program(.ended("it has no channel")) }
        let answers = AnswerBox(clock)
        DispatchQueue(label: "widget.child.answers").async { answers.read(channel, of: program) }
        let deadline = clock.moment(after: patience.start)
        do throws(NativeFailure) {
            // Of a program that does not read it, the end is the reason.
            _ = channel.write(
                ChannelQuestion.begin(version: ChannelQuestion.version).line, until: .now + .seconds(patience.start))
            declaration = names.named(try answers.declaration(until: deadline, seconds: patience.start))
        } catch {
            channel.close()
            program?.stop()
            throw .program(error)
        }
        (self.program, self.channel, self.answers) = (program, channel, answers)
        (self.patience, self.names, self.clock) = (patience, names, clock)
    }

    private static func started(
        _ path: String, _ environment: [String: String], _ onLine: @escaping @Sendable (String) -> Void
    ) throws(PackageError) -> SpawnedProgram {
        var variables = environment
        variables[ChannelQuestion.variable] = "\(SpawnedProgram.channelNumber)"
        var start = ProgramStart(path, environment: variables.map { "\($0.key)=\($0.value)" }.sorted())
        start.channel = .one
        return try rethrowing(as: PackageError.file) { [start] () throws(FileError) in
            try SpawnedProgram(start) { _, line in onLine(line) }
        }
    }

    deinit { stop() }

    /// Ends the program. Later turns fail.
    package func stop() {
        answers.forget()
        channel.close()
        program?.stop()
    }

    /// The number of the process; `nil` after its end.
    package var processNumber: Int? { program?.number }

    package func reply(to turn: NativeTurn) throws(NativeFailure) -> NativeReply {
        let deadline = clock.moment(after: patience.turn)
        let isBehind = try answers.begin(turn.number)
        let line = ChannelQuestion.turn(turn).line
        guard line.count <= NativeReply.limits.byteCount else {
            answers.abandon(turn.number)
            throw .unreadable("the question has more than \(NativeReply.limits.byteCount) bytes")
        }
        if !channel.write(line, until: .now + (isBehind ? .milliseconds(50) : .seconds(patience.turn))) {
            // A part of the line may be on its way: nothing can follow it.
            answers.fail(.ended("it reads no more from its channel"))
            stop()
        }
        // One that has not answered an earlier turn yet is not waited for a second time.
        var reply = try answers.reply(to: turn.number, until: isBehind ? clock.now : deadline, seconds: patience.turn)
        reply.remarks = reply.remarks.map(names.named)
        return reply
    }

    package func onNotice(_ notice: @escaping @Sendable () -> Void) { answers.onNotice(notice) }
}
