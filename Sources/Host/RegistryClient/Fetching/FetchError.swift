package import JSONText
package import RegistryContract
package import WidgetBundles
package import WidgetBytes
package import WidgetFiles
internal import WidgetSurroundings
package import WidgetTransfers

/// The reason why a widget could not be updated. The release from before is kept in any case.
package struct FetchError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case invalidWidgetIdentifier(String)

        // The network and the registry.
        case transfer(TransferError)
        /// The registry has said no.
        case problem(RegistryProblem)
        /// Without the document that a registry would send; with the seconds after which it wants to be asked again.
        case unexpectedStatus(Int, retryAfter: Int? = nil)
        /// The registry names an archive, and does not have it.
        case archiveGone(status: Int)
        /// Something that must not be asked twice was sent, and its answer was lost; with the command that shows whether it
        /// was done.
        case unanswered(TransferError, look: String)

        // What the registry says.
        case malformedDocument(JSONError)
        case contradiction(Contradiction)
        case foreignBundle(identifier: String)
        case pinMismatch(wanted: String, found: String)
        /// A bundle with a longer identifier than that of the release that is here.
        case anotherBundle(known: String, offered: String)
        case staleSequence(seen: Int, offered: Int)
        case sequenceJump(seen: Int, offered: Int)
        /// The state of a channel that was seen gives another release than before.
        case sequenceRewritten(Int)
        case foreignAddress(String)
        case nothingOffered
        /// The release that is here was withdrawn, and must not be shown.
        case forbidden(WithdrawalDirective, because: String)
        /// The offered release was started here before, and its start was never confirmed.
        case startFailed(release: String)
        /// The registry's feed has a line or an event without an end.
        case endlessEvent

        // What arrived.
        case wrongSize(expected: Int, actual: Int)
        case wrongDigest(expected: Digest, actual: Digest)
        case wrongContent(expected: Digest, actual: Digest)
        case wrongIdentity(expected: String, actual: String)
        case bundle(BundleError)

        // The cache.
        case file(FileError)
        case busy
        /// The task was cancelled while it waited.
        case cancelled
        /// A newer program has written the state of a widget.
        case newerState(format: Int)
        /// The downloaded release was applied already, or another one has taken its place.
        case noLongerWaiting
        /// The bytes in the cache are not those that were written.
        case notKept
        /// A copy would take the place of something that was not put there for the same widget.
        case occupied(path: String, by: Occupant)
        case outOfMemory
    }

    /// A statement of a resolve document that cannot be true.
    package enum Contradiction: String, Equatable, Sendable {
        case anotherWidget = "it is about another widget"
        case anotherChannel = "it is about another channel"
        case bundleIdentifier = "its bundle identifier is invalid"
        case sequence = "its sequence is not positive"
        case tooManyCandidates = "it offers too many candidates"
        case buckets = "its candidates' buckets overlap, or are invalid"
        case release = "a release key is invalid"
        case digest = "a digest is invalid"
        case size = "an archive's size is impossible"
        case files = "a candidate's files do not fit into its archive, or are out of order"
        case content = "a content digest is not that of the files listed"
    }

    /// Something in the place of a release's copy that must not be replaced.
    package enum Occupant: Equatable, Sendable {
        case own
        case copy(widget: String, registry: String)
        /// A copy for the same widget that was edited.
        case changedCopy
    }

    package var reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    package init(_ error: FileError) { self.init(.file(error)) }
    package init(_ error: BundleError) { self.init(.bundle(error)) }
    package init(_ error: TransferError) { self.init(.transfer(error)) }
    package init(_ error: JSONError) { self.init(.malformedDocument(error)) }

    /// True when the disk was full.
    package var isOutOfSpace: Bool {
        switch reason {
        case .file(let error): error.isOutOfSpace
        case .bundle(let error): error.isOutOfSpace
        case .transfer(let error):
            if case .file(let error) = error.reason { error.isOutOfSpace } else { false }
        default: false
        }
    }

    /// True when a retry may succeed, or when the work was cancelled.
    package var isTransient: Bool {
        switch reason {
        case .transfer(let error):
            switch error.reason {
            case .cancelled, .timedOut, .tooSlow: true
            default: error.isTransient
            }
        case .problem(let problem): problem.status == 429 || problem.status >= 500
        case .unexpectedStatus(let status, _): status == 429 || status >= 500
        case .busy, .cancelled: true
        default: false
        }
    }

    /// True when an answer arrived and was refused, so that asking again gives the same.
    package var isRefusal: Bool {
        switch reason {
        case .malformedDocument, .contradiction, .foreignBundle, .pinMismatch, .anotherBundle, .staleSequence,
            .sequenceJump,
            .sequenceRewritten, .foreignAddress, .wrongSize, .wrongDigest, .wrongContent, .wrongIdentity:
            true
        case .bundle(let error): error.isRefusal
        case .transfer(let error):
            switch error.reason {
            case .limitReached, .malformedAnswer, .changedMeanwhile, .untagged: true
            default: false
            }
        default: false
        }
    }
}

