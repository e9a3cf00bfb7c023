import Configuration
import RegistryServer

extension Settings {
    /// Who may do what, and how often.
    var accessPolicy: AccessPolicy {
        var policy = AccessPolicy()
        policy.adminToken = adminToken
        policy.isRateLimited = isRateLimited
        policy.writesPerMinute = limits.writesPerMinute
        policy.failuresPerMinute = limits.failedAuthenticationsPerMinute
        return policy
    }

    /// What publishers may do.
    var publishPolicy: PublishPolicy {
        var publishing = PublishPolicy()
        publishing.bundles = bundlePolicy
        publishing.isStrict = policy.isStrict
        publishing.concurrentUploads = limits.concurrentUploads
        publishing.diskReserve = limits.diskReserve
        publishing.publicURL = publicURL
        return publishing
    }
}
