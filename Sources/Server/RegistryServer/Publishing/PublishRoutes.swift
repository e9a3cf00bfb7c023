internal import Dispatch
internal import HTTPWire
internal import RegistryContract
package import WidgetBundles
internal import WidgetBytes
package import WidgetFiles
package import WidgetFindings
internal import WidgetHTTPServer
package import WidgetRegistry
internal import WidgetSurroundings

/// The routes by which bundles come in. Everything that can be known from the head is decided before a byte of
/// the body is read, so that `Expect: 100-continue` means something.
struct PublishRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let policy: @Sendable () -> PublishPolicy
    let review: any BundleReview
    let gate: UploadGate
    let threads: any Threads

    /// A queue for one upload.
    func makeQueue() -> any ThreadQueue { threads.queue("widgetd.upload", qos: .userInitiated) }

    /// The media types that clients give a zip archive, or mistake it for; content decides.
    static let archiveTypes = [
        "application/zip", "application/octet-stream", "application/x-zip-compressed", "application/x-zip",
        dataType, "application/x-ios-app", "application/x-itunes-ipa",
        "binary/octet-stream", "application/gzip", "application/x-gzip", "application/x-tar",
    ]
    /// The media type that curl gives a body of `-d`, without its line ends, and of `--data-binary`.
    private static let dataType = "application/x-www-form-urlencoded"
    static let formType = "multipart/form-data"
    /// The most bytes of a form around its file.
    static let formOverhead = 64 << 10

    /// `POST /v1/bundles`, and `PUT` for `curl -T` without a name to put there.
    func post(_ request: borrowing Request) throws -> Answer {
        try receive(request)
    }

    /// `PUT /v1/bundles/{id}`, as `curl -T` makes it of the folder of bundles and a file: the name is the publisher's own
    /// business, and so is its ending.
    func putFile(_ request: borrowing Request, _ name: String) throws -> Answer {
        try receive(request)
    }

    /// `PUT /v1/bundles/{id}/releases/{key}`
    func putRelease(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try receive(request, identifier: bundle.text, key: key.text)
    }

    private func receive(
        _ request: borrowing Request, identifier: String? = nil, key: String? = nil
    ) throws(Problem) -> Answer {
        let caller = try access.writer(request, .publish, of: identifier, taking: .publishing)
        let entry = AuditEntry(.publish, request, by: caller)
        do throws(Problem) {
            return try receive(request, from: caller, entry, identifier: identifier, key: key)
        } catch {
            audit.record(entry, error)
            throw error
        }
    }

    /// - Parameter entry: the note of the write. A refusal that is thrown has not been noted.
    private func receive(
        _ request: borrowing Request, from caller: Caller, _ entry: AuditEntry, identifier: String?, key: String?
    ) throws(Problem) -> Answer {
        let options = try rethrowing(try PublishOptions(request), as: ProblemCatalogue.unreadable)
        let wanted = PublishRequest(options, by: entry.author, assertedIdentifier: identifier, assertedKey: key)
        try caller.require(channel: wanted.channel)
        let policy = policy()
        let contentType = request.value(.contentType) ?? ""
        let mediaType = FieldParameters(contentType)?.word
        let isForm = mediaType == PublishRoutes.formType
        let expectations = try ExpectedDigests(request)
        let limit = policy.bundles.limits.archiveByteCount
        let form = try isForm ? PublishRoutes.form(contentType) : nil
        var blockingProblem: Problem?
        var place: UploadPlace?
        do throws(Problem) {
            place = try self.place(UploadShare(caller), policy, byteCount: min(request.contentLength ?? limit, limit))
        } catch {
            blockingProblem = error
            audit.record(entry, error)
        }
        let credential = Credential(request)
        let upload = Upload(
            registry: registry, audit: audit,
            write: blockingProblem == nil ? PendingWrite(audit, entry) : nil, place: place,
            confirm: { [access] () throws(Problem) in try access.confirm(credential) }, policy: policy, review: review,
            request: wanted, form: form,
            mayHaveLostLineEnds: mediaType == PublishRoutes.dataType, expected: expectations,
            prefersText: request.prefersText)
        return .readBody(
            BodyReceipt(
                limit: isForm ? limit + PublishRoutes.formOverhead : limit,
                mediaTypes: PublishRoutes.archiveTypes + [PublishRoutes.formType],
                blockingProblem: blockingProblem,
                sink: QueuedBody(queue: makeQueue(), consumer: upload)))
    }

    private static func form(_ contentType: String) throws(Problem) -> FormReader {
        return try rethrowing(as: ProblemCatalogue.problem) { () throws(FormReader.Mistake) in
            try FormReader(contentType: contentType)
        }
    }

    /// A place among the uploads under way, with room for what was sent and for what is made of it.
    func place(_ share: UploadShare, _ policy: PublishPolicy, byteCount: Int) throws(Problem) -> UploadPlace {
        // Before a body is sent that could not be stored.
        if let trouble = registry.storeTrouble { throw ProblemCatalogue.problem(trouble.error) }
        if let trouble = registry.remoteBlobs?.trouble { throw ProblemCatalogue.problem(.unreachable(trouble)) }
        let available = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try registry.availableByteCount
        }
        return try gate.enter(
            share, limit: policy.concurrentUploads, byteCount: min(byteCount, .max / 2) * 2,
            room: available - policy.diskReserve)
    }
}

