internal import WidgetBytes
internal import WidgetCore
internal import WidgetDocuments
internal import WidgetHosting
internal import WidgetLayout
internal import WidgetPredicates
internal import WidgetRender
internal import WidgetRunning
internal import WidgetSurroundings
public import Widgets

/// A widget of Swift within a program: it runs, is shown in any form, and takes what people do.
///
/// Its closures run when an action calls them, one at a time. It has no network.
public actor EmbeddedWidget {
    /// A form in which the widget is shown.
    public enum Form: String, Sendable, CaseIterable {
        /// Lines of text.
        case text
        /// A document of JSON.
        case json
        /// A page of HTML.
        case html
        /// The place of each element, as a document of JSON.
        case frames
    }

    /// One element for each time that the widget may look different. They wait for one reader.
    public nonisolated let changes: AsyncStream<Void>

    private let running: RunningWidget

    /// Makes a widget, and begins.
    public init(_ first: sending any Widget, identifier: String = "com.example.Embedded") async throws(EmbeddingError) {
        let code = DeclaredProgram(identifier, first: first)
        let native = NativeProgram(code.declaration, code: code)
        let environment = Environment(now: HostTime.moment(of: SystemClock()))
        let instance: WidgetInstance
        do throws(DocumentError) {
            instance = WidgetInstance(try native.program(), environment: environment, native: native)
        } catch {
            throw .unreadable("\(error)")
        }
        running = RunningWidget(instance, network: DeniedNetwork())
        changes = running.changes
        await running.start()
    }

    // MARK: - The screen

    /// The screen as it is now.
    ///
    /// - Parameters:
    ///   - columns: the width of text.
    ///   - width, height: the size of a page or of frames, in points.
    public func shown(
        as form: Form = .text, columns: Int = 80, width: Double = 390, height: Double = 844
    ) async -> String {
        let snapshot = await running.snapshot()
        let program = await running.program
        let options = PrintOptions(
            columns: min(max(columns, 20), 1_000), viewport: Viewport(size: Size(width: width, height: height)))
        let bytes: [UInt8] =
            switch form {
            case .text: ViewText(program, options).print(snapshot.view, NoAssets())
            case .json: ViewJSON(program, options).print(snapshot.view, NoAssets())
            case .html: PagePrinter(program, options).print(snapshot.view, NoAssets())
            case .frames: ViewFrames(program, options).print(snapshot.view, NoAssets())
            }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The faults of the widget, each with its place and a hint.
    public var faults: [String] {
        get async {
            await running.snapshot().view.diagnostics.filter { $0.severity == .error }.map(\.description)
        }
    }

    /// The sentence for the person: why the last action did nothing, if it did nothing.
    public var notice: String? { get async { await running.snapshot().notice } }

    // MARK: - What people do

    /// Taps the element of that name: its `id`, or the text that it is known by.
    public func tap(_ name: String) async throws(EmbeddingError) {
        try await send(.tap(try await key(name, for: .tap)))
    }

    /// Types a text into a field, in place of what it has.
    public func type(_ text: String, into name: String) async throws(EmbeddingError) {
        try await send(.input(try await key(name, for: nil), .string(text)))
    }

    /// Turns a switch on or off.
    public func turn(_ name: String, on isOn: Bool) async throws(EmbeddingError) {
        try await send(.input(try await key(name, for: nil), .boolean(isOn)))
    }

    /// Selects a row of a list.
    public func select(row: Int, section: Int = 0, of list: String = "list") async throws(EmbeddingError) {
        let (key, view) = try await element(list, for: .select)
        switch view.row(row, inSection: section, of: key) {
        case .row(let key): try await send(.select(key))
        case .missing(let reason): throw .refused(reason)
        }
    }

    /// Pulls a list down.
    public func refresh(_ list: String = "list") async throws(EmbeddingError) {
        try await send(.refresh(try await key(list, for: .refresh)))
    }

    /// Returns to the screen below.
    public func back() async throws(EmbeddingError) { try await send(.back) }

    /// Ends the widget: its timers, and the stream of changes.
    public func stop() async { await running.stop() }

    private func key(_ name: String, for event: NodeEvent?) async throws(EmbeddingError) -> ViewKey {
        try await element(name, for: event).key
    }

    /// The key of an element, and the view that it is from.
    private func element(
        _ name: String, for event: NodeEvent?
    ) async throws(EmbeddingError) -> (key: ViewKey, view: View) {
        let view = await running.snapshot().view
        let search = ElementSearch(view)
        if let key = search.key(name, for: event) { return (key, view) }
        let names = search.names
        throw .unknown(name, nearest: NearestName.of(name, in: names), names: names)
    }

    private func send(_ event: Event) async throws(EmbeddingError) {
        if let reason = await running.send(event) { throw .refused(reason) }
    }
}

/// The reason why a widget does not begin, or does not take an event.
public enum EmbeddingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The screens cannot be read.
    case unreadable(String)
    /// No element has the name.
    case unknown(String, nearest: String?, names: [String])
    /// The widget does not take the event, with the reason.
    case refused(String)

    public var description: String {
        switch self {
        case .unreadable(let reason), .refused(let reason): reason
        case .unknown(let name, let nearest?, _): "nothing is called \(name) on the screen; did you mean \(nearest)?"
        case .unknown(let name, nil, let names):
            "nothing is called \(name) on the screen" + (names.isEmpty ? "" : "; there are \(NameList(names))")
        }
    }
}
