package import RegistryClient
package import WidgetBundles
package import WidgetFiles
package import WidgetRegistry

/// The reason why a copy of another registry could not be brought up to date. What was copied before stays.
package enum MirrorError: Error, Sendable {
    case fetch(FetchError)
    case registry(RegistryError)
    /// The archive is not what this server would take from a publisher.
    case archive(release: String, BundleError)
    case file(FileError)
    /// A document of the origin that cannot be true, or is not within the limits.
    case contradiction(String)
    /// The origin has the digest's archive, and what it says about the release is not what is in it.
    case otherContent(release: String)
    /// The bundle was changed each time while it was read.
    case restless
    /// The directory holds something else than a copy of this registry.
    case occupied(String)

    /// True when a retry may succeed although nothing changes at the origin.
    package var isTransient: Bool {
        switch self {
        case .fetch(let error): error.isTransient
        case .restless: true
        default: false
        }
    }

    /// True if the origin says that it does not have it, or no longer.
    var isAbsence: Bool {
        if case .fetch(let error) = self { error.isAbsence } else { false }
    }

    /// True if the origin does not know the place in its feed that it was asked about.
    var isUnknownPlace: Bool {
        guard case .fetch(let error) = self, case .problem(let problem) = error.reason else { return false }
        return problem.code == "malformed-request"
    }
}

extension MirrorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .fetch(let error): "\(error)"
        case .registry(let error): "\(error)"
        case .archive(let release, let error):
            "the archive of \(release) is not what this server takes in: \(error); policy.kept and limits.* decide that"
        case .file(let error): "\(error)"
        case .contradiction(let statement): "the origin contradicts itself: \(statement)"
        case .otherContent(let release): "the archive of \(release) is not what the origin says about it"
        case .restless: "the bundle was changed each time while it was read"
        case .occupied(let reason): reason
        }
    }
}
