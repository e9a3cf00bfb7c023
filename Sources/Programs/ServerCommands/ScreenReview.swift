import JSONText
import RegistryServer
import WidgetBundles
import WidgetBytes
import WidgetCells
import WidgetFiles
import WidgetFindings
import WidgetHosting
import WidgetIntake
import WidgetRegistry
import WidgetRunning

/// Has a process read the program of a published bundle, judge its documents, look at its screens and draw stills of them.
/// Nothing of a bundle is reviewed in the server's own process, but in tests (``ServerStart/reviewsHere``).
struct ScreenReview: BundleReview {
    private let cells: ServerCells
    private let now: @Sendable () -> Int64
    private let policy: @Sendable () -> PublishPolicy
    private let isMirror: Bool

    /// - Parameters:
    ///   - now: seconds since 1970, which is the moment of the stills.
    ///   - isMirror: true for the registry of others, whose pages are there.
    ///   - policy: asked anew for each review.
    init(
        _ cells: ServerCells, now: @escaping @Sendable () -> Int64, isMirror: Bool = false,
        policy: @escaping @Sendable () -> PublishPolicy
    ) {
        (self.cells, self.now, self.policy, self.isMirror) = (cells, now, policy, isMirror)
    }

    func findings(
        of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
    ) -> ReviewFindings {
        let plan = policy().stills
        let question = ReviewQuestion(
            moment: now(), lacksInterface: taken.report.findings.contains { $0.code == .noInterface },
            plan: plan)
        var found = findings(question, in: archive, digest: taken.bundle.digest.hex, for: share)
        let facts = found.parts.first { $0.name == ReleaseFacts.partName }.flatMap { ReleaseFacts($0) }
        // Without the mark, the housekeeper looks at it again.
        if !found.endedEarly, facts?.lacksTime != true { found.parts.append(plan.markPart) }
        return found
    }

    private func findings(
        _ question: ReviewQuestion, in archive: borrowing FileDescriptor, digest: String, for share: UploadShare
    ) -> ReviewFindings {
        if cells.reviewsHere { return cells.reviewHere(archive, question, for: share) }
        let file: FileDescriptor
        do throws(FileError) {
            file = try archive.duplicate()
        } catch {
            return ReviewFindings(unfinished: "the archive cannot be read: \(error)")
        }
        return cells.review(HandedFile(file), digest: digest, question, for: share)
    }
}

extension ScreenReview: StillMaking {
    var plan: StillPlan { policy().stills }

    var obstacle: String? {
        if isMirror { return "this registry is a mirror, and the pages of its origin show them" }
        if !policy().reviewsScreens { return "policy.reviewsScreens is off" }
        return cells.reviewsHere ? nil : cells.found.obstacleOfReviews
    }

    func parts(
        of release: Release, in archive: borrowing FileDescriptor, lacksInterface: Bool
    ) -> [ReleasePart] {
        let question = ReviewQuestion(moment: release.published, lacksInterface: lacksInterface, plan: plan)
        // Publishers come first: they wait for their reviews.
        let share = UploadShare(prefix: "", token: "stills")
        let found = findings(question, in: archive, digest: release.digest.hex, for: share)
        guard found.endedEarly else { return found.parts }
        var facts = ReleaseFacts()
        facts.endOfReview = found.end
        return [facts.part]
    }
}

/// The facts that a review needs besides the archive.
struct ReviewQuestion: Equatable {
    /// Seconds since 1970.
    var moment: Int64
    /// The report says already that the bundle has no screen to begin with.
    var lacksInterface: Bool
    var plan = StillPlan()

    var text: String { "\(moment) \(lacksInterface) \(plan.text)" }

    init(moment: Int64, lacksInterface: Bool, plan: StillPlan = StillPlan()) {
        (self.moment, self.lacksInterface, self.plan) = (moment, lacksInterface, plan)
    }

    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, let moment = Int64(words[0]), let lacksInterface = Bool(String(words[1])),
            let plan = StillPlan(String(words[2]))
        else { return nil }
        self.init(moment: moment, lacksInterface: lacksInterface, plan: plan)
    }
}

/// Findings as the pieces that a cell sends.
///
/// Those that come are of a process that may have been taken over by a bundle: they are bounded, and their parts are of the
/// kinds that pages serve without letting them do anything.
extension ReviewFindings {
    private static let findingsKind = "findings"
    private static let faultsName = "faults"
    private static let remarksName = "remarks"
    /// The most findings of each kind, and the bytes that all of them have.
    private static let most = 500
    private static let limits = JSONLimits(byteCount: 1 << 20, depth: 4, valueCount: 10_000)
    /// Adds what was found later; of each kind no more than the most.
    mutating func add(_ later: ReviewFindings) {
        faults += later.faults.prefix(max(0, ReviewFindings.most - faults.count))
        remarks += later.remarks.prefix(max(0, ReviewFindings.most - remarks.count))
        parts += later.parts
    }

    var pieces: [ReviewPiece] {
        var pieces = [(ReviewFindings.faultsName, faults), (ReviewFindings.remarksName, remarks)].map {
            name, findings in
            var writer = JSONWriter(reservingBytes: 1_024)
            writer.array { writer in
                for finding in findings.prefix(ReviewFindings.most) { finding.write(to: &writer) }
            }
            return ReviewPiece(name: name, kind: ReviewFindings.findingsKind, bytes: writer.finish())
        }
        pieces += parts.map { ReviewPiece(name: $0.name, kind: $0.mediaType, bytes: $0.content) }
        return pieces
    }

    /// - Parameters:
    ///   - end: the reason why a review did not come to its end.
    ///   - plan: the stills that were asked for, which bound those that are kept.
    init(_ pieces: [ReviewPiece], end: String?, within plan: StillPlan = StillPlan()) {
        self.init()
        var bounds = PartBounds(plan)
        var isJudged = false
        for piece in pieces {
            if piece.kind == ReviewFindings.findingsKind {
                guard let findings = ReviewFindings.findings(piece.bytes) else { continue }
                let isFault = piece.name == ReviewFindings.faultsName
                isJudged = isJudged || isFault
                add(isFault ? ReviewFindings(faults: findings) : ReviewFindings(remarks: findings))
            } else {
                let part = ReleasePart(name: piece.name, mediaType: piece.kind, content: piece.bytes)
                if bounds.take(part) { parts.append(part) }
            }
        }
        // Without facts that can be read, nothing refers to the other parts.
        let facts = parts.first { $0.name == ReleaseFacts.partName }
        let isWhole = facts.flatMap { ReleaseFacts($0) } != nil
        if isWhole, end == nil { return }
        let end = end ?? "the process of its widget sent what the server could not read"
        self.end = end
        let missing = ReviewFindings(unfinished: end)
        if !isWhole { parts = missing.parts }
        // Strict publishing refuses documents with faults, so also documents that were not judged.
        if isJudged { remarks += missing.remarks } else { faults += missing.remarks }
    }

    /// The findings about a bundle that could not be looked at.
    ///
    /// - Parameter reason: the end of a sentence.
    init(unfinished reason: String) {
        var facts = ReleaseFacts()
        facts.endOfReview = reason
        let finding = Finding(
            .warning, .unreviewed,
            "the look at its screens ended early, so that its pages lack stills and findings: \(reason)")
        self.init(remarks: [finding], parts: [facts.part])
        end = reason
    }

    private static func findings(_ bytes: [UInt8]) -> [Finding]? {
        guard let document = try? JSONDocument(parsing: bytes, limits: limits),
            let findings = try? [Finding](json: document.cursor)
        else { return nil }
        return Array(findings.prefix(most))
    }
}
