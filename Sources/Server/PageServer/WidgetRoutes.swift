internal import HTTPWire
internal import JSONText
internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetHTTPServer
internal import WidgetLayout
package import WidgetLive
package import WidgetRender

/// A widget of a host at one moment, as other programs are shown it.
package struct ServedWidget: Sendable {
    package var program: LiveProgram
    package var view: View
    package var data: DataStatus
    /// The seconds between two updates; `nil` if they come only when they are asked for.
    package var interval: Double?

    package init(program: LiveProgram, view: View, data: DataStatus, interval: Double?) {
        self.program = program
        self.view = view
        self.data = data
        self.interval = interval
    }
}

/// The widgets of a host, by their identifiers.
package protocol ServedWidgets: AnyObject, Sendable {
    func widget(_ identifier: String) async -> ServedLookup

    /// Asks for newer data, and waits for the end of the update.
    ///
    /// - Returns: `nil` if no widget of that identifier runs.
    func update(_ identifier: String) async -> DataUpdateResult?
}

package enum ServedLookup: Sendable {
    case running(ServedWidget)
    /// No widget runs in its slot, with the reason.
    case absent(String)
    case unknown
}

/// `GET /widgets/{id}`: a widget as a page, as text, as JSON or as frames, for programs that ask again and again.
package struct WidgetRoutes: Sendable {
    private let widgets: any ServedWidgets
    private let options: PrintOptions
    private let pages: PageOptions

    /// - Parameters:
    ///   - options: the room for text and frames.
    ///   - pages: the reader of pages.
    package init(_ widgets: any ServedWidgets, _ options: PrintOptions, pages: PageOptions) {
        self.widgets = widgets
        self.options = options
        self.pages = pages
    }

    func add(to routes: inout Routes, _ viewings: LiveRoutes, _ hosts: PageHosts) {
        routes.get("/widgets/{id}") { [self] request, identifier in
            if let refusal = hosts.refusal(request) { return refusal }
            guard let form = WidgetForm(accepting: request.list(.accept)) else {
                return WidgetRoutes.problem(.notAcceptable, WidgetForm.choice)
            }
            let known = request.list(.ifNoneMatch)
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    responder.answer(answer(await widgets.widget(identifier), as: form, unless: known, viewings))
                }
            }
        }
        routes.on(.post, "/widgets/{id}/update") { [self] request, identifier in
            if let refusal = hosts.refusalOfPost(request) { return refusal }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    responder.answer(WidgetRoutes.answer(to: await widgets.update(identifier)))
                }
            }
        }
    }

    // MARK: - Answers

    private func answer(
        _ found: ServedLookup, as form: WidgetForm, unless known: String?, _ viewings: LiveRoutes
    ) -> Answer {
        switch found {
        case .unknown: return WidgetRoutes.problem(.notFound, "No slot of this page has a widget of that identifier.")
        case .absent(let reason): return WidgetRoutes.problem(.serviceUnavailable, reason, retryAfter: 10)
        case .running(let widget):
            guard widget.view.isVisible else {
                return .response(Response(.noContent, fields: WidgetRoutes.fields(widget)))
            }
            // Without any content, the reason of the failure is all that there is to say.
            if widget.data.digest == nil, widget.data.state != .updating, let failure = widget.data.failure {
                let wait = Int((widget.data.untilNext ?? 10).rounded(.up))
                return WidgetRoutes.problem(.serviceUnavailable, "\(failure)", retryAfter: max(wait, 1))
            }
            let (type, bytes) = document(widget, as: form, viewings)
            var fields = WidgetRoutes.fields(widget)
            let tag = "\"\(Digest.sha256(Array(type.utf8) + [0] + bytes)?.hex.prefix(32) ?? "0")\""
            // A placeholder is nothing to compare with.
            fields.add("ETag", widget.data.digest == nil ? "W/\(tag)" : tag)
            if WidgetRoutes.matches(known, tag) { return .response(Response(.notModified, fields: fields)) }
            fields.add("Content-Type", type)
            return .response(Response(.ok, fields: fields, body: bytes))
        }
    }

    /// True if one of the tags of `If-None-Match` is this one, strong or weak (RFC 9110 §13.1.2).
    static func matches(_ known: String?, _ tag: String) -> Bool {
        guard let known else { return false }
        return known.split(separator: ",").contains { part in
            let text = part.trimming(while: { $0 == " " || $0 == "\t" })
            return text == "*" || text == tag || text == "W/\(tag)"
        }
    }

    private static func fields(_ widget: ServedWidget) -> FieldBlock {
        let most = Int(widget.interval ?? 0)
        var fields = PageAnswer.fields("private, max-age=\(most), stale-while-revalidate=\(max(most, 60))")
        fields.add("Vary", "Accept")
        fields.add("Widget-State", widget.data.state.rawValue)
        fields.add("Widget-Revision", widget.data.revision)
        if let age = widget.data.age { fields.add("Age", Int(age)) }
        if let failure = widget.data.failure { fields.add("Widget-Failure", WidgetRoutes.line("\(failure)")) }
        return fields
    }

    /// A sentence that a header field can have.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.prefix(300).map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
    }

    private static func answer(to result: DataUpdateResult?) -> Answer {
        var fields = PageAnswer.fields(.never)
        switch result {
        case nil: return problem(.notFound, "No widget of that identifier runs.")
        case .failed(let failure): return problem(.serviceUnavailable, "\(failure)")
        case .newData: fields.add("Widget-Update", "newData")
        case .noData: fields.add("Widget-Update", "noData")
        }
        return .response(Response(.noContent, fields: fields))
    }

    private static func problem(_ status: Status, _ detail: String, retryAfter: Int? = nil) -> Answer {
        var problem = Problem(code: "widget", title: "The widget was not sent", status: status, detail: detail)
        problem.fields = FieldBlock([
            "Content-Security-Policy": LiveFrame.policy, "Referrer-Policy": PageAnswer.referrers,
            "Cross-Origin-Resource-Policy": "same-origin",
        ])
        if let retryAfter { problem.fields.add("Retry-After", retryAfter) }
        return .problem(problem)
    }

    // MARK: - Documents

    private func document(
        _ widget: ServedWidget, as form: WidgetForm, _ viewings: LiveRoutes
    ) -> (type: String, bytes: [UInt8]) {
        let program = widget.program.planned.program
        switch form {
        case .html: return (form.mediaType, page(widget, viewings))
        case .text: return (form.mediaType, ViewText(program, options).print(widget.view, widget.program.assets))
        case .frames: return (form.mediaType, ViewFrames(program, options).print(widget.view, widget.program.assets))
        case .json:
            var writer = JSONWriter(reservingBytes: 8 << 10)
            let size = options.viewport.size
            writer.object { writer in
                writer.key("status")
                writer.object { writer in
                    if let failure = widget.data.failure { writer.member("reason", "\(failure)") }
                    writer.member("revision", widget.data.revision)
                    writer.member("state", widget.data.state.rawValue)
                }
                writer.key("view")
                ViewJSON.write(widget.view, size: (Int(size.width), Int(size.height)), to: &writer)
            }
            return (form.mediaType, writer.finish())
        }
    }

    /// A page without a stream; its sheets and pictures are those of all pages.
    private func page(_ widget: ServedWidget, _ viewings: LiveRoutes) -> [UInt8] {
        var options = pages
        options.pictureFolder = PageAddress.assets
        let program = widget.program.planned
        let rules = PagePrinter(program, options).page(widget.view, widget.program.assets)
        let sheet = Array(ViewingSheet.text(options, for: [rules]).utf8)
        let name = "\(PageFiles.digest(of: sheet)).css"
        options.sheets = LiveRoutes.sheets + [program.sheet.file, name].map { PageAddress.assets + $0 }
        let page = PagePrinter(program, options).page(widget.view, widget.program.assets)
        viewings.keep(
            page.pictures.merging([name: sheet, program.sheet.file: program.sheet.bytes]) { first, _ in first })
        return page.html
    }
}

