internal import Bytes
package import WidgetCore
package import WidgetRender
package import WidgetRunning

/// A program that is shown live, prepared once for all of its pages.
package struct LiveProgram: Sendable {
    package let planned: PlannedProgram
    package let assets: any ViewAssets
    /// The pictures that its pages have referred to so far.
    package let pictures = LivePictures()

    package init(_ program: Program, _ assets: any ViewAssets) {
        planned = PlannedProgram(program)
        self.assets = assets
    }
}

/// Widgets of one kind, of which each viewing gets its own.
package protocol LiveSource: AnyObject, Sendable {
    /// The program that new viewings begin with.
    var program: LiveProgram { get }

    /// A widget for one viewing, which has not begun.
    func widget() async -> RunningWidget

    /// Has a widget that runs continue with the present program.
    func renew(_ widget: RunningWidget) async

    /// The first view, of a widget that asks no server.
    func still() -> View
}

extension LiveSource {
    package func renew(_ widget: RunningWidget) async { await widget.replace(program.planned.program) }
}

/// The pictures of one program's pages, by the names of their files. Viewings share them.
package final class LivePictures: Sendable {
    private struct State {
        var files: [String: [UInt8]] = [:]
        var names: [String] = []
        var byteCount = 0
    }

    /// The bytes of all of them; the oldest are dropped first.
    private static let byteLimit = 64 << 20

    private let state = Guarded(State())

    init() {}

    package subscript(_ name: String) -> [UInt8]? { state.withLock { $0.files[name] } }

    package func add(_ files: [String: [UInt8]]) {
        guard !files.isEmpty else { return }
        state.withLock { state in
            for (name, bytes) in files where state.files[name] == nil {
                state.files[name] = bytes
                state.names.append(name)
                state.byteCount += bytes.count
            }
            while state.byteCount > LivePictures.byteLimit, state.names.count > files.count {
                let bytes = state.files.removeValue(forKey: state.names.removeFirst())
                state.byteCount -= bytes?.count ?? 0
            }
        }
    }
}
