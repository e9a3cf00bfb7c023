internal import WidgetBytes
internal import WidgetCore
internal import WidgetHost
internal import WidgetHosting
internal import WidgetIntake
internal import WidgetRender
internal import WidgetRunning

/// A script of events: steps that are played one after the other, under a clock that only the script moves. The same
/// script gives the same screens, so it is a test.
///
/// ```swift
/// let script = try WidgetScript(#"[{"tap": "Start"}, {"wait": 60}, {"expect": "0:59:00"}]"#)
/// let played = try await script.play(path: "Timer.bundle", configuration: configuration)
/// print(played.text)
/// ```
public struct WidgetScript: Sendable {
    /// The end of a script whose steps all succeeded.
    public struct Played: Sendable {
        /// The screen at the end.
        public let screen: WidgetScreen
        /// The screen at the end as text.
        public let text: String
        /// The screens after the start and after each step, as text.
        public let screens: [String]
        /// Sentences about actions that sent nothing.
        public let notices: [String]
    }

    private let script: EventScript

    /// Reads a script: an array of JSON, whose steps docs/running.md describes.
    ///
    /// - Throws: ``RuntimeError`` with ``RuntimeError/Code/script``, which says where it is wrong.
    public init(_ json: String) throws(RuntimeError) {
        do throws(WidgetError) {
            script = try EventScript(Array(json.utf8))
        } catch {
            throw RuntimeError(error)
        }
    }

    /// Runs a bundle from its start, and plays the steps.
    ///
    /// - Parameters:
    ///   - path: an archive, a bundle's folder, or a folder of sources, which is built first.
    ///   - identifier: that of the widget; `nil` for that of the bundle.
    ///   - configuration: its network, its place and the moment at which its clock begins, that of a ``SteppedClock`` if it
    ///     has one, which the script does not move. Nothing is kept.
    ///   - columns: the width of texts in cells.
    /// - Throws: ``RuntimeError``: the reason why it cannot run, or the step that failed and why.
    public func play(
        path: String, identifier: String? = nil, configuration: WidgetConfiguration = WidgetConfiguration(),
        columns: Int = 80
    ) async throws(RuntimeError) -> Played {
        let environment = try configuration.environment()
        let screens = Guarded([String]())
        do throws(WidgetError) {
            let program = try BundleReading.program(at: path, identifier: identifier, locale: environment.locale).0
            let instance = WidgetInstance(
                program, environment: environment, parameters: configuration.firstParameters)
            let printer = ViewText(width: columns)
            let network = configuration.network.network(
                of: instance.program.identifier, reviewedBy: configuration.request)
            var run = ScriptRun(instance, network: network) { printer.text($0) }
            run.settled = { view in screens.withLock { $0.append(printer.text(view)) } }
            try await run.play(script)
            let view = run.view()
            let snapshot = RunningWidget.Snapshot(
                view: view, revision: run.instance.revision, attempt: run.instance.attempt, data: run.data)
            return Played(
                screen: WidgetScreen(snapshot, program), text: printer.text(view), screens: screens.withLock { $0 },
                notices: run.takeNotices())
        } catch {
            throw RuntimeError(error)
        }
    }
}
