import ClusterStore
import Dispatch
import JSONText
import ServerCommands
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings

/// `widgetd-cluster check --connect`: whether the catalog and the store of archives are there and belong together, and whether
/// the replicas that run have the same settings. Nothing is served, and nothing changed but by `--adopt-store`.
enum ConnectionCheck {
    static let options = [
        Option(
            "connect", help: "ask the catalog and the store whether they belong together, and compare other replicas"),
        Option("adopt-store", help: "with --connect: tie the store to the catalog where its archives were moved there"),
    ]

    static func run(_ invocation: Invocation, _ loaded: LoadedSettings<ClusterSettings>) -> ExitCode {
        let settings = loaded.settings
        guard invocation.has("connect") else {
            guard !invocation.has("adopt-store") else {
                invocation.terminal.complain(
                    "--adopt-store wants --connect", hints: ["widgetd-cluster check --connect --adopt-store"])
                return .misuse
            }
            return CheckCommand.run(invocation, loaded, settings.server())
        }
        do throws(RegistryError) {
            let findings = try findings(settings, adopts: invocation.has("adopt-store"))
            let printed = CheckCommand.run(invocation, loaded, settings.server(), findings)
            return printed == .clean && findings.lines.contains { $0.name == differs } ? .failed : printed
        } catch {
            let (message, hints) = ServerCommand.words(for: error, data: settings.base.data)
            invocation.terminal.complain(message, hints: hints)
            return .failed
        }
    }

    private static let differs = "differs"

    private static func findings(
        _ settings: ClusterSettings, adopts: Bool
    ) throws(RegistryError) -> FurtherFindings {
        let storage = ClusterStorage(settings)
        // The directory of a replica may be in use.
        let scratch = try rethrowing(try ScratchDirectory(in: Directory.temporary), as: RegistryError.init(_:))
        let parts = try storage.openParts(
            replica: "\(scratch.path)/replica", "widgetd-cluster check", StoreFigures(), in: .machine, isLook: true)
        var findings = FurtherFindings()
        let outcome = answer(within: adopts ? 300 : 15) { [place = storage.place] () throws(RegistryError) in
            try parts.proof.taking(place) { proof throws(StoreProofError) -> String in
                guard adopts else { return try proof.look() }
                return "tied to this catalog from now on; archives of it that were compared there: \(try proof.adopt())"
            }
        }
        guard let outcome else { throw .unreachable("\(storage.place): it has not answered in time") }
        let text = try outcome.get()
        findings.lines.append(("store", text))
        let others = try parts.catalog.settingsOfOthers()
        findings.lines.append(("replicas", others.isEmpty ? "no other one runs" : "others that run: \(others.count)"))
        let own = values(storage.noted)
        for other in others {
            let theirs = values(other.settings)
            for path in Set(own.keys).union(theirs.keys).sorted() where own[path] != theirs[path] {
                let (here, there) = (own[path] ?? "not known", theirs[path] ?? "not known")
                findings.lines.append((differs, "\(path) is \(here) here, and \(there) at \(other.name)"))
            }
        }
        return findings
    }

    /// The outcome of work that may never end, as on a file system that is gone.
    private static func answer<Value: Sendable>(
        within seconds: Double, _ work: @escaping @Sendable () throws(RegistryError) -> Value
    ) -> Result<Value, RegistryError>? {
        let (outcome, isOver) = (Guarded<Result<Value, RegistryError>?>(nil), DispatchSemaphore(value: 0))
        DispatchQueue(label: "widgetd.check").async {
            let result: Result<Value, RegistryError>
            do throws(RegistryError) { result = .success(try work()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            isOver.signal()
        }
        _ = isOver.wait(timeout: .now() + seconds)
        return outcome.withLock { $0 }
    }

    private static let limits = JSONLimits(byteCount: 1 << 16, depth: 3, valueCount: 1_000)

    private static func values(_ text: String) -> [String: String] {
        guard let document = try? JSONDocument(parsing: Array(text.utf8), limits: limits),
            let members = try? document.cursor.members()
        else { return [:] }
        return members.reduce(into: [:]) { values, member in
            let text: String? = try? member.value.decode()
            values[member.name] = text
        }
    }
}
