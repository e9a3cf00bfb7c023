import Dispatch
import RegistryServer
import WidgetBytes
import WidgetCells
import WidgetConsole
import WidgetFiles
import WidgetHTTPServer
import WidgetLive
import WidgetLogging
import WidgetProcesses
import WidgetSurroundings

/// The processes of a server that read bundles: they review those that are published.
final class ServerCells: Sendable {
    /// The confinement of processes on this machine, or the reason why none can be started.
    struct Found: Sendable {
        let confinement: Confinement?
        let reason: String

        /// The reason why the confinement is less than whole.
        var obstacle: String? {
            guard let confinement else { return reason }
            return confinement.isEnough ? nil : "this system has neither Landlock nor a filter of calls"
        }

        /// The reason why no bundle is reviewed; `nil` if the kernel bounds the process of a review.
        var obstacleOfReviews: String? {
            guard let confinement else { return reason }
            return confinement.isBounded ? nil : "the limits of a process: \(confinement.reason(.limits) ?? reason)"
        }

        var text: String { confinement?.text ?? "none: \(reason)" }

        /// Lines for people.
        var lines: String {
            let parts = confinement?.lines.map { "  \($0)\n" }.joined() ?? ""
            return "\nreviews: \(stateOfReviews)\n\(parts)"
        }

        /// The way in which bundles are reviewed, in words.
        var stateOfReviews: String {
            if let obstacleOfReviews { return "off, and strict publishing is refused, since \(obstacleOfReviews)" }
            return obstacle == nil
                ? "in confined processes" : "in processes that the limits of the kernel alone confine"
        }
    }

    let house: CellHouse
    let found: Found
    /// True if this process reviews bundles itself (``ServerStart/reviewsHere``).
    let reviewsHere: Bool
    private let turns: SharedTurns

    private init(_ house: CellHouse, _ found: Found, reviewsHere: Bool = false) {
        (self.house, self.found, self.reviewsHere) = (house, found, reviewsHere)
        turns = SharedTurns(limit: house.limits.reviews)
    }

    /// Starts no process, and reviews bundles in this one.
    static func here(in world: World) -> ServerCells {
        ServerCells(
            CellHouse(CellProgram.start, in: world),
            Found(confinement: nil, reason: "bundles are reviewed by the server's own process"), reviewsHere: true)
    }

    /// Starts a process to learn what confines it, and says in the log what this machine lacks.
    ///
    /// - Parameter isReviewing: whether bundles are reviewed. A server that does not starts none.
    static func begun(isReviewing: Bool, _ logger: Logger, _ start: CellStart, in world: World) -> ServerCells {
        let house = CellHouse(start, in: world)
        guard isReviewing else {
            return ServerCells(
                house, Found(confinement: nil, reason: "bundles were not reviewed when the server started"))
        }
        let found = found(house)
        if let reason = found.obstacleOfReviews {
            logger.log(
                .warning, "reviews.off", "bundles are published without a review, and strict publishing is refused",
                [LogField("reason", reason), LogField("hint", hint)])
        } else if let reason = found.obstacle {
            logger.log(
                .warning, "reviews.limited",
                "bundles are reviewed by processes that the limits of the kernel alone confine",
                [LogField("reason", reason), LogField("hint", hint)])
        } else {
            logger.log(.info, "reviews.on", "", [LogField("confinement", found.text)])
        }
        return ServerCells(house, found)
    }

    private static let hint = "`widgetd check` says what the system lacks"
    /// Starts a process to learn what confines it, and ends it.
    ///
    /// - Parameters:
    ///   - program: the file of this program.
    ///   - programs: called in place of it.
    static func found(by program: String, programs: (any Programs)?) -> Found {
        let house = CellHouse(CellProgram.start(of: program, programs: programs))
        defer { house.stop() }
        return found(house)
    }

