import Bytes
import CLinux
import Files
import WidgetCore
import WidgetDocuments
import WidgetLive
import WidgetRender
import WidgetRunning

/// Measures viewings without a server: what one tap costs by its parts, and what viewings keep. Lines are
/// `name|number|what it is`; times are the processor's milliseconds.
enum LivePages {
    /// A clock that only `advance` moves, so that no viewing waits.
    private final class Clock: LiveClock {
        private let moment = Guarded(0.0)

        var now: Double { moment.withLock { $0 } }

        func advance() { moment.withLock { $0 += 10 } }

        func wait(_ seconds: Double) async {}
    }

    /// A stream that counts.
    private final class Sink: LiveSink {
        private let last = Guarded([UInt8]())

        var pendingByteCount: Int { 0 }
        var operations: [UInt8] { last.withLock { $0 } }

        func write(_ number: Int, _ operations: [UInt8]) { last.withLock { $0 = operations } }

        func beat() {}

        func end(isOver: Bool) {}
    }

    private final class Source: LiveSource {
        let program: LiveProgram

        init(_ program: Program) { self.program = LiveProgram(program, NoAssets()) }

        func widget() async -> RunningWidget {
            RunningWidget(WidgetInstance(program.planned.program), network: DeniedNetwork())
        }

        func still() -> View {
            var instance = WidgetInstance(program.planned.program)
            instance.send(.start)
            return instance.view()
        }
    }

    private static func say(_ name: String, _ number: Double, _ what: String) {
        print("\(name)|\(NumberFormat.fixed(number, digits: 4))|\(what)")
    }

    private static func milliseconds(since begin: Int64) -> Double { Double(linux_cpu_nanoseconds() - begin) / 1e6 }

    /// - Parameters:
    ///   - path: a document that has a button of this title.
    ///   - count: how often it is tapped.
    static func change(_ path: String, title: String, count: Int) async throws {
        let bytes = try FileDescriptor.reading(path).read(at: 0, count: 4 << 20)
        let input = DocumentInput(
            identifier: "bench", documents: [DocumentFile(path: "Main.widgets.json", name: "Main", bytes: bytes)],
            first: "Main")
        let program = try DocumentReader.program(input)
        try rows(program, title, count)
        try await viewing(program, title, count)
    }

    /// The widget alone.
    private static func rows(_ program: Program, _ title: String, _ count: Int) throws {
        var instance = WidgetInstance(program)
        instance.send(.start)
        var view = instance.view()
        guard let key = button(title, in: view) else { return }
        let printer = PagePrinter(PlannedProgram(program), PageOptions())
        var moment = printer.moment(view, NoAssets()).moment
        var (sending, evaluation, difference) = (0.0, 0.0, 0.0)
        for _ in 0..<count {
            var begin = linux_cpu_nanoseconds()
            instance.send(.tap(key))
            sending += milliseconds(since: begin)
            begin = linux_cpu_nanoseconds()
            view = instance.view()
            evaluation += milliseconds(since: begin)
            begin = linux_cpu_nanoseconds()
            moment = printer.change(from: moment, to: view, NoAssets()).moment
            difference += milliseconds(since: begin)
        }
        say("rows", Double(instance.reevaluatedRows), "rows evaluated again")
        say("event", sending / Double(count), "the event")
        say("evaluation", evaluation / Double(count), "the evaluation")
        say("difference", difference / Double(count), "the difference of the page")
    }

    private static func viewing(_ program: Program, _ title: String, _ count: Int) async throws {
        let clock = Clock()
        let desk = LiveDesk(clock: clock)
        let source = Source(program)
        let viewing = try await desk.open(source, from: "a") { _ in PageOptions() }
        guard let page = await viewing.page(), let key = button(title, in: source.still()) else { return }
        let sink = Sink()
        await viewing.follow(after: page.number, sink)
        var whole = 0.0
        for serial in 1...count {
            clock.advance()
            let begin = linux_cpu_nanoseconds()
            _ = await viewing.act(Array("[\(serial),[[\"tap\",\"\(key)\"]]]".utf8))
            whole += milliseconds(since: begin)
        }
        say("whole", whole / Double(count), "a batch of one tap, to the write: \(String(decoding: sink.operations, as: UTF8.self))")
    }

    private static func button(_ title: String, in view: View) -> ViewKey? {
        var key: ViewKey?
        view.visit { node in
            if node.kind == .button, node.text(.text) == title || node.text(.title) == title { key = node.key }
            return key == nil
        }
        return key
    }
}