extension FetchError: CustomStringConvertible {
    /// One sentence that says what happened.
    package var description: String {
        switch reason {
        case .invalidWidgetIdentifier:
            "this is no widget identifier: 1 to \(WidgetIdentifier.longest) of A-Z a-z 0-9 . - _, a letter or digit first"
        case .transfer(let error): "\(error)"
        case .problem(let problem): "\(problem.title): \(problem.detail)"
        case .unexpectedStatus(let status, _): FetchError.sentence(status)
        case .archiveGone(let status):
            "the registry answers \(status) for the archive that it names: it does not have it"
        case .unanswered(let error, _):
            "the answer was lost: \(error). The registry may have done what it was asked; it was not asked again"
        case .malformedDocument(let error): "the registry's answer cannot be read: \(error)"
        case .contradiction(let contradiction): "the registry's answer contradicts itself: \(contradiction.rawValue)"
        case .foreignBundle(let identifier):
            "the registry offers \(identifier), with which the identifier does not begin"
        case .pinMismatch(let wanted, let found): "the registry offers \(found); only \(wanted) is allowed"
        case .anotherBundle(let known, let offered):
            "the registry offers \(offered) for this widget, whose releases came from \(known) so far"
        case .staleSequence(let seen, let offered):
            "the registry offers state \(offered) of the channel, and state \(seen) has been seen"
        case .sequenceJump(let seen, let offered): "the channel's state jumps from \(seen) to \(offered)"
        case .sequenceRewritten(let number):
            "the registry offers another release in state \(number) of the channel than it did before"
        case .foreignAddress(let address): "the archive is said to be at \(address), which is not at the registry"
        case .nothingOffered: "the channel has no release for this installation yet"
        case .forbidden(.builtIn, let reason):
            "the release was withdrawn, and the built-in bundle is to be shown" + FetchError.because(reason)
        case .forbidden(_, let reason):
            "the release was withdrawn, and nothing of the widget is to be shown" + FetchError.because(reason)
        case .startFailed(let release):
            "the release \(release) was started here before and did not prove itself; it is not tried again"
        case .endlessEvent: "the registry's feed has an event that does not end"
        case .wrongSize(let expected, let actual): "the archive has \(actual) bytes and not \(expected)"
        case .wrongDigest(let expected, let actual): "the archive's SHA-256 is \(actual) and not \(expected)"
        case .wrongContent(let expected, let actual): "the content digest is \(actual) and not \(expected)"
        case .wrongIdentity(let expected, let actual): "what arrived is \(actual) and not \(expected)"
        case .bundle(let error): "the bundle is refused: \(error)"
        case .file(let error): "\(error)"
        case .busy: "another process has been changing this widget for too long"
        case .cancelled: "the task was cancelled"
        case .newerState(let format):
            "the widget's state in the cache has format \(format), and this program knows \(WidgetState.format)"
        case .noLongerWaiting: "the downloaded release was applied already, or another one has taken its place"
        case .notKept: "what was written to the cache is not what can be read there"
        case .occupied(let path, .own): "\(path) is there already, and was not fetched"
        case .occupied(let path, .copy(let widget, let registry)):
            "\(path) is there already, fetched for \(widget) from \(registry)"
        case .occupied(let path, .changedCopy): "\(path) has been changed since it was fetched"
        case .outOfMemory: "there is not enough memory"
        }
    }