    /// Starts a process of a house, and waits until it says what confines it: the house ends one that takes longer than its
    /// start may.
    static func found(_ house: CellHouse) -> Found {
        let (outcome, isDone) = (Guarded(Result<String, CellEnd>.failure(.unneeded)), DispatchSemaphore(value: 0))
        LiveThreads.begin {
            do throws(CellEnd) {
                let text = try await house.probe()
                outcome.withLock { $0 = .success(text) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        switch outcome.withLock({ $0 }) {
        case .success(let text):
            return Found(confinement: Confinement(text: text), reason: "the process sent \(QuotedText.plain(text))")
        case .failure(let end): return Found(confinement: nil, reason: end.reason)
        }
    }

    /// Has a process look at an archive, and waits for it: at most as long as one may take, and those before it.
    func review(
        _ archive: HandedFile, digest: String, _ question: ReviewQuestion, for share: UploadShare
    ) -> ReviewFindings {
        // Where none could be started, one may be later.
        if found.confinement != nil, let reason = found.obstacleOfReviews { return ReviewFindings([], end: reason) }
        let review = turns.take(share) {
            let (found, isDone) = (Guarded<CellReview?>(nil), DispatchSemaphore(value: 0))
            LiveThreads.begin { [house] in
                let review = await house.review(
                    archive, digest: digest, question.text, stillBytes: question.plan.byteCount)
                found.withLock { $0 = review }
                isDone.signal()
            }
            isDone.wait()
            return found.withLock { $0 } ?? CellReview(pieces: [], end: .unneeded)
        }
        return ReviewFindings(review.pieces, end: review.end?.reason, within: question.plan)
    }

    /// Looks at an archive in this process, when its turn has come.
    func reviewHere(
        _ archive: borrowing FileDescriptor, _ question: ReviewQuestion, for share: UploadShare
    ) -> ReviewFindings {
        turns.take(share) {
            var pieces: [ReviewPiece] = []
            do throws(FileError) {
                ProgramReview().review(try archive.duplicate(), question.text) { pieces.append($0) }
            } catch {
                return ReviewFindings(unfinished: "the archive cannot be read: \(error)")
            }
            return ReviewFindings(pieces, end: nil, within: question.plan)
        }
    }

    func stop() { house.stop() }

    // MARK: - Figures

    func write(to text: inout MetricsText) {
        let figures = house.figures
        text.gauge("widgetd_cells", "Confined processes that run.", UInt64(figures.cells))
        text.gauge("widgetd_cells_resident_bytes", "Their resident memory.", UInt64(figures.residentByteCount))
        text.counter("widgetd_cells_started_total", "Confined processes that were started.", UInt64(figures.started))
        text.declare("widgetd_cells_ended_total", "counter", "Confined processes that have ended, by the reason.")
        for name in CellEnd.names {
            text.sample("widgetd_cells_ended_total", [("reason", name)], String(figures.ends[name] ?? 0))
        }
        text.declare("widgetd_cell_confinement", "gauge", "1 for each part of the confinement that is on.")
        for part in Confinement.Part.allCases {
            let isOn = found.confinement?.isOn(part) ?? false
            text.sample("widgetd_cell_confinement", [("part", part.rawValue)], isOn ? "1" : "0")
        }
        let turns = turns.counts
        text.gauge("widgetd_reviews", "Reviews of bundles that are under way.", UInt64(turns.taken))
        text.gauge("widgetd_reviews_waiting", "Those that wait for their turn.", UInt64(turns.waiting))
    }
}

/// The most that the processes of a server may take, for `widgetd check`.
struct CellBounds: Equatable {
    /// The most reviews at once, each in a process for itself.
    let processes: Int
    /// The memory of each, above which it is ended.
    let byteCount: Int
    /// The memory of each that the kernel allows until then.
    let kernelByteCount: Int
    /// The threads of each.
    let threads: Int

    /// - Parameter processors: those of this machine.
    init(_ limits: CellLimits, _ confinement: ConfinementLimits = ConfinementLimits(), processors: Int) {
        processes = limits.reviews
        (byteCount, kernelByteCount) = (limits.mostByteCount, confinement.dataBytes)
        threads = confinement.threads(onProcessors: processors)
    }

    var totalByteCount: Int { processes * byteCount }
    var totalThreads: Int { processes * threads }

    /// Lines for people.
    var text: String {
        """
          at once: \(processes) reviews
          each: \(ByteCountText.of(byteCount)) of memory (the kernel: \(ByteCountText.of(kernelByteCount))), \
        \(threads) threads
          together: \(processes) processes, \(ByteCountText.of(totalByteCount)) of memory, \(totalThreads) threads, \
        beside the server's own

        """
    }
}
