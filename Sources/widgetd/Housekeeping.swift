import Arguments
import Configuration
import Console
import HTTPServer
import JSONText
import Logging
import Registry
import RegistryServer
import Sockets

/// What the commands that work on a whole store have in common.
enum Housekeeping {
    static let json = Option("json", help: "print the report as JSON")
    /// How to find the registry; what else a server is told is no matter here.
    static let place = TokenCommand.place + [json]

    /// Runs a command, and says in words what keeps it from working.
    static func run(_ settings: Settings, _ body: () throws -> ExitCode) -> ExitCode {
        do {
            return try body()
        } catch let failure as StartFailure {
            Terminal.complain(failure.message, hints: failure.hints)
            return failure.code
        } catch let error as RegistryError {
            let failure = StartFailure(error, data: settings.data)
            Terminal.complain(failure.message, hints: failure.hints)
            return failure.code
        } catch let error as SystemError {
            Terminal.complain("the server did not answer: \(error)", hints: ["is it stuck? its log may tell"])
        } catch {
            Terminal.complain("\(error)")
        }
        return .failed
    }

    /// Opening a store makes one, which nobody asked for who looks in the wrong place.
    static func requireStore(_ settings: Settings) throws(StartFailure) {
        guard Store.exists(settings) else {
            throw StartFailure(
                "there is no registry in \(settings.data)",
                hints: ["name its data directory with --data DIR, or start the server there once"])
        }
    }

    /// Has the running server do it, or does it here under the store's lock.
    ///
    /// - Returns: the report, a JSON object.
    static func report(
        _ settings: Settings, _ target: String, _ title: String, counting unit: ProgressBar.Unit = .bytes,
        otherwise body: (Housekeeper, @escaping Housekeeper.Watcher) throws -> [UInt8]
    ) throws -> [UInt8] {
        let bar = Bar(title, counting: unit)
        if let report = try ask(settings, target, bar) { return report }
        try requireStore(settings)
        let registry = try Store.open(settings)
        let housekeeper = Housekeeper(registry, now: { WallClock.now().seconds }) { settings.housekeepingPolicy }
        return try body(housekeeper) { bar.show($0, $1) }
    }

    /// The report of the server; `nil` when none runs.
    private static func ask(_ settings: Settings, _ target: String, _ bar: Bar) throws -> [UInt8]? {
        var status = 0
        var text: [UInt8] = []
        var last: [UInt8] = []
        let isThere = try ControlSocket.stream(settings.data, "POST", target) { code, _ in
            status = code
        } receive: { bytes in
            text += bytes
            while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                last = Array(text[..<end])
                text.removeSubrange(...end)
                if let cursor = try? JSONDocument(parsing: last).cursor, let done: Int = try? cursor.require("done"),
                    let total: Int = try? cursor.require("total")
                {
                    bar.show(done, total)
                }
            }
            return true
        }
        guard isThere else { return nil }
        let limits = JSONLimits(byteCount: 64 << 20, valueCount: 1 << 20)
        guard let cursor = try? JSONDocument(parsing: last, limits: limits).cursor else {
            throw StartFailure(
                "the server ended before it was done (status \(status))", hints: ["its log may tell why"])
        }
        if let report = try cursor.member("report") { return Array(last[report.value.span.range]) }
        if let problem = try cursor.member("problem") {
            throw StartFailure(try problem.require("detail"), hints: ["the server's log has the rest"])
        }
        throw StartFailure(try cursor.require("detail"))
    }

    static func cursor(_ report: [UInt8]) throws(JSONError) -> JSONCursor {
        try JSONDocument(parsing: report, limits: JSONLimits(byteCount: 64 << 20, valueCount: 1 << 20)).cursor
    }
}

/// A progress bar that closures can share.
final class Bar {
    private var bar: ProgressBar?

    init(_ title: String, counting unit: ProgressBar.Unit = .bytes) {
        bar = ProgressBar(title, counting: unit)
    }

    func show(_ done: Int, _ total: Int?) {
        bar?.show(done, of: total)
    }
}

extension Settings {
    /// What the server does by itself to stay well.
    var housekeepingPolicy: Housekeeper.Policy {
        var policy = Housekeeper.Policy()
        policy.grace = housekeeping.grace
        policy.scrubRate = housekeeping.scrubRate
        policy.collectEvery = housekeeping.collectEvery
        policy.scrubEvery = housekeeping.scrubEvery
        policy.diskReserve = limits.diskReserve
        return policy
    }
}
