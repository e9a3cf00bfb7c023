import JSONText
import RegistryServer
import WidgetBytes
import WidgetCells
import WidgetConfiguration
import WidgetConsole
import WidgetFiles
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings

/// `widgetd stills`: makes the stills of releases from before.
enum StillsCommand {
    static let command = Command(
        "stills", "make the stills of releases from before",
        example: "widgetd stills --prefix com.acme",
        options: [
            Option("prefix", value: "ID", help: "bundles of this identifier, or whose labels begin with it")
        ] + Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        let prefix = invocation.value("prefix") ?? ""
        guard isPrefix(prefix) else {
            invocation.terminal.complain(
                "--prefix is \(QuotedText.plain(prefix))",
                hints: ["it takes an identifier or its first labels, like com.acme"])
            return .misuse
        }
        return Housekeeping.run(invocation, settings) {
            let maker = OfflineStills(settings, invocation)
            defer { maker.stop() }
            let report = try Housekeeping.report(
                settings, "/v1/stills?prefix=\(prefix)", "drawing", counting: .parts, for: invocation, stills: maker
            ) { housekeeper, watcher in
                try housekeeper.makeStills(ofBundles: prefix, by: "owner", watcher).document
            }
            let cursor = try Housekeeping.cursor(report)
            let failed: Int = try cursor.require("failed")
            let obstacle: String? = try cursor.optional("obstacle")
            if invocation.has("json") {
                let printed = invocation.terminal.print(report + [0x0A])
                return failed > 0 || obstacle != nil ? .failed : printed
            }
            if let obstacle {
                invocation.terminal.complain(
                    "no stills are made: \(QuotedText.plain(obstacle))",
                    hints: ["`widgetd check` says what the system lacks"])
                return .failed
            }
            let printed = invocation.terminal.print(Array(try text(cursor).utf8))
            return failed > 0 ? .failed : printed
        }
    }

    /// True for what a query can have as it is.
    private static func isPrefix(_ text: String) -> Bool {
        text.utf8.count <= 155
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func text(_ report: JSONCursor) throws(JSONError) -> String {
        let (made, failed): (Int, Int) = (try report.require("made"), try report.require("failed"))
        guard made + failed > 0 else { return "every release has the stills of these settings\n" }
        var text = "\(counted(made, "release")) looked at to the end\n"
        for failure in try report.member("failures")?.elements() ?? [] {
            let name =
                "\(try failure.require("bundleIdentifier", as: String.self)) \(try failure.require("release", as: String.self))"
            let reason: String = try failure.require("reason")
            let isLast: Bool = try failure.require("last")
            text +=
                "\(name): \(QuotedText.plain(reason))\(isLast ? "; it is not looked at again for these settings" : "")\n"
        }
        let listed = try report.member("failures")?.elements().count ?? 0
        if failed > listed { text += "and \(failed - listed) others\n" }
        let isPart: Bool = try report.require("more")
        return text + (isPart ? "there may be more: run it again\n" : "")
    }
}

/// Makes stills in the process of a command, where no server runs. Its cells are started with the first release.
private final class OfflineStills: StillMaking {
    private let settings: Settings
    private let invocation: Invocation
    private let review: Guarded<(cells: ServerCells, review: ScreenReview)?> = Guarded(nil)

    init(_ settings: Settings, _ invocation: Invocation) {
        (self.settings, self.invocation) = (settings, invocation)
    }

    private var begun: ScreenReview {
        review.withLock { begun in
            if let begun { return begun.review }
            let cells = ServerCells.begun(
                isReviewing: settings.publishPolicy.reviewsScreens, Logger(level: .error, sink: { $0.count }),
                CellProgram.start(of: invocation.terminal.executable, programs: invocation.world.programs),
                in: invocation.world)
            let (clock, policy) = (invocation.world.clock, settings.publishPolicy)
            let review = ScreenReview(cells, now: { clock.seconds }, isMirror: settings.mirror != nil) { policy }
            begun = (cells, review)
            return review
        }
    }

    func stop() { review.withLock { $0?.cells.stop() } }

    var plan: StillPlan { settings.publishPolicy.stills }
    var obstacle: String? { begun.obstacle }

    func parts(
        of release: Release, in archive: borrowing FileDescriptor, lacksInterface: Bool
    ) -> [ReleasePart] {
        begun.parts(of: release, in: archive, lacksInterface: lacksInterface)
    }
}
