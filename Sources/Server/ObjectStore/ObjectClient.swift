internal import WidgetBytes
internal import WidgetFiles
internal import WidgetRegistry
package import WidgetSurroundings
package import WidgetTransfers

/// Something to be stored under a name that was never used.
struct NewObject: Sendable {
    var key: String
    var body: TransferBody
    var digest: Digest
}

/// Asks an S3-compatible store: PUT, GET, HEAD, DELETE and LIST, no more. Every call blocks, and has an end.
package final class ObjectClient: Sendable {
    package struct Limits: Sendable {
        /// The time until a connection is there.
        package var connecting = Duration.seconds(3)
        /// The time without a byte. A store may take ten seconds to say that it is in trouble.
        package var stall = Duration.seconds(15)
        /// The time for one attempt at a small request, or for the head of an answer.
        package var asking = Duration.seconds(20)
        /// The time for one attempt at an archive.
        package var carrying = Duration.seconds(300)
        package var attempts = 4
        /// The time within which a further attempt begins: proxies wait a minute for the whole answer.
        package var trying = Duration.seconds(25)
        /// The time for a question whether the store is there, of which there is one attempt.
        package var looking = Duration.seconds(3)
        /// The pause before the second attempt is at most this long, and doubles.
        package var firstPause = Duration.milliseconds(200)
        package var longestPause = Duration.seconds(5)

        package init() {}

        /// The longest time that a call takes; what was announced lives longer.
        var longest: Duration { (carrying + longestPause) * attempts }
    }

    let place: ObjectPlace
    let limits: Limits
    private let signer: ObjectSigner
    private let transport: any Transport
    let world: World
    let breaker = Breaker()
    private let blocking: Blocking
    private let counts: Guarded<[RemoteBlobs.Attempt: UInt64]> = Guarded([:])

    /// The words of an error, and the pages of a listing, are no longer.
    private static let documentByteLimit = 8 << 20
    private static let refusalByteLimit = 64 << 10

    package init(
        _ place: ObjectPlace, _ credentials: ObjectCredentials, limits: Limits = Limits(),
        transport: (any Transport)? = nil, in world: World = .machine
    ) {
        self.place = place
        self.limits = limits
        self.transport = transport ?? CurlTransport(clock: world.clock)
        self.world = world
        blocking = Blocking(world.threads)
        signer = ObjectSigner(credentials, region: place.region)
    }

    /// The attempts since the start.
    var attempts: [RemoteBlobs.Attempt: UInt64] { counts.withLock { $0 } }

    /// True while the store is left alone.
    var isResting: Bool { breaker.isResting(at: world.clock.now) }

    // MARK: The five

    /// Stores an object under a name that it never had. The store compares the body with the digest.
    func put(_ body: TransferBody, digest: Digest, as key: String) throws(ObjectError) {
        try put([NewObject(key: key, body: body, digest: digest)])
    }

    /// Stores several objects, side by side, and returns when each of them has come to its end, also after a failure.
    func put(_ objects: [NewObject]) throws(ObjectError) {
        let failures = blocking.run { [self] in
            // A store in trouble is tried by one request, and others are refused meanwhile.
            guard !breaker.isOpen else {
                for object in objects { if let failure = await failure(of: object) { return [failure] } }
                return []
            }
            return await withTaskGroup(of: ObjectError?.self) { group in
                for object in objects { group.addTask { await self.failure(of: object) } }
                return await group.reduce(into: []) { failures, failure in failure.map { failures.append($0) } }
            }
        }
        if let failure = failures.first { throw failure }
    }

    /// Sends one object; `nil` when it is stored.
    private func failure(of object: NewObject) async -> ObjectError? {
        let question = Question(
            .put, place.path(object.key), payload: object.digest.hex, body: object.body, time: limits.carrying)
        let outcome = await outcome(of: question) { answer throws(ObjectError) in
            let text = try await ObjectClient.collect(answer)
            guard answer.head.isSuccess else { throw ObjectClient.refusal(answer.head, text) }
        }
        if case .failure(let failure) = outcome { return failure }
        return nil
    }

    /// Hands over an object's bytes as they come, from the start at each attempt.
    ///
    /// - Parameter begin: called before the first byte of an attempt.
    /// - Returns: `false` when it is not there.
    func get(
        _ key: String, byteLimit: Int, begin: @escaping @Sendable () throws(FileError) -> Void,
        receive: @escaping @Sendable ([UInt8]) throws(FileError) -> Void
    ) throws(ObjectError) -> Bool {
        let question = Question(
            .get, place.path(key), byteLimit: max(byteLimit, ObjectClient.documentByteLimit), time: limits.carrying)
        return try ask(question) { answer throws(ObjectError) in
            guard answer.head.isSuccess else {
                let refusal = ObjectClient.refusal(answer.head, try await ObjectClient.collect(answer))
                try ObjectClient.requireAbsence(refusal)
                return false
            }
            do throws(FileError) { try begin() } catch { throw .file(error) }
            var count = 0
            while let bytes = try await ObjectClient.next(answer.body) {
                count += bytes.count
                do throws(FileError) { try receive(bytes) } catch { throw .file(error) }
            }
            // libcurl compares the length where one was announced; a store announces one.
            guard answer.head.contentLength == count else { throw .malformed("an object without its length") }
            return true
        }
    }

    /// The number of an object's bytes; `nil` when it is not there.
    func head(_ key: String) throws(ObjectError) -> Int? {
        let question = Question(.head, place.path(key), time: limits.asking)
        return try ask(question) { answer throws(ObjectError) -> Int? in
            _ = try await ObjectClient.collect(answer)
            if answer.head.status == 404 { return nil }
            guard answer.head.isSuccess else { throw ObjectClient.refusal(answer.head, []) }
            guard let count = answer.head.contentLength else { throw .malformed("an object without its length") }
            return count
        }
    }

    /// Deletes an object; one that is gone already counts as deleted.
    func delete(_ key: String) throws(ObjectError) {
        try ask(Question(.delete, place.path(key), time: limits.asking)) { answer throws(ObjectError) in
            let text = try await ObjectClient.collect(answer)
            if answer.head.isSuccess { return }
            try ObjectClient.requireAbsence(ObjectClient.refusal(answer.head, text))
        }
    }

    /// Part of the objects whose keys begin with a text. What a listing does not have may be there all the same.
    func list(_ prefix: String, after token: String?) throws(ObjectError) -> ObjectListing {
        var query = [(name: "list-type", value: "2"), (name: "prefix", value: prefix)]
        if let token { query.append((name: "continuation-token", value: token)) }
        return try ask(Question(.get, place.path(""), query: query, time: limits.asking)) {
            answer throws(ObjectError) in
            let text = try await ObjectClient.collect(answer)
            guard answer.head.isSuccess else { throw ObjectClient.refusal(answer.head, text) }
            return try ObjectListing(text)
        }
    }

    // MARK: Looking

    /// The bytes of an object by one attempt, even of a store that is left alone; `nil` when it is not there.
    ///
    /// An answer ends the trouble that the store was in.
    func look(at key: String, byteLimit: Int, within time: Duration) throws(ObjectError) -> [UInt8]? {
        let question = Question(
            .get, place.path(key), byteLimit: max(byteLimit, ObjectClient.refusalByteLimit), time: time, isLook: true)
        return try ask(question) { answer throws(ObjectError) -> [UInt8]? in
            let bytes = try await ObjectClient.collect(answer)
            if answer.head.isSuccess { return bytes }
            try ObjectClient.requireAbsence(ObjectClient.refusal(answer.head, bytes))
            return nil
        }
    }

    /// Writes a small object by one attempt, in place of another.
    func write(_ bytes: [UInt8], as key: String) throws(ObjectError) {
        guard let digest = Digest.sha256(bytes) else { throw .outOfMemory }
        let question = Question(
            .put, place.path(key), payload: digest.hex, body: .bytes(bytes), time: limits.looking, isLook: true)
        try ask(question) { answer throws(ObjectError) in
            let text = try await ObjectClient.collect(answer)
            guard answer.head.isSuccess else { throw ObjectClient.refusal(answer.head, text) }
        }
    }

    /// An address under which anyone can get an archive for some seconds.
    ///
    /// - Parameter disposition: the `Content-Disposition` that the store is asked to send.
    func address(of key: String, as disposition: String, for seconds: Int) -> String? {
        let path = place.path(key)
        let query = signer.query(
            for: ObjectSigner.Subject(
                method: "GET", host: place.host, path: path,
                query: [
                    ("response-content-disposition", disposition), ("response-content-type", "application/zip"),
                ]), expires: seconds,
            at: world.clock.seconds)
        return query.flatMap { query in try? place.url(path, query: query).description }
    }

    // MARK: Asking

    private struct Question: Sendable {
        var method: TransferMethod
        var path: String
        var query: [(name: String, value: String)]
        var payload: String
        var body: TransferBody?
        var byteLimit: Int
        var time: Duration
        /// True for one attempt that is made in any case.
        var isLook: Bool

        /// The digest of an empty body.
        private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

        init(
            _ method: TransferMethod, _ path: String, query: [(name: String, value: String)] = [],
            payload: String = nothing, body: TransferBody? = nil, byteLimit: Int = ObjectClient.documentByteLimit,
            time: Duration, isLook: Bool = false
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.payload = payload
            self.body = body
            self.byteLimit = byteLimit
            self.time = time
            self.isLook = isLook
        }
    }

    private typealias Reading<Value> = @Sendable (TransferAnswer) async throws(ObjectError) -> Value

    /// Asks from a thread that may block.
    private func ask<Value: Sendable>(
        _ question: Question, _ read: @escaping Reading<Value>
    ) throws(ObjectError) -> Value {
        try blocking.run { [self] in await outcome(of: question, read) }.get()
    }

    /// Asks, unless the store is left alone, and remembers what that says of the store.
    private func outcome<Value: Sendable>(
        of question: Question, _ read: @escaping Reading<Value>
    ) async -> Result<Value, ObjectError> {
        guard question.isLook || breaker.admits(at: world.clock.now) else { return .failure(.resting) }
        do throws(ObjectError) {
            let value = try await repeatedly(question, read)
            // A look says nothing of how others fare while the store is asked.
            if !question.isLook || breaker.isOpen { breaker.succeeded() }
            return .success(value)
        } catch {
            if question.isLook {
                // It says nothing of the attempts that others make.
            } else if error.tellsOfTrouble {
                breaker.failed(at: world.clock.now, chance: world.chance.fraction)
            } else {
                breaker.abstained()
            }
            return .failure(error)
        }
    }

    /// Asks until an answer tells, or the attempts are used up. Pauses grow, and chance spreads them.
    private func repeatedly<Value: Sendable>(
        _ question: Question, _ read: @escaping Reading<Value>
    ) async throws(ObjectError) -> Value {
        var attempt = 1
        let last = world.clock.now + limits.trying
        while true {
            do throws(ObjectError) {
                let value = try await once(question, read)
                count(question, .done)
                return value
            } catch {
                count(question, error.tellsOfTrouble ? .failed : .refused)
                guard error.isTransient, !question.isLook, attempt < limits.attempts, world.clock.now < last else {
                    throw error
                }
            }
            await world.clock.sleep(for: pause(after: attempt))
            attempt += 1
        }
    }

    private func count(_ question: Question, _ outcome: RemoteBlobs.Attempt.Outcome) {
        let attempt = RemoteBlobs.Attempt(question.method.rawValue.lowercased(), outcome)
        counts.withLock { $0[attempt, default: 0] += 1 }
    }

    private func pause(after attempt: Int) -> Duration {
        var pause = limits.firstPause
        for _ in 1..<attempt where pause < limits.longestPause { pause = pause * 2 }
        return min(pause, limits.longestPause) * world.chance.fraction
    }

    private func once<Value: Sendable>(_ question: Question, _ read: Reading<Value>) async throws(ObjectError) -> Value
    {
        // Signed anew for each attempt: a signature has a time.
        let subject = ObjectSigner.Subject(
            method: question.method.rawValue, host: place.host, path: question.path, query: question.query)
        guard let fields = signer.fields(for: subject, payload: question.payload, at: world.clock.seconds) else {
            throw .outOfMemory
        }
        let answer: TransferAnswer
        do throws(TransferError) {
            let url = try place.url(question.path, query: ObjectSigner.canonicalQuery(question.query))
            var request = TransferRequest(question.method, url, fields: fields, body: question.body)
            request.acceptsCompression = false
            request.limits.connecting = limits.connecting
            request.limits.stall = min(limits.stall, question.time)
            request.limits.total = question.time
            request.limits.bodyByteCount = question.byteLimit
            // A store that refuses does so before a large body is sent.
            request.expectsContinue = (question.body?.byteCount ?? 0) > 1 << 20
            answer = try await transport.exchange(request)
        } catch {
            throw .transfer(error)
        }
        return try await read(answer)
    }

    private static func next(_ body: ResponseBody) async throws(ObjectError) -> [UInt8]? {
        do throws(TransferError) { return try await body.next() } catch { throw .transfer(error) }
    }

    private static func collect(_ answer: TransferAnswer) async throws(ObjectError) -> [UInt8] {
        do throws(TransferError) { return try await answer.body.collect() } catch { throw .transfer(error) }
    }

    private static func refusal(_ head: TransferHead, _ text: [UInt8]) -> ObjectError {
        .refused(status: head.status, code: ObjectListing.code(text) ?? "")
    }

    /// Throws a refusal that says more than that an object is not there.
    private static func requireAbsence(_ refusal: ObjectError) throws(ObjectError) {
        if case .refused(404, let code) = refusal, code != "NoSuchBucket" { return }
        throw refusal
    }
}
