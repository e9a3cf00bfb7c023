internal import WidgetBytes
internal import WidgetFiles
package import WidgetProcesses
package import WidgetSurroundings

/// The process of a cell, as its host has it.
package protocol CellProcess: Sendable {
    /// The host's end of the connection.
    var channel: StreamSocket? { get }
    /// The memory that it has resident, and the processor time that it has used; `nil` where they are unknown.
    var residentBytes: Int? { get }
    var processorTime: Duration? { get }

    /// Ends it at once.
    func stop()
    /// Waits for its end; `nil` if it has not ended within those seconds.
    func wait(seconds: Double) -> ProgramEnd?
}

extension SpawnedProgram: CellProcess {}

/// The way in which a house starts its cells: processes of a program, or what tests have in their place.
package struct CellStart: Sendable {
    let begin: @Sendable () throws(CellEnd) -> any CellProcess

    package init(_ begin: @escaping @Sendable () throws(CellEnd) -> any CellProcess) { self.begin = begin }

    /// - Parameters:
    ///   - program: the one that is a cell.
    ///   - programs: called in place of it.
    package init(_ program: ProgramStart, programs: (any Programs)? = nil) {
        var program = program
        program.channel = .one
        begin = { [program] () throws(CellEnd) in
            if let number = programs?.begin(program.path, onLine: { _ in }) { return CalledProcess(owning: number) }
            return try rethrowing(
                try SpawnedProgram(program) { _, _ in }, as: { (error: FileError) in CellEnd.notStarted("\(error)") })
        }
    }
}

/// A cell that was called in place of a process. It ends when its channel is closed.
private final class CalledProcess: CellProcess {
    let channel: StreamSocket?

    init(owning number: Int32) { channel = StreamSocket(owning: number) }

    var residentBytes: Int? { nil }
    var processorTime: Duration? { nil }

    func stop() { channel?.close() }

    func wait(seconds: Double) -> ProgramEnd? { .exit(0) }
}