    private static func because(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason)" }

    /// Advice on resolving the error.
    package var hints: [String] {
        switch reason {
        case .problem(let problem) where problem.isOne(of: .noSuchWidget, .noCompatibleRelease):
            ["`widget list` shows what the registry has, and on which channels"]
        // Another token of the same prefix has the same quota.
        case .problem(let problem) where problem.isOne(of: .quotaExceeded): []
        case .problem(let problem) where [401, 403].contains(problem.status):
            ["`--token`, WIDGET_TOKEN or WIDGET_TOKEN_FILE gives a token that may do it"]
        case .anotherBundle(_, let offered):
            [
                "anyone who may publish below the identifier can publish such a bundle; if its publisher meant it for this widget, `--pin \(offered)` accepts it"
            ]
        case .staleSequence:
            ["an old answer was replayed, or the registry was restored from a backup without raising its sequences"]
        case .sequenceRewritten:
            [
                "either answer is a lie, or the registry's data were copied back without `widgetd restore`; it ends with the channel's next state"
            ]
        case .occupied(let path, _):
            ["a copy replaces only what was fetched for the same widget; move \(path) away, or name another folder"]
        case .newerState: ["use the newer program, or another cache"]
        case .problem(let problem) where problem.isOne(of: .blobDamaged):
            ["publishing the same release again brings its archive back"]
        case .problem(let problem) where problem.retryAfter != nil:
            FetchError.patience(problem.retryAfter)
        case .unexpectedStatus(let status, let retryAfter): FetchError.patience(retryAfter) + FetchError.hints(status)
        case .archiveGone:
            [
                "it may have been replaced just now: ask again",
                "publishing the same release again brings its archive back",
            ]
        case .unanswered(_, let look):
            ["`\(look)` shows whether it was done; look before it is tried again"]
        case .transfer(let error): FetchError.hints(error)
        case _ where isOutOfSpace: ["the disk is full; `widget fetch` continues where it stopped once there is room"]
        default: []
        }
    }
}

extension FetchError {
    /// True if the registry says that it does not have the widget, or no longer (404, 410).
    package var isAbsence: Bool {
        switch reason {
        case .problem(let problem): [404, 410].contains(problem.status)
        case .unexpectedStatus(let status, _): [404, 410].contains(status)
        default: false
        }
    }

    /// The seconds for which the registry wants not to be asked (`Retry-After`).
    package var secondsToRetry: Int? {
        switch reason {
        case .problem(let problem): problem.retryAfter
        case .unexpectedStatus(_, let seconds): seconds
        default: nil
        }
    }

    /// The meaning of a status that came without a registry's own words: from a proxy, a gateway, or another kind of
    /// server.
    private static func sentence(_ status: Int) -> String {
        let meaning =
            switch status {
            case 401, 403: "this needs other credentials"
            case 404, 410: "there is nothing at this address"
            case 413: "it, or a proxy before it, takes nothing that large"
            case 429: "it is asked too often"
            case 502, 504: "a proxy does not reach it"
            case 503: "it is down or busy"
            case 500...: "it has failed"
            case 400..<500: "it refuses this, and does not say why"
            default: "that is not the document that was expected"
            }
        return "the registry answers \(status): \(meaning)"
    }

    private static func hints(_ status: Int) -> [String] {
        switch status {
        case 401, 403: ["`--token`, WIDGET_TOKEN or WIDGET_TOKEN_FILE gives a token that may do it"]
        case 404, 410: ["`--server` may lack the registry's path, and `widget doctor` probes it"]
        case 413: ["a proxy's limit on uploads has to be the registry's (nginx: client_max_body_size)"]
        case 429, 500...: ["what is here stays; try again later, and `widget doctor` probes the registry"]
        default: ["`widget doctor` probes the registry"]
        }
    }

