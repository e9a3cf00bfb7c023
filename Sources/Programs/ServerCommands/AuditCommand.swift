import HTTPWire
import JSONText
import RegistryContract
import RegistryServer
import WidgetBytes
import WidgetConsole
import WidgetHTTPServer
import WidgetRegistry
import WidgetSurroundings

/// `widgetd audit`: shows accepted acts, through the running server where there is one.
enum AuditCommand {
    private static let forms = ["text", "json"]
    private static let usualCount = 100
    private static let most = 1_000_000

    static let command = Command(
        "audit", "show who changed what: accepted acts, newest first",
        example: "widgetd audit --since 7d --bundle com.acme.Clock",
        options: TokenCommand.place + [
            Option("since", value: "TIME", help: "from when: 7d, 12h, or 2026-11-20T09:00:00Z"),
            Option("until", value: "TIME", help: "before when, likewise"),
            Option("bundle", value: "ID", help: "only acts on this bundle"),
            Option("token", value: "NAME", help: "only acts of this token, by name or number, and its making"),
            Option("limit", value: "COUNT", help: "the most records; \(usualCount) without it"),
            Option("as", value: "FORM", choices: ["text", "json"], help: "text or json"),
        ])

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        let form = invocation.value("as") ?? forms[0]
        guard forms.contains(form) else {
            invocation.terminal.complain(
                "there is no form \(ShownText.quoted(form))", hints: ["use --as text or --as json"])
            return .misuse
        }
        guard let count = invocation.value("limit").map({ WholeNumber.read($0, 1...most) }) ?? usualCount else {
            invocation.terminal.complain("--limit is a number from 1 to \(most)")
            return .misuse
        }
        let query = AuditFilter(
            values: [
                ("\(AuditListParameters.since.name)", invocation.value("since")),
                ("\(AuditListParameters.until.name)", invocation.value("until")),
                ("\(AuditListParameters.bundle.name)", invocation.value("bundle")),
                ("\(AuditListParameters.token.name)", invocation.value("token")),
            ])
        do {
            _ = try AuditListParameters(query)
        } catch {
            invocation.terminal.complain("--\(error.name) is \(error.expectation), not \(ShownText.quoted(error.text))")
            return .misuse
        }
        return Housekeeping.run(invocation, settings) {
            let records = try AuditDoor(settings, invocation.world).records(query, count: count)
            guard form == "json" else { return invocation.terminal.print(text(records)) }
            return invocation.terminal.print(PageDocument(records).bytes)
        }
    }

    private static func text(_ records: [AuditDocument]) -> String {
        guard !records.isEmpty else { return "no such acts are on record\n" }
        return TextTable.text(
            ["NUMBER", "TIME", "ACT", "BY", "ABOUT", "CHANNEL", "CHANGE", "CLIENT", "REMARK"],
            records.map { record in
                [
                    String(record.number), record.at, record.act,
                    record.by + (record.byToken.map { " #\($0)" } ?? ""), subject(record), record.channel ?? "-",
                    change(record), record.client ?? "-", record.remark ?? "",
                ].map { ShownText.plain($0) }
            })
    }

    private static func subject(_ record: AuditDocument) -> String {
        if let token = record.token {
            return "token \(token.name) #\(token.number)" + (token.prefix.isEmpty ? "" : " for \(token.prefix)")
        }
        return [record.bundleIdentifier ?? "the store", record.release].compactMap { $0 }.joined(separator: " ")
    }

    private static func change(_ record: AuditDocument) -> String {
        guard record.from != nil || record.to != nil else { return "-" }
        return "\(shown(record.from)) → \(shown(record.to))" + (record.isForced ? ", forced" : "")
    }

    private static func shown(_ state: AuditDocument.Shown?) -> String {
        guard let state else { return "nothing" }
        var text = state.release
        if state.rollout < Rollout.bucketCount { text += " to \(state.rollout) of \(Rollout.bucketCount)" }
        return state.isMandatory ? text + ", mandatory" : text
    }
}

/// The filters of an audit, as a query that is read and written like one of a request.
private struct AuditFilter: QuerySource {
    var values: [(name: String, value: String?)]

    var hasQuery: Bool { values.contains { $0.value != nil } }

    func parameter(_ name: StaticString) -> String? {
        values.first { $0.name == "\(name)" }.flatMap(\.value)
    }

    func parameters(_ name: StaticString) -> [String] { values.filter { $0.name == "\(name)" }.compactMap(\.value) }

    func words(_ name: StaticString) -> String? { parameter(name) }

    var text: String {
        values.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.segment($0))" } }
            .joined(separator: "&")
    }
}

/// The way to the audit: the running server, or else the store itself, under its lock.
private struct AuditDoor {
    private let settings: Settings
    private let world: World

    init(_ settings: Settings, _ world: World) {
        self.settings = settings
        self.world = world
    }

    func records(_ filter: AuditFilter, count: Int) throws -> [AuditDocument] {
        var records: [AuditDocument] = []
        var filter = filter
        var desk: AuditDesk?
        while true {
            let limit = min(count - records.count, PageParameters.mostItems)
            filter.values.append(("\(PageParameters.limit.name)", String(limit)))
            let page: PageDocument<AuditDocument>
            if desk == nil, let answer = try ask(filter) {
                page = answer
            } else {
                let own = try desk ?? AuditDesk(Housekeeping.openStore(settings, in: world), clock: world.clock)
                desk = own
                do {
                    page = try own.page(AuditListParameters(filter), for: .owner("owner"))
                } catch let problem as Problem {
                    throw StartFailure(problem.reason ?? problem.detail, status: problem.status.rawValue)
                }
            }
            records += page.items
            guard let next = page.next, records.count < count else { return records }
            filter.values.removeAll {
                ["\(PageParameters.limit.name)", "\(PageParameters.cursor.name)"].contains($0.name)
            }
            filter.values.append(("\(PageParameters.cursor.name)", next))
        }
    }

    /// The server's answer; `nil` when no server runs.
    private func ask(_ filter: AuditFilter) throws -> PageDocument<AuditDocument>? {
        let target = "\(RegistryPath.audit)?\(filter.text)"
        guard let answer = try ControlSocket.ask(settings.data, "GET", target) else { return nil }
        let cursor = try JSONDocument(parsing: answer.body).cursor
        guard answer.status == 200 else {
            throw StartFailure(try cursor.require("detail"), status: answer.status)
        }
        return try PageDocument(json: cursor)
    }
}
