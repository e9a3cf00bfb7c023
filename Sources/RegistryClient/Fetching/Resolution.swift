internal import JSONText
package import WidgetBundles

/// Where a widget identifier leads, as a registry says it, read strictly: a `Resolution` agrees with itself.
package struct Resolution: Equatable, Sendable {
    package let widgetIdentifier: String
    package let bundleIdentifier: String
    package let channel: String
    /// Rises with every change of the channel.
    package let sequence: Int
    /// The host is asked to update before it runs an older release again.
    package let isMandatory: Bool
    package let salt: String
    package let candidates: [ReleaseCandidate]

    /// More are offered by nobody: a rollout has two.
    private static let mostCandidates = 16

    /// What a document may be: two candidates with as many files as a bundle may have, and room to grow.
    private static let jsonLimits = JSONLimits(byteCount: byteLimit, depth: 16, valueCount: 400_000)
    package static let byteLimit = 8 << 20

    package init(parsing bytes: [UInt8], limits: BundleLimits) throws(FetchError) {
        do throws(JSONError) {
            try self.init(
                JSONDocument(parsing: bytes, limits: Resolution.jsonLimits, root: .container).cursor)
        } catch {
            throw FetchError(error)
        }
        if let contradiction = contradiction(limits) { throw FetchError(.contradiction(contradiction)) }
    }

    private init(_ json: JSONCursor) throws(JSONError) {
        widgetIdentifier = try json.require("widgetIdentifier")
        bundleIdentifier = try json.require("bundleIdentifier")
        channel = try json.require("channel")
        sequence = try json.require("sequence")
        isMandatory = try json.require("mandatory")
        salt = try json.require("salt")
        candidates = try json.require("candidates")
    }

    private func contradiction(_ limits: BundleLimits) -> FetchError.Contradiction? {
        guard BundleManifest.isIdentifier(bundleIdentifier) else { return .bundleIdentifier }
        guard sequence > 0 else { return .sequence }
        guard candidates.count <= Resolution.mostCandidates else { return .tooManyCandidates }
        var end = 0
        for candidate in candidates.sorted(by: { $0.buckets.lowerBound < $1.buckets.lowerBound }) {
            guard candidate.buckets.lowerBound >= end else { return .buckets }
            end = candidate.buckets.upperBound
            if let contradiction = candidate.contradiction(limits) { return contradiction }
        }
        return end <= Rollout.bucketCount ? nil : .buckets
    }

    /// What the installation with that bucket runs; `nil` while nothing is offered to it.
    package func candidate(for bucket: Int) -> ReleaseCandidate? {
        candidates.first { $0.buckets.contains(bucket) }
    }
}
