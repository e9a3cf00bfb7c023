internal import WidgetContract
internal import WidgetCore
internal import WidgetRunning

/// The views of a widget from before: the one that an earlier run has kept, until the present one has data, and the last
/// whole one, while the present one is beyond a limit.
package struct ViewMemory: Sendable {
    private let file: KeptViewFile?
    /// The digest of the bundle whose views are kept.
    private var program: String
    /// The view of an earlier run, as long as it is shown.
    private var kept: KeptView?
    /// The last view that was whole.
    private var whole: View?
    /// The content that the earlier run has accepted.
    let content: AcceptedContent?
    /// The reason why the last view was not kept; `nil` if it was.
    private(set) var warning: String?

    /// - Parameters:
    ///   - file: where views are kept; `nil` if they are not.
    ///   - kept: the view of an earlier run. That of another bundle is not shown.
    package init(_ file: KeptViewFile? = nil, program: String = "", kept: KeptView? = nil) {
        self.file = file
        self.program = program
        content = kept?.content
        self.kept = kept.flatMap { $0.program == program ? $0 : nil }
    }

    /// True while the view of an earlier run is shown.
    var isShowingKept: Bool { kept != nil }

    /// Shows the present view from now on.
    ///
    /// - Parameter program: the digest of the bundle that continues, if it is another one.
    mutating func forget(for program: String? = nil) {
        (kept, whole) = (nil, nil)
        if let program { self.program = program }
    }

    /// The view to show in place of the present one, and true if it is another.
    mutating func shown(_ present: View) -> (View, isKept: Bool) {
        if var view = kept?.view {
            view.diagnostics = present.diagnostics
            return (view, true)
        }
        if present.shortage == nil {
            whole = present
        } else if var view = whole, view.screen == present.screen {
            view.diagnostics = present.diagnostics
            return (view, true)
        }
        return (present, false)
    }

    /// The reason why an event does not reach the present view, of which nothing was shown yet. The view of the earlier
    /// run ends with it.
    ///
    /// - Parameter look: the present view, which is looked at only where the one of the earlier run is shown.
    mutating func refusal(of event: Event, now look: () -> View) -> String? {
        guard let before = kept?.view else { return nil }
        kept = nil
        guard let key = event.key else { return nil }
        let present = look()
        if let element = before.node(key) {
            let now = present.node(key)
            if now?.kind == element.kind, now?.identifier == element.identifier { return nil }
        }
        return "the screen was that of the last time, and has been replaced; look again"
    }

    // MARK: - Keeping

    /// Keeps a view, unless parts of it are missing. It is the one that is shown from now on.
    mutating func keep(_ view: View, _ content: AcceptedContent?, at moment: Double) {
        kept = nil
        guard view.shortage == nil else { return }
        whole = view
        guard let file, !view.screen.isEmpty else { return }
        do throws(WidgetError) {
            try file.write(KeptView(view: view, content: content, savedAt: moment, program: program))
            warning = nil
        } catch {
            warning = "\(error)"
        }
    }
}

extension Event {
    /// The element that a person has touched.
    fileprivate var key: ViewKey? {
        switch self {
        case .tap(let key), .input(let key, _), .submit(let key), .select(let key), .deleteRow(let key),
            .scroll(let key, _), .refresh(let key), .pick(let key, _):
            key
        case .start, .back, .link, .arrive, .reveal, .replaced, .update, .time, .response, .progress, .setting, .cached,
            .abandon, .signal, .perform, .continued:
            nil
        }
    }
}