/// The forms in which a widget is sent, the preferred one first.
enum WidgetForm: CaseIterable {
    case html, text, json, frames

    var mediaType: String {
        switch self {
        case .html: PageAnswer.html
        case .text: "text/plain; charset=utf-8"
        case .json: "application/json"
        case .frames: "application/vnd.widget-frames+json"
        }
    }

    static let choice = "A widget is text/html, text/plain, application/json or application/vnd.widget-frames+json."

    private static let rangeCount = 32

    /// The form that a client wants most (RFC 9110 §12.5.1).
    ///
    /// - Returns: `nil` if it wants none of them.
    init?(accepting text: String?) {
        guard let text, !text.isEmpty else {
            self = .html
            return
        }
        let ranges = text.split(separator: ",").prefix(WidgetForm.rangeCount).map { AcceptedRange($0) }
        var best: (form: WidgetForm, weight: Double)?
        for form in WidgetForm.allCases {
            let essence = form.mediaType.prefix { $0 != ";" }
            // The most specific range decides.
            let range = ranges.filter { $0.rank(of: essence) > 0 }.max { $0.rank(of: essence) < $1.rank(of: essence) }
            guard let weight = range?.weight, weight > best?.weight ?? 0 else { continue }
            best = (form, weight)
        }
        guard let best else { return nil }
        self = best.form
    }
}

/// A media range of `Accept`, with its weight.
private struct AcceptedRange {
    let name: String
    let weight: Double

    init(_ text: Substring) {
        let parts = text.split(separator: ";").map { $0.trimming(while: { $0 == " " || $0 == "\t" }).lowercased() }
        name = parts.first ?? ""
        let written = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
        weight = written.map { $0.isFinite ? min(max($0, 0), 1) : 0 } ?? 1
    }

    /// 3 for the type itself, 2 for all of its kind, 1 for everything, 0 for another one.
    func rank(of essence: Substring) -> Int {
        if name == essence { return 3 }
        if name == "\(essence.prefix { $0 != "/" })/*" { return 2 }
        return name == "*/*" ? 1 : 0
    }
}

extension StringProtocol {
    /// The text without such characters at its ends.
    fileprivate func trimming(while isDropped: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
