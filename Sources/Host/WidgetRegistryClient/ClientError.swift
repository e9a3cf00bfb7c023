package import RegistryClient
internal import RegistryContract
internal import WidgetTransfers

/// The reason why a registry could not be asked, or why a release is not there.
///
/// Programs go by the ``code``, people by the ``description`` and the ``hint``.
///
/// ```swift
/// do {
///     try await client.download(offer)
/// } catch let error where error.code == .unreachable {
///     showOffline()
/// }
/// ```
public struct ClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A kind of error. Later versions may have more of them, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The word for it, in logs.
        public let description: String

        private init(_ word: String) { description = word }

        /// The text is not an identifier of a widget or of a bundle.
        public static let invalidIdentifier = Code("invalid-identifier")
        /// The text is not the address of a registry.
        public static let invalidAddress = Code("invalid-address")
        /// No registry answers: no network, an unknown host, a time-out, a failed TLS handshake.
        public static let unreachable = Code("unreachable")
        /// The registry is busy, down, or wants to be asked later.
        public static let unavailable = Code("unavailable")
        /// The registry wants another token.
        public static let unauthorized = Code("unauthorized")
        /// The registry does not have the widget, the channel or the archive.
        public static let notFound = Code("not-found")
        /// The release was withdrawn, and the channel has no other.
        public static let withdrawn = Code("withdrawn")
        /// The channel has no release for this installation.
        public static let nothingOffered = Code("nothing-offered")
        /// The registry has refused the request for another reason.
        public static let refused = Code("refused")
        /// The answer, or the archive, failed a check. Nothing of it is used.
        public static let untrusted = Code("untrusted")
        /// The bundle is not valid, or holds what a bundle must not hold.
        public static let invalidBundle = Code("invalid-bundle")
        /// The only release there is was started here before, and its start was never confirmed.
        public static let startFailed = Code("start-failed")
        /// The downloaded release was applied already, or another one has taken its place.
        public static let noLongerWaiting = Code("no-longer-waiting")
        /// The cache is on a full disk.
        public static let outOfSpace = Code("out-of-space")
        /// The cache cannot be read or written, or another process has held it for too long.
        public static let cache = Code("cache")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// Nothing can be started: no release was downloaded, or none that works, and the app has no built-in bundle.
        public static let nothingToStart = Code("nothing-to-start")
        /// The registry wants nothing of the widget to be shown.
        public static let stopped = Code("stopped")
        /// A step that cannot be carried out twice was sent, and its answer was lost.
        public static let unanswered = Code("unanswered")
    }

    /// The kind of error, for programs.
    public let code: Code
    /// One sentence about what happened.
    public let description: String
    /// Advice, if there is any.
    public let hint: String?
    /// The seconds for which the registry wants not to be asked.
    public let retryAfter: Int?
    /// True if asking again may succeed without any change here.
    public let isTransient: Bool

    package init(_ code: Code, _ description: String, hint: String? = nil) {
        self.code = code
        self.description = description
        self.hint = hint
        retryAfter = nil
        isTransient = false
    }

    package init(_ error: FetchError) {
        code = ClientError.code(of: error)
        description = "\(error)"
        hint = ClientError.hint(error, code)
        retryAfter = error.secondsToRetry
        isTransient = error.isTransient
    }

    package static func rethrowing<Value>(
        _ body: () throws(FetchError) -> Value
    ) throws(ClientError) -> Value {
        do throws(FetchError) {
            return try body()
        } catch {
            throw ClientError(error)
        }
    }

    package static func rethrowing<Value: Sendable>(
        _ body: () async throws(FetchError) -> Value
    ) async throws(ClientError) -> Value {
        do throws(FetchError) {
            return try await body()
        } catch {
            throw ClientError(error)
        }
    }

    private static func code(of error: FetchError) -> Code {
        if error.isOutOfSpace { return .outOfSpace }
        switch error.reason {
        case .invalidWidgetIdentifier: return .invalidIdentifier
        case .transfer(let error):
            switch error.reason {
            case .invalidURL: return .invalidAddress
            case .cancelled: return .cancelled
            case .file: return .cache
            case .limitReached, .malformedAnswer, .changedMeanwhile, .untagged, .redirectRefused, .redirectedElsewhere:
                return .untrusted
            case .invalidField, .addressRefused, .notGranted: return .refused
            case .unknownHost, .noConnection, .connectionLost, .timedOut, .tooSlow, .tls, .bodyTooShort, .failed:
                return .unreachable
            }
        case .problem(let problem):
            if problem.isOne(of: .withdrawn) { return .withdrawn }
            return code(ofStatus: problem.status)
        case .unexpectedStatus(let status, _), .archiveGone(let status): return code(ofStatus: status)
        case .unanswered: return .unanswered
        case .nothingOffered: return .nothingOffered
        case .forbidden(.builtIn, _): return .nothingToStart
        case .forbidden: return .stopped
        case .startFailed: return .startFailed
        case .noLongerWaiting: return .noLongerWaiting
        case .malformedDocument, .contradiction, .foreignBundle, .pinMismatch, .anotherBundle, .staleSequence,
            .sequenceJump, .sequenceRewritten, .foreignAddress, .endlessEvent, .wrongSize, .wrongDigest, .wrongContent,
            .wrongIdentity:
            return .untrusted
        case .bundle: return .invalidBundle
        case .cancelled: return .cancelled
        case .file, .busy, .newerState, .notKept, .occupied, .outOfMemory: return .cache
        }
    }

    private static func hint(_ error: FetchError, _ code: Code) -> String? {
        if case .anotherBundle(_, let offered) = error.reason {
            return "if its publisher meant it for this widget, `ClientOptions.pin` with \(offered) accepts it"
        }
        if case .newerState = error.reason { return "a newer version of the library has written the cache" }
        return switch code {
        case .invalidIdentifier: "it begins with a bundle's identifier, such as com.acme.Clock-1"
        case .invalidAddress: "it is an address such as https://widgets.example"
        case .unreachable, .unavailable: "what is here stays and can be shown; ask again later"
        case .unauthorized: "`ClientOptions.token` has a token that may read the widget"
        case .notFound: "`widget list` shows what the registry has, and on which channels"
        case .untrusted: "what is here stays; `widget doctor` probes the registry"
        case .startFailed: "`forgiveFailedStarts` lets it be offered again"
        case .outOfSpace: "the next update continues where this one has stopped, once there is room"
        case .unanswered: "look whether it was done before it is tried again"
        default: nil
        }
    }

    private static func code(ofStatus status: Int) -> Code {
        switch status {
        case 401, 403: .unauthorized
        case 404, 410: .notFound
        case 429, 500...: .unavailable
        default: .refused
        }
    }
}

/// A reason that says whether the release is at fault, or its surroundings: a lock that another process holds, a full disk,
/// a time zone, a grant, a cancellation. ``WidgetRelease/reject(because:)`` goes by it.
///
/// `RuntimeError` of `WidgetRuntime` and ``ClientError`` say so; an app's own errors can.
public protocol ReleaseFault {
    /// True if the release would fail in the same way at another time and on another machine.
    var isFaultOfRelease: Bool { get }
}

extension ClientError: ReleaseFault {
    /// False: a release that fails a check is not installed, and the one that is here is not at fault.
    public var isFaultOfRelease: Bool { false }
}