    private static func patience(_ seconds: Int?) -> [String] {
        seconds.map { ["the registry asks to wait \($0) s before it is asked again"] } ?? []
    }

    private static func hints(_ error: TransferError) -> [String] {
        let more: [String]
        switch error.reason {
        case .timedOut(.handshake): more = ["this port may speak plain http: `--server http://…` then"]
        case .redirectedElsewhere(let target):
            more = [
                "if the registry has moved there, name it with `--server`",
                "`--follow-elsewhere` goes to \(target), if that is meant; the token stays behind",
            ]
        case .tls:
            more = [
                "a self-signed certificate is trusted once it is among the machine's authorities (`update-ca-certificates`)"
            ]
        case .untagged: more = ["a proxy may take ETag away, or make it weak; nothing is changed without it"]
        case .tooSlow: more = ["what came is kept, and the next call continues from there"]
        default: more = []
        }
        return more + ["`widget doctor` probes the registry"]
    }
}

/// A registry's refusal, with everything it says (RFC 9457).
package struct RegistryProblem: Equatable, Sendable {
    package let status: Int
    /// The last part of its type, by which programs recognize it.
    package let code: String
    package let title: String
    package let detail: String
    /// All of it; a registry may say more than is known here.
    package let document: JSONValue
    /// The seconds after which the registry wants to be asked again, when it says so.
    package var retryAfter: Int?
    /// The duties of hosts that have releases which the registry has withdrawn.
    let withdrawals: OfferedWithdrawals?

    /// Larger ones are not read.
    static let byteLimit = 64 << 10

    /// `nil` when the bytes are not a problem document: proxies answer with other pages.
    package init?(status: Int, _ bytes: [UInt8]) {
        guard bytes.count <= RegistryProblem.byteLimit,
            let json = try? JSONDocument(parsing: bytes, limits: JSONLimits(depth: 16)).cursor
        else { return nil }
        // A member of the wrong kind does not make a refusal unreadable.
        guard let problem = (try? json.decode(as: ProblemDocument.self)) ?? RegistryProblem.essence(json.value) else {
            return nil
        }
        self.status = status
        code = problem.codeText
        title = problem.title.isEmpty ? problem.codeText : problem.title
        detail = problem.detail
        document = json.value
        withdrawals = problem.bundleIdentifier.map {
            OfferedWithdrawals(bundleIdentifier: $0, releases: problem.withdrawn ?? [])
        }
    }

    private static func essence(_ document: JSONValue) -> ProblemDocument? {
        guard let type = document["type"]?.string, let detail = document["detail"]?.string else { return nil }
        var problem = ProblemDocument()
        (problem.type, problem.detail, problem.title) = (type, detail, document["title"]?.string ?? "")
        return problem
    }

    /// True when its code is one of `codes`.
    package func isOne(of codes: ProblemCode...) -> Bool { codes.contains { $0.rawValue == code } }
}

extension FetchError {
    /// An answer of another kind than expected.
    init(_ answer: TransferAnswer, now: Int64) async {
        let bytes = answer.head.status >= 400 ? try? await answer.body.collect() : nil
        self.init(answer.head, bytes ?? [], now: now)
    }

    /// An answer that is not the archive that was asked for.
    init(inPlaceOfArchive answer: TransferAnswer, now: Int64) async {
        await self.init(answer, now: now)
        if case .unexpectedStatus(let status, _) = reason, status == 404 || status == 410 {
            reason = .archiveGone(status: status)
        }
    }

    /// A refusal with its body.
    ///
    /// - Parameter now: seconds since 1970, which the date of a retry is compared with.
    init(_ head: TransferHead, _ body: [UInt8], now: Int64) {
        let retryAfter = head.secondsToRetry(now: now)
        guard head.status >= 400, var problem = RegistryProblem(status: head.status, body) else {
            self.init(.unexpectedStatus(head.status, retryAfter: retryAfter))
            return
        }
        problem.retryAfter = retryAfter
        self.init(.problem(problem))
    }
}