/// The operator's settings of publishing; read anew for every request, so that a reload shows.
package struct PublishPolicy: Equatable, Sendable {
    /// The rules of bundles, and the most bytes of an archive.
    package var bundles = BundlePolicy()
    /// Refuse content that would be stripped or warned about, even if the request does not ask for it.
    package var isStrict = false
    /// Look at the screens of a bundle as well, for the findings of its report.
    package var reviewsScreens = true
    /// The stills that a review makes.
    package var stills = StillPlan()
    package var concurrentUploads = 16
    /// The address at which clients reach the server, for absolute locations; `nil` makes them relative.
    package var publicURL: String?
    /// Bytes of the disk that uploads leave free.
    package var diskReserve = 256 << 20

    package init() {}
}

/// A look at the program of bundles that the rules of bundles have accepted.
package protocol BundleReview: Sendable {
    /// - Parameters:
    ///   - archive: the canonical archive of the bundle.
    ///   - share: whose bundle it is, where others wait for the same.
    func findings(
        of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
    ) -> ReviewFindings
}

/// The findings of a review, which are added to the report.
package struct ReviewFindings: Sendable {
    /// Declarations that hosts do not understand, like those that the rules of bundles find: strict publishing refuses
    /// them.
    package var faults: [Finding]
    /// Matters of people more than of hosts: text that is hard to read, or a control without a name. They never refuse a
    /// bundle, not even where publishing is strict: looks are a matter of taste and law.
    package var remarks: [Finding]
    /// Parts for the pages of the release: stills of its screens, and facts about it.
    package var parts: [ReleasePart]
    /// The end of the sentence why the look did not come to its end; `nil` if it did.
    package var end: String?

    package var endedEarly: Bool { end != nil }

    package init(faults: [Finding] = [], remarks: [Finding] = [], parts: [ReleasePart] = []) {
        self.faults = faults
        self.remarks = remarks
        self.parts = parts
    }
}

/// No look at all, for registries that hold bundles and nothing else.
package struct NoReview: BundleReview {
    package init() {}

    package func findings(
        of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor, for share: UploadShare
    ) -> ReviewFindings {
        ReviewFindings()
    }
}

/// The SHA-256 of a request's body according to its head (RFC 9530).
///
/// Without a content coding both fields are about the same bytes: the body as it is sent, a form's whole body.
struct ExpectedDigests: Sendable {
    private var all: [(field: String, bytes: [UInt8])] = []

    var isEmpty: Bool { all.isEmpty }

    init(_ request: borrowing Request) throws(Problem) {
        for (name, field) in [("Content-Digest", KnownField.contentDigest), ("Repr-Digest", .reprDigest)] {
            guard let text = request.list(field) else { continue }
            switch DigestField.read(text) {
            case .sha256(let bytes): all.append((name, bytes))
            case .others: break
            case .malformed:
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "\(name) is not readable; write sha-256=:BASE64:, with the 32 bytes of the digest in Base64.")
            }
        }
    }

    /// Throws if the body has another digest.
    func check(_ digest: Digest) throws(Problem) {
        for (field, bytes) in all where bytes != digest.bytes {
            throw ProblemCatalogue.problem(
                .digestMismatch,
                "What arrived has the SHA-256 \(digest.hex), \(field) says \(Hex.string(bytes)). Nothing was stored; send it again."
            )
        }
    }
}

/// Recognises by its first bytes what was sent in place of a zip archive, and says what to type instead.
enum ForeignUpload {
    /// The bytes needed to recognise it: a tar archive has its mark at 257.
    static let byteCount = 512
    /// The bytes needed to recognise a zip archive.
    static let markByteCount = 4

    /// The next step of a publisher.
    struct Advice: Sendable {
        fileprivate let empty: String
        fileprivate let sending: String
        fileprivate let packing: String
        fileprivate let naming: String

        /// For those who type a command.
        static let typing = Advice(
            empty: "The request has no body: nothing was sent, or the file is empty.",
            sending: "Send the archive itself as the body, for example with: curl -T WidgetDemo.zip …/v1/bundles/",
            packing: "Pack the bundle's folder as a zip and send that: zip -r WidgetDemo.zip WidgetDemo.bundle && "
                + "curl -T WidgetDemo.zip …/v1/bundles/",
            naming:
                "With curl, -T FILE sends a file, and so does an @ before its name: --data-binary @FILE, -F bundle=@FILE."
        )

