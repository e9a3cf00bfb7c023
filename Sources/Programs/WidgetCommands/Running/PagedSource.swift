import Dispatch
import PageServer
import RegistryContract
import WidgetBytes
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetLive
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// The widget of a command line, of which each page gets its own.
final class PagedSource: LiveSource {
    private struct State {
        var widget: ReadWidget
        var program: LiveProgram
        /// The number of the save that it is of, or that was not taken.
        var save = 0
        /// The faults of a newer program that was not taken; empty if the present one is the newest.
        var refused: [BundleComplaint] = []
    }

    private let options: RunningOptions
    private let said: SaidComplaints
    private let state: Guarded<State>

    /// - Parameter said: prints the faults that pages show.
    init(_ widget: ReadWidget, _ options: RunningOptions, _ said: SaidComplaints) {
        self.options = options
        self.said = said
        state = Guarded(State(widget: widget, program: PagedSource.program(of: widget, options)))
    }

    private static func program(of widget: ReadWidget, _ options: RunningOptions) -> LiveProgram {
        LiveProgram(widget.program, NamedPictures(options.pictures))
    }

    /// Continues with a program that has been read again.
    ///
    /// - Returns: its errors, if the program from before has none: then that one continues.
    func take(_ widget: ReadWidget, of save: Int) -> [BundleComplaint] {
        let program = PagedSource.program(of: widget, options)
        let isBroken = widget.program.diagnostics.contains { $0.severity == .error }
        return state.withLock { state in
            guard isBroken, !state.widget.program.diagnostics.contains(where: { $0.severity == .error }) else {
                state = State(widget: widget, program: program, save: save)
                return []
            }
            return options.complaints(widget.program.diagnostics)
        }
    }

    /// Shows why a newer program was not taken.
    func refuse(_ complaints: [BundleComplaint], of save: Int) {
        state.withLock { ($0.refused, $0.save) = (complaints, save) }
        said.say(complaints, of: save)
    }

    /// Prints the faults of the first view, which no page may show yet.
    func review() { _ = findings(in: still()) }

    func findings(in view: View) -> [LiveFinding] {
        let (refused, save) = state.withLock { ($0.refused, $0.save) }
        let complaints = refused.isEmpty ? options.complaints(view.diagnostics) : refused
        said.say(complaints, of: save)
        return PagedSource.findings(complaints)
    }

    /// The most faults that a page lists.
    private static let shownCount = 60

    private static func findings(_ complaints: [BundleComplaint]) -> [LiveFinding] {
        let all = BundleComplaints(complaints)
        let sorted = all.errors + all.warnings
        return sorted.prefix(shownCount).map {
            LiveFinding(isError: $0.severity == .error, $0.text, hints: $0.hints)
        }
    }

    var program: LiveProgram { state.withLock { $0.program } }

    func widget() async -> RunningWidget {
        let widget = await own(state.withLock { $0.widget })
        return RunningWidget(options.unkept(widget), network: options.network(of: widget.program))
    }

    func renew(_ widget: RunningWidget) async {
        let read = await own(state.withLock { $0.widget })
        await widget.replace(read.program, content: options.content?.hex, native: read.native, cache: nil)
    }

    /// The widget of a package with a program for itself, whose start takes a while.
    private func own(_ widget: ReadWidget) async -> ReadWidget {
        guard let native = widget.native, let package = options.package else { return widget }
        return await withCheckedContinuation { continuation in
            options.world.threads.queue("widget.starting", qos: .default).async {
                continuation.resume(returning: ReadWidget(program: widget.program, native: package.another(native)))
            }
        }
    }

    func still() -> View {
        var instance = options.unkept(state.withLock { $0.widget })
        _ = instance.send(.start)
        return instance.view()
    }
}

/// The widget of a command line in the languages that its author looks at it in.
final class PagedLanguages: WorkbenchSource {
    private let options: RunningOptions
    private let said: SaidComplaints
    private let first: PagedSource
    private let others = Guarded<[String: PagedSource]>([:])

    /// The most languages that are read at once.
    private static let languageCount = 40

    init(_ widget: ReadWidget, _ options: RunningOptions) {
        self.options = options
        said = SaidComplaints(options.terminal)
        first = PagedSource(widget, options, said)
        first.review()
    }

    var usual: any LiveSource { first }

    /// Those of the bundle. One without any shows the system's words in another language, and dates.
    var languages: [String] {
        // Each language of a package would be another process.
        guard options.package == nil else { return [] }
        let own = options.languages.filter(DeviceChoice.isLocale)
        return (own.isEmpty ? SystemWords.languages : own).prefix(PagedLanguages.languageCount).map(\.self)
    }

    func options(in locale: String) -> PageOptions {
        let locale = locale.isEmpty ? options.locale : locale
        var pages = PageOptions(viewport: options.viewport.viewport)
        pages.viewport.direction = options.viewport.direction ?? .init(of: locale)
        pages.scheme = options.viewport.scheme
        pages.locale = locale
        return pages
    }

    func source(in locale: String) async throws(LiveRefusal) -> any LiveSource {
        if let known = others.withLock({ $0[locale] }) { return known }
        guard options.package == nil else { throw .unreadable("A package has the language of the command line.") }
        let reader = options.forReader(of: locale)
        let source = PagedSource(try await PagedLanguages.read(reader), reader, said)
        return others.withLock { others in
            if let known = others[locale] { return known }
            if others.count >= PagedLanguages.languageCount { others = [:] }
            others[locale] = source
            return source
        }
    }

    /// Reads the program in a language, on a thread that may wait for files.
    private static func read(_ options: RunningOptions) async throws(LiveRefusal) -> ReadWidget {
        let result: Result<ReadWidget, LiveRefusal> = await withCheckedContinuation { continuation in
            options.world.threads.queue("widget.reading", qos: .default).async {
                do throws(CommandFailure) {
                    continuation.resume(returning: .success(try options.programAgain()))
                } catch {
                    continuation.resume(returning: .failure(.unreadable(error.sentence)))
                }
            }
        }
        return try result.get()
    }

    /// Takes a change of the source to all pages.
    func take(_ change: SourceChanges.Change, to desk: LiveDesk) async {
        let save = said.begin()
        var (warning, refusals) = (change.warning, change.refusals)
        if let widget = change.widget {
            let errors = first.take(widget, of: save)
            if errors.isEmpty {
                await renewOthers(of: save, on: desk)
                await desk.renew(first)
                first.review()
            } else {
                for source in all { source.refuse(errors, of: save) }
                warning = warning ?? "The last version continues to run."
                refusals += 1
            }
        }
        if let sentence = change.warning {
            for source in all { source.refuse([BundleComplaint(.error, sentence)], of: save) }
        }
        guard let warning else { return }
        for source in all { await desk.warn(source, warning, times: refusals) }
    }

    private var all: [PagedSource] { [first] + others.withLock { $0.values.map(\.self) } }

    private func renewOthers(of save: Int, on desk: LiveDesk) async {
        for (locale, source) in others.withLock({ $0 }) {
            do throws(LiveRefusal) {
                // A translation may be at fault where the usual language is not.
                let read = try await PagedLanguages.read(options.forReader(of: locale))
                let errors = source.take(read, of: save)
                if !errors.isEmpty { source.refuse(errors, of: save) }
                await desk.renew(source)
            } catch {
                // It was read a moment ago in the usual language: the next save tries again.
                await desk.warn(source, "\(error)", times: 1)
            }
        }
    }
}
