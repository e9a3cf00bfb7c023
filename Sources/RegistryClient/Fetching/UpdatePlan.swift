internal import Bytes
internal import Zip

/// How an archive comes together from the one that is held and from the network.
///
/// Registries write archives in one form, so a file that has not changed stands in the new archive with the same
/// bytes, its headers included. That is a guess, and the digest of the whole is what proves it: a wrong guess costs
/// a second download and nothing else.
struct UpdatePlan: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// Bytes of the archive that is held.
        case copy(from: Range<Int>)
        /// Bytes of the archive that is wanted.
        case fetch(Range<Int>)

        var byteCount: Int {
            switch self {
            case .copy(let range), .fetch(let range): range.count
            }
        }
    }

    /// In the order of the archive, without a gap.
    private(set) var steps: [Step] = []

    /// What a request costs besides the bytes it brings: it is not worth sparing fewer.
    static let requestCost = 1 << 10
    private static let mostRequests = 32
    /// Bytes of a local header before the name.
    private static let headerByteCount = 30

    /// Everything from `start` on over the network.
    static func whole(_ byteCount: Int, from start: Int) -> UpdatePlan {
        var plan = UpdatePlan()
        plan.fetch(start..<byteCount)
        return plan
    }

    /// What is left of `candidate` from `start` on, with the help of the archive that is held.
    ///
    /// - Parameters:
    ///   - held: the files of the archive that is held, as they stand in it.
    /// - Returns: the cheaper way, which may be the whole.
    init(_ candidate: ReleaseCandidate, from start: Int, held: [HeldFile]) {
        let whole = UpdatePlan.whole(candidate.byteCount, from: start)
        let byPath = Dictionary(held.map { ($0.path, $0) }) { first, _ in first }
        var end = 0
        for file in candidate.files {
            let gap = file.dataRange.lowerBound - end
            if let known = byPath[file.path], known.isSame(as: file) {
                // Folders' headers may stand before the file's own; they are the same if they are as long.
                let own = UpdatePlan.headerByteCount + file.path.utf8.count + candidate.name.utf8.count + 8
                let lead = known.gap == gap ? gap : min(own, gap, known.gap)
                add(.fetch(end..<(end + gap - lead)), from: start)
                add(
                    .copy(from: (known.dataRange.lowerBound - lead)..<known.dataRange.upperBound), from: start,
                    at: end + gap - lead)
            } else {
                add(.fetch(end..<file.dataRange.upperBound), from: start)
            }
            end = file.dataRange.upperBound
        }
        add(.fetch(end..<candidate.byteCount), from: start)
        joinNearRequests()
        if requestCount > UpdatePlan.mostRequests || cost >= whole.cost { self = whole }
    }

    private init() {}

    var requestCount: Int {
        steps.count { if case .fetch = $0 { true } else { false } }
    }

    var fetchedByteCount: Int {
        steps.reduce(0) { if case .fetch(let range) = $1 { $0 + range.count } else { $0 } }
    }

    /// Whether anything comes from the archive that is held.
    var copies: Bool {
        steps.contains { if case .copy = $0 { true } else { false } }
    }

    private var cost: Int { fetchedByteCount + requestCount * UpdatePlan.requestCost }

    private mutating func fetch(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if case .fetch(let last) = steps.last, last.upperBound == range.lowerBound {
            steps[steps.count - 1] = .fetch(last.lowerBound..<range.upperBound)
        } else {
            steps.append(.fetch(range))
        }
    }

    /// Adds a step that begins at `position`, without what is before `start`.
    private mutating func add(_ step: Step, from start: Int, at position: Int? = nil) {
        switch step {
        case .fetch(let range): fetch(range.clamped(to: start..<max(start, range.upperBound)))
        case .copy(let range):
            let skipped = max(0, start - (position ?? 0))
            guard skipped < range.count else { return }
            steps.append(.copy(from: (range.lowerBound + skipped)..<range.upperBound))
        }
    }

    /// Fetches what is between two requests when that is less than what a request costs.
    private mutating func joinNearRequests() {
        var joined = UpdatePlan()
        var pending: Step?
        for step in steps {
            if case .fetch(let range) = step {
                if pending != nil, case .fetch(let last)? = joined.steps.last {
                    joined.steps[joined.steps.count - 1] = .fetch(last.lowerBound..<range.upperBound)
                } else {
                    joined.steps.append(step)
                }
                pending = nil
            } else if step.byteCount < UpdatePlan.requestCost, case .fetch? = joined.steps.last, pending == nil {
                pending = step
            } else {
                if let kept = pending { joined.steps.append(kept) }
                pending = nil
                joined.steps.append(step)
            }
        }
        if let pending { joined.steps.append(pending) }
        steps = joined.steps
    }
}

/// A file of the archive that is held: where its data stands, and how far that is from the file before.
struct HeldFile: Equatable, Sendable {
    var path: String
    var byteCount: Int
    var digest: Digest
    var dataRange: Range<Int>
    var method: ZipMethod
    /// Bytes between the data of the file before and its own: headers.
    var gap: Int

    func isSame(as file: ReleaseCandidate.File) -> Bool {
        byteCount == file.byteCount && digest == file.digest && dataRange.count == file.dataRange.count
            && method == file.method
    }

    /// The files of an archive whose directory is proven, with the digests that their unpacked copies have.
    static func all(in directory: ZipDirectory, folder: String, files: [ReleaseFolder.File]) -> [HeldFile] {
        let byPath = Dictionary(files.map { ("\(folder)/\($0.path)", $0) }) { first, _ in first }
        var end = 0
        var held: [HeldFile] = []
        for entry in directory.entries.sorted(by: { $0.dataOffset < $1.dataOffset }) where !entry.isDirectory {
            let gap = entry.dataOffset - end
            end = entry.dataRange.upperBound
            guard let file = byPath[entry.name.text], file.byteCount == entry.byteCount else { continue }
            held.append(
                HeldFile(
                    path: file.path, byteCount: file.byteCount, digest: file.digest, dataRange: entry.dataRange,
                    method: entry.method, gap: gap))
        }
        return held
    }
}
