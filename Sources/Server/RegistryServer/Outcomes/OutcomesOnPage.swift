internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of a release as people get it who have signed in: with what hosts have reported of it.
///
/// The page that is kept is the same for all, and has a mark where the counts come. A copy with them is made for one answer,
/// and is not stored.
struct OutcomesOnPage: Sendable {
    let desk: OutcomeDesk
    let access: Access
    let work: WorkQueue

    /// The template of the page.
    static let page = "/w/{id}/{key}"
    /// The place of the counts; texts of others cannot have it, since they are escaped.
    static let mark: StaticString = "<!--outcomes-->"

    /// The change to an answer, where a person has signed in.
    @Sendable func change(_ request: borrowing Request) -> (@Sendable (Answer) -> Answer)? {
        guard let session = SessionCookie.session(request) else { return nil }
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 3, let bundle = BundleIdentifier(checking: parts[1]),
            let key = ReleaseKey(checking: parts[2])
        else { return nil }
        let (root, client) = (request.root, request.client)
        return { [self] answer in
            guard case .resource(let resource) = answer, resource.mediaType == GalleryFrame.mediaType,
                case .bytes(let bytes) = resource.content
            else { return answer }
            return .later { responder in
                work.run {
                    guard let person = access.person(inSession: session, from: client),
                        person.caller.covers(bundle.text),
                        let part = part(bundle.text, key.text, below: root),
                        let page = OutcomesOnPage.page(bytes, with: part)
                    else { return responder.answer(answer) }
                    var fields = FieldBlock(["Content-Type": GalleryFrame.mediaType, "Cache-Control": "no-store"])
                    fields.add(resource.fields.without("Cache-Control"))
                    responder.answer(.response(Response(.ok, fields: fields, body: page)))
                }
            }
        }
    }

    /// - Returns: `nil` where the counts cannot be read; the page is shown without them.
    private func part(_ bundle: String, _ key: String, below root: String) -> [UInt8]? {
        guard let outcomes = try? desk.registry.outcomes(bundle, key) else { return nil }
        let accepts = desk.accepts
        if outcomes.counts.isEmpty, accepts == .off { return nil }
        let document = OutcomeCountsDocument(outcomes, accepts: accepts)
        return RootPath.filled(OutcomesPart(document: document, today: desk.registry.today).bytes(), root)
    }

    private static func page(_ bytes: [UInt8], with part: [UInt8]) -> [UInt8]? {
        guard let place = bytes.firstRange(of: Array(mark.description.utf8)) else { return nil }
        return bytes[..<place.lowerBound] + part + bytes[place.upperBound...]
    }
}

/// The counts of a release as a part of its page: a sum, a picture of the last weeks, and a table.
struct OutcomesPart {
    let document: OutcomeCountsDocument
    /// Days since 1970.
    let today: Int64

    /// The days of the picture, and the rows of the table. The document has all of them.
    private static let picturedDays = 30
    private static let mostRows = 30

    func bytes() -> [UInt8] {
        var html = HTMLWriter(reservingBytes: 8 << 10, addressMark: RootPath.mark)
        html.section("On devices", id: "outcomes") { html in
            guard !document.days.isEmpty else {
                return html.paragraph("No host has reported anything of this release.", class: "soft")
            }
            html.paragraph(sentence)
            picture(to: &html)
            table(to: &html)
            html.element(.p) {
                $0.set(.class, "soft small")
            } content: { html in
                html.text(
                    "Lower bounds: hosts say each thing once, and what is lost is not said again. Days are those of UTC. "
                )
                html.link(RegistryPath.outcomes(document.bundleIdentifier, document.release), "All of it")
                html.text(" is kept for \(Registry.outcomeDays) days.")
            }
        }
        return html.finish()
    }

    private func sum(_ value: (OutcomeCountsDocument.Day) -> Int) -> Int {
        document.days.reduce(0) { $0.adding(value($1)) ?? .max }
    }

    private var sentence: String {
        "Installed \(sum(\.installed)) times, confirmed \(sum(\.confirmed)) times, failed \(sum(\.failed)) times."
    }

    // MARK: The picture

    /// Bars of the days: those that started it upwards, failures downwards. The table means the same.
    private func picture(to html: inout HTMLWriter) {
        var started = [Int](repeating: 0, count: OutcomesPart.picturedDays)
        var failed = started
        let days = (0..<OutcomesPart.picturedDays).map { day(today - Int64(OutcomesPart.picturedDays - 1 - $0)) }
        for day in document.days {
            guard let place = days.firstIndex(of: day.day) else { continue }
            started[place] = started[place].adding(day.started) ?? .max
            failed[place] = failed[place].adding(day.failed) ?? .max
        }
        let most = max(1, (started + failed).max() ?? 1)
        var bars = ""
        for place in days.indices {
            let (up, down) = (height(started[place], most), height(failed[place], most))
            if up > 0 { bars += "<path d=\"M\(place * 8) 40h6v-\(up)h-6z\"/>" }
            if down > 0 { bars += "<path class=\"bad\" d=\"M\(place * 8) 42h6v\(down)h-6z\"/>" }
        }
        html.markup("<svg class=\"bars\" viewBox=\"0 0 240 82\" role=\"img\" aria-label=\"")
        html.text(
            "Starts and failures of the last \(OutcomesPart.picturedDays) days: at most \(started.max() ?? 0) starts and "
                + "\(failed.max() ?? 0) failures a day")
        html.markup("\">")
        html.trusted(bars)
        html.markup("</svg>")
    }

    /// The height of a bar; that of one is seen.
    private func height(_ count: Int, _ most: Int) -> Int {
        count == 0 ? 0 : max(1, Int(Double(count) / Double(most) * 40))
    }

    private func day(_ number: Int64) -> String { String(Timestamp.text(number * 86_400).prefix(10)) }

    // MARK: The table

    private func table(to html: inout HTMLWriter) {
        html.box(class: "scroll") { html in
            html.element(.table) { html in
                html.element(.caption, text: "By day and channel")
                html.tableHead(["Day", "Channel", "Installed", "Started", "Confirmed", "Failed"])
                html.element(.tbody) { html in
                    for day in document.days.prefix(OutcomesPart.mostRows) { row(day, to: &html) }
                }
            }
        }
    }

    private func row(_ day: OutcomeCountsDocument.Day, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, text: day.day) {
                $0.set(.scope, "row")
                $0.set(.class, "number line")
            }
            html.element(.td, text: day.channel)
            for count in [day.installed, day.started, day.confirmed] {
                html.element(.td, text: String(count)) { $0.set(.class, "number") }
            }
            html.element(.td) {
                $0.set(.class, "number")
            } content: { html in
                html.text(String(day.failed))
                for failure in day.failures {
                    html.begin(.br)
                    html.element(.span, text: "\(failure.count) \(failure.outcome): \(failure.reason)") {
                        $0.set(.class, "soft small")
                    }
                }
            }
        }
    }
}
