internal import Bytes
internal import RegistryContract
internal import Transfers
internal import WidgetBundles

extension WidgetFetcher {
    struct ResolveAnswer {
        var resolution: ResolutionDocument
        var entityTag: String?
    }

    /// Where to ask for a widget. What the host has is not part of it, so that the answer is the same for everyone.
    func address(of widget: WidgetIdentifier) throws(FetchError) -> TransferURL {
        let parameters = ResolveParameters(
            channel: options.channel, os: options.os, host: options.host, pin: options.pin)
        return try registry.route(RegistryPath.widget(widget.text), parameters.query)
    }

    /// A request to the registry, with everything that all have in common.
    func request(_ url: TransferURL) -> TransferRequest {
        var request = TransferRequest(.get, url)
        request.token = options.token
        request.policy = options.addresses
        request.retries = options.retries
        request.limits.connecting = options.connecting
        request.limits.stall = options.stall
        return request
    }

    /// - Returns: `nil` when what the tag stands for is still the answer.
    func resolve(_ url: TransferURL, entityTag: String?) async throws(FetchError) -> ResolveAnswer? {
        var request = request(url)
        request.limits.bodyByteCount = ResolutionDocument.byteLimit
        request.limits.total = .seconds(60)
        request.fields.append(TransferField("Accept", "application/json"))
        if let entityTag { request.fields.append(TransferField("If-None-Match", entityTag)) }
        let answer: TransferAnswer
        let bytes: [UInt8]
        do throws(TransferError) {
            answer = try await client.send(request)
            if answer.head.status == 304, entityTag != nil { return nil }
            bytes = answer.head.status == 200 ? try await answer.body.collect() : []
        } catch {
            throw FetchError(error)
        }
        guard answer.head.status == 200 else { throw await FetchError(answer) }
        return ResolveAnswer(
            resolution: try ResolutionDocument(checking: bytes, limits: options.policy.limits), entityTag: answer.head["ETag"])
    }

    /// Refuses an answer to another question, and a bundle that may not answer for this widget.
    func requireMeant(_ resolution: ResolutionDocument, for widget: WidgetIdentifier) throws(FetchError) {
        guard resolution.widgetIdentifier == widget.text else { throw FetchError(.contradiction(.anotherWidget)) }
        guard resolution.channel == options.channel else { throw FetchError(.contradiction(.anotherChannel)) }
        if let pin = options.pin, resolution.bundleIdentifier != pin {
            throw FetchError(.pinMismatch(wanted: pin, found: resolution.bundleIdentifier))
        }
        guard widget.belongs(to: resolution.bundleIdentifier) else {
            throw FetchError(.foreignBundle(identifier: resolution.bundleIdentifier))
        }
    }

    /// Refuses what is not what was announced, although it is a bundle.
    func requireAnnounced(
        _ unpacked: BundleIntake.Unpacked, _ candidate: ReleaseCandidate, of resolution: ResolutionDocument
    ) throws(FetchError) {
        let manifest = unpacked.manifest
        guard manifest.identifier == resolution.bundleIdentifier else {
            throw FetchError(.wrongIdentity(expected: resolution.bundleIdentifier, actual: manifest.identifier))
        }
        // On a snapshot channel, the first digits of the content follow.
        let snapshot = "\(manifest.releaseKey)+\(unpacked.contentDigest.hex.prefix(12))"
        guard candidate.release == manifest.releaseKey || candidate.release == snapshot else {
            throw FetchError(.wrongIdentity(expected: candidate.release, actual: manifest.releaseKey))
        }
        guard unpacked.name == candidate.name else {
            throw FetchError(.wrongIdentity(expected: "\(candidate.name).bundle", actual: unpacked.folder))
        }
        guard unpacked.contentDigest == candidate.contentDigest else {
            throw FetchError(.wrongContent(expected: candidate.contentDigest, actual: unpacked.contentDigest))
        }
    }
}
