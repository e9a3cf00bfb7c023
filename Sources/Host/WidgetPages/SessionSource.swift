internal import WidgetBytes
internal import WidgetCore
internal import WidgetHosting
internal import WidgetLive
internal import WidgetRender
internal import WidgetRunning
internal import WidgetRuntime

/// The widget of a session, which runs whether it is on a page or not.
final class SessionSource: LiveSource {
    private struct State {
        var program: LiveProgram
        var revision: Int
    }

    private let session: WidgetSession
    private let state: Guarded<State>
    private let watching = Guarded<Task<Void, Never>?>(nil)
    let opensAddresses: Bool

    init(_ session: WidgetSession, opensAddresses: Bool) async {
        self.session = session
        self.opensAddresses = opensAddresses
        state = Guarded(await SessionSource.state(of: session))
    }

    private static func state(of session: WidgetSession) async -> State {
        let (snapshot, program) = await session.present()
        let pictures = SessionPictures(await session.bundlePictures())
        return State(program: LiveProgram(program, pictures), revision: snapshot.revision)
    }

    /// Takes over the program that the session has now.
    ///
    /// - Returns: true if it is another one than before.
    func follow() async -> Bool {
        let known = state.withLock { $0.revision }
        guard await session.present().snapshot.revision != known else { return false }
        let now = await SessionSource.state(of: session)
        return state.withLock { state in
            guard now.revision > state.revision else { return false }
            state = now
            return true
        }
    }

    deinit { watching.withLock { $0 }?.cancel() }

    /// Has the pages of a desk continue with each program that the session gets.
    func watch(for desk: LiveDesk) {
        let changes = session.changes
        let task = LiveThreads.begin { [weak self, weak desk] in
            for await _ in changes {
                guard let self, let desk else { return }
                if await follow() { await desk.renew(self) }
            }
        }
        watching.withLock { $0 = task }
    }

    var program: LiveProgram { state.withLock { $0.program } }

    func widget() async -> RunningWidget { session.running }

    func still() -> View {
        var instance = WidgetInstance(program.planned.program)
        return instance.view()
    }

    func begin(_ widget: RunningWidget) async {}

    func end(_ widget: RunningWidget) async {}

    /// The session has replaced the program already.
    func renew(_ widget: RunningWidget) async {}
}
