package import Bytes
package import RegistryContract
internal import Zip

/// Which parts of an archive have to be fetched by a host that has some of its files already.
///
/// A file is the same when its digest is, under whatever path and however it is compressed: who packs a bundle anew
/// changes the bytes of its archive, but not what is in it.
package struct UpdatePlan: Sendable {
    /// What to fetch, in the order of the archive.
    package private(set) var ranges: [Range<Int>] = []
    /// The files to fetch, and where their data stand in what was fetched, one range after the other.
    private(set) var fetched: [(file: FileDocument, offset: Int)] = []
    /// The files that are here.
    private(set) var reused: [FileDocument] = []

    /// What a request costs besides the bytes it brings: it is not worth sparing fewer.
    static let requestCost = 1 << 10
    private static let mostRequests = 64

    /// - Parameter held: the digests of the files that are here.
    package init(_ candidate: ReleaseCandidate, held: Set<Digest>) {
        var byteCount = 0
        for file in candidate.files {
            guard !held.contains(file.digest) else {
                reused.append(file)
                continue
            }
            if let last = ranges.last, file.dataRange.lowerBound - last.upperBound < UpdatePlan.requestCost {
                byteCount += file.dataRange.upperBound - last.upperBound
                ranges[ranges.count - 1] = last.lowerBound..<file.dataRange.upperBound
            } else if !file.dataRange.isEmpty {
                byteCount += file.dataRange.count
                ranges.append(file.dataRange)
            }
            fetched.append((file, byteCount - file.dataRange.count))
        }
    }

    package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Whether this is cheaper than the rest of the archive.
    func isCheaper(than byteCount: Int) -> Bool {
        !reused.isEmpty && ranges.count <= UpdatePlan.mostRequests
            && self.byteCount + ranges.count * UpdatePlan.requestCost < byteCount
    }
}
