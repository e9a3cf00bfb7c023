import Configuration
import Console
import Files
import HTTPServer
import JSONText
import LocalStore
import Logging
import Registry
import RegistryServer

/// What commands change while no server runs: noted in the data directory, until the next server puts it into its log.
struct OfflineAudit {
    /// Of what has been noted and not yet told; the oldest lines give way.
    private static let byteLimit = 256 << 10

    let audit: Audit
    private let logger: Logger

    init(_ settings: Settings) {
        let data = settings.data
        let isWanted = settings.log.logsWrites
        logger = Logger(level: .info, format: .json, sink: { OfflineAudit.append($0, in: data) })
        audit = Audit(logger) { isWanted }
    }

    /// Does what is to be noted, in the name of the data directory's owner.
    func note<Value>(
        _ action: Act, _ details: [LogField] = [], report: (Value) -> [UInt8]? = { _ in nil },
        _ body: () throws -> Value
    ) throws -> Value {
        var entry = AuditEntry(action, by: "owner")
        for detail in details { entry.add(detail) }
        do {
            let value = try body()
            if let report = report(value) { entry.add(LogField("report", json: report.dropLast())) }
            audit.record(entry, "done")
            finish()
            return value
        } catch {
            // A store that another holds is that one's to tell about.
            if case .locked? = error as? RegistryError { throw error }
            audit.record(entry, (error as? Problem)?.code ?? "failed")
            finish()
            throw error
        }
    }

    /// Waits until what was noted is in the file.
    func finish() {
        logger.flush()
    }

    private static func append(_ lines: [UInt8], in data: String) -> Int {
        do throws(FileError) {
            let folder = try Directory(opening: data)
            var all = (try? folder.openFile(StoreNames.audit).read(at: 0, count: byteLimit)) ?? []
            all += lines
            while all.count > byteLimit, let end = all.firstIndex(of: UInt8(ascii: "\n")) { all.removeSubrange(...end) }
            try folder.replaceFile(StoreNames.audit, with: all, mode: 0o600)
        } catch {
            Terminal.complain("what was done could not be noted for the log: \(error.description)")
        }
        return lines.count
    }

    /// Puts into the log what was noted since a server ran last.
    static func tell(_ settings: Settings, _ logger: Logger) {
        guard settings.log.logsWrites, let folder = try? Directory(opening: settings.data),
            let bytes = try? folder.openFile(StoreNames.audit).read(at: 0, count: byteLimit)
        else { return }
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let members = try? JSONDocument(parsing: Array(line)).cursor.members() else { continue }
            var fields: [LogField] = []
            for (name, cursor) in members where !["level", "event", "message"].contains(name) {
                let name = name == "time" ? "at" : name
                if let text = cursor.value.string {
                    fields.append(LogField(name, text))
                } else {
                    fields.append(LogField(name, json: Array(Array(line)[cursor.value.span.range])))
                }
            }
            logger.record(.notice, "audit", "", fields + [LogField("offline", true)])
        }
        try? folder.removeFile(StoreNames.audit)
    }
}