        /// For those who choose a file on a page.
        static let choosing = Advice(
            empty: "No file was chosen, or the one that was is empty.",
            sending: "Choose the archive itself, a zip with the bundle's folder in it.",
            packing: "Pack the bundle's folder as a zip, and choose that.",
            naming: "Choose the archive itself.")
    }

    /// True if bytes could be the beginning of a zip archive: of a file's record, or of the end of an empty one.
    static func mayBeZip(_ head: [UInt8]) -> Bool {
        let beginnings: [[UInt8]] = [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x50, 0x4B, 0x07, 0x08]]
        return beginnings.contains { $0.starts(with: head.prefix(markByteCount)) }
    }

    /// - Parameter head: the first bytes, all of them where there were few.
    static func problem(_ head: [UInt8], _ advice: Advice = .typing) -> Problem {
        ProblemCatalogue.problem(.notAZip, detail(head, advice))
    }

    private static func detail(_ head: [UInt8], _ advice: Advice) -> String {
        if head.isEmpty { return "\(advice.empty) \(advice.sending)" }
        if let form = packed(head) { return "What was sent is \(form), not a zip archive. \(advice.packing)" }
        if let name = fileName(head) {
            return
                "What was sent is the text \(ProblemCatalogue.quoted(name)), the name of a file and not what is in it. "
                + advice.naming
        }
        if head.starts(with: "--".utf8) {
            return
                "What was sent begins like a form, and its Content-Type does not say so. Let the client write both, as "
                + "curl -F bundle=@WidgetDemo.zip does."
        }
        if head.starts(with: "bplist".utf8) || text(head).hasPrefix("<?xml") {
            return
                "What was sent is a property list, not a zip archive. An Info.plist alone is not a bundle. \(advice.packing)"
        }
        if text(head).hasPrefix("<") {
            return
                "What was sent is a page of HTML, not a zip archive: perhaps what a server said when the archive was "
                + "downloaded. Look into the file. \(advice.sending)"
        }
        return "What was sent does not begin like a zip archive. \(advice.sending)"
    }

    /// The kind of archive that it is instead.
    private static func packed(_ head: [UInt8]) -> String? {
        let kinds: [(bytes: [UInt8], name: String)] = [
            ([0x1F, 0x8B], "gzip (.gz, .tgz)"), (Array("BZh".utf8), "bzip2 (.bz2, .tbz)"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz (.xz, .txz)"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd (.zst)"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"), (Array("Rar!".utf8), "a rar archive"),
            (Array("xar!".utf8), "a xar archive (.pkg, .xip)"),
            ([0xCF, 0xFA, 0xED, 0xFE], "a program (Mach-O)"), ([0xCA, 0xFE, 0xBA, 0xBE], "a program (Mach-O)"),
        ]
        if let kind = kinds.first(where: { head.starts(with: $0.bytes) }) { return kind.name }
        return head.count >= 262 && head[257..<262].elementsEqual("ustar".utf8) ? "a tar archive" : nil
    }

    /// The name of a file in place of its content, as curl sends it when an `@` is missing or is not understood.
    private static func fileName(_ head: [UInt8]) -> String? {
        guard head.count < 256, head.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let name = text(head)
        let endings = [".zip", ".ipa", ".bundle", ".app", ".xcarchive", ".tgz", ".tar.gz"]
        return name.hasPrefix("@") || endings.contains(where: name.lowercased().hasSuffix) ? name : nil
    }

    private static func text(_ head: [UInt8]) -> String {
        String(decoding: head.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }, as: UTF8.self)
    }

    /// The refusal of an archive that was damaged on its way, with the cause of the damage.
    ///
    /// - Parameter lostLineEnds: whether it came as `curl -d` sends, and without a single end of a line.
    static func explaining(_ problem: Problem, _ byteCount: Int, lostLineEnds: Bool) -> Problem {
        let codes: [ProblemCode] = [.notAZip, .archiveRefused, .entryRefused, .expansionRefused]
        guard codes.contains(where: { $0.rawValue == problem.code }) else { return problem }
        var problem = problem
        if lostLineEnds {
            problem.detail =
                "The archive is damaged: it holds no end of a line, as curl -d takes them out of what it sends. Send the file "
                + "as it is: curl -T FILE, or --data-binary @FILE in place of -d @FILE."
        } else if problem.code == ProblemCode.notAZip.rawValue {
            problem.detail =
                "The archive begins like a zip and has no end within the \(byteCount) bytes that arrived: it was cut off, on its way or "
                + "before. Compare with the size of the file, see whether unzip -t reads it, and send it again; nothing was stored."
        }
        return problem
    }
}
