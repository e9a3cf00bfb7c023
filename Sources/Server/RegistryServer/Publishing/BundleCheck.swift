internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The work on an archive before it can be published: it is written anew without what hosts must not get, and its screens
/// are looked at.
struct BundleCheck: Sendable {
    let policy: PublishPolicy
    let review: any BundleReview
    let isStrict: Bool

    init(_ policy: PublishPolicy, _ review: any BundleReview, for request: PublishRequest) {
        self.policy = policy
        self.review = review
        isStrict = request.options.isStrict || policy.isStrict
    }

    func take(
        _ source: borrowing FileDescriptor, _ digest: Digest, into archive: borrowing StagedFile
    ) throws(BundleError) -> BundleIntake.Taken {
        try BundleIntake(policy: policy.bundles, isStrict: isStrict).take(source, digest: digest, into: archive.file)
    }

    func reviewed(
        _ taken: BundleIntake.Taken, in archive: borrowing StagedFile, for caller: Caller
    ) throws(Problem) -> (BundleIntake.Taken, [ReleasePart]) {
        guard policy.reviewsScreens else { return (taken, []) }
        let found = review.findings(of: taken, in: archive.file, for: UploadShare(caller))
        let judged = taken.adding(first: found.faults)
        if isStrict {
            try rethrowing(try judged.requireClean(), as: { (error: BundleError) in ProblemCatalogue.problem(error) })
        }
        return (judged.adding(last: found.remarks), found.parts)
    }
}
