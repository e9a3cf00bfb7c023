internal import JSONText
internal import RegistryContract
internal import WidgetBytes
internal import WidgetTransfers

extension RegistryProbe {
    /// The sample that is asked for: a widget that resolves, and its archive.
    private struct Sample {
        let resolve: TransferURL
        let resolved: Reply
        let archive: TransferURL
        let digest: String
        let byteCount: Int
    }

    /// Documents and archives, as a host asks for them.
    func archives() async -> [ProbeFinding] {
        let sample: Sample?
        do throws(FetchError) {
            sample = try await self.sample()
        } catch {
            return [ProbeFinding("resolve", .error, "\(error)")]
        }
        guard let sample else {
            return [
                ProbeFinding(
                    "resolve", .note, "nothing that can be read is published there, so archives were not tried",
                    hint: "publish something, or give a token that may read")
            ]
        }
        var findings = [
            ProbeFinding("resolve", .fine, "\(sample.resolve.path) leads to \(sample.digest.prefix(12))…")
        ]
        let tries: [(String, (Sample) async throws(FetchError) -> ProbeFinding)] = [
            ("validators", validators), ("caching", caching), ("digest", digest), ("ranges", ranges),
            ("conditions", conditions),
        ]
        for (check, body) in tries {
            let finding = await trying(check) { () async throws(FetchError) in try await body(sample) }
            if let finding { findings.append(finding) }
        }
        return findings
    }

    private func sample() async throws(FetchError) -> Sample? {
        let page = try await ask(try request(RegistryPath.bundles, [("limit", "50")]))
        for bundle in document(page)?["items"]?.array ?? [] {
            guard let identifier = bundle["bundleIdentifier"]?.string,
                let channel = bundle["channels"]?.array?.first?["channel"]?.string
            else { continue }
            let asked = try request(RegistryPath.widget(identifier), ResolveParameters(channel: channel).query)
            let resolved = try await ask(asked)
            guard resolved.head.status == 200, let candidate = document(resolved)?["candidates"]?.array?.first,
                let url = candidate["url"]?.string, let digest = candidate["sha256"]?.string,
                let size = candidate["size"]?.integer.flatMap({ Int(exactly: $0) })
            else { continue }
            return Sample(
                resolve: asked.url, resolved: resolved, archive: try address.resolving(url), digest: digest,
                byteCount: size)
        }
        return nil
    }

    private func plain(_ url: TransferURL, _ fields: [TransferField] = []) throws(FetchError) -> TransferRequest {
        var request = try request("/")
        request.url = url
        request.fields = fields
        request.acceptsCompression = false
        return request
    }

    /// Checks that a host that asks again gets "not modified".
    private func validators(_ sample: Sample) async throws(FetchError) -> ProbeFinding {
        guard let tag = sample.resolved.head["ETag"] else {
            return ProbeFinding(
                "validators", .error, "documents arrive without an ETag", hint: "a proxy takes it away")
        }
        var request = try request("/")
        request.url = sample.resolve
        request.fields = [TransferField("If-None-Match", tag)]
        let status = try await ask(request).head.status
        guard status == 304 else {
            return ProbeFinding(
                "validators", .warning, "asked again with its ETag, a document comes again instead of 304",
                hint: "a proxy changes or ignores conditions")
        }
        guard tag.hasPrefix("\"") else {
            return ProbeFinding(
                "validators", .warning, "ETags arrive weakened",
                hint: "a proxy compresses by itself; the registry does that already (nginx: gzip off)")
        }
        return ProbeFinding("validators", .fine, "unchanged documents are answered with 304")
    }

    /// Checks that shared caches may keep archives.
    private func caching(_ sample: Sample) async throws(FetchError) -> ProbeFinding {
        var request = try plain(sample.archive)
        request.method = .head
        let archive = try await ask(request).head
        let heads = [sample.resolved.head, archive]
        if heads.contains(where: { $0["Set-Cookie"] != nil || $0["Vary"]?.contains("*") == true }) {
            return ProbeFinding(
                "caching", .warning, "answers carry cookies, or vary with everything: no cache will keep them",
                hint: "take that out of the proxy's configuration")
        }
        let directives = archive["Cache-Control"] ?? ""
        guard directives.contains("immutable") else {
            return ProbeFinding(
                "caching", .warning, "archives may not be kept: Cache-Control is \"\(directives)\"",
                hint: "a proxy rewrites it; the registry says immutable, except where reading needs a token")
        }
        let caches = heads.contains { $0["Age"] != nil || $0["X-Cache"] != nil }
        return ProbeFinding(
            "caching", .fine, "archives may be kept for ever\(caches ? "; a cache stands in between" : "")")
    }

    /// Checks that the archive has the announced digest.
    private func digest(_ sample: Sample) async throws(FetchError) -> ProbeFinding {
        guard sample.byteCount <= 64 << 20 else {
            return ProbeFinding("digest", .note, "the first archive is too large to try")
        }
        var request = try plain(sample.archive)
        request.limits.bodyByteCount = sample.byteCount
        request.limits.total = .seconds(120)
        request.hasProvenContent = true
        let reply: Reply
        do throws(FetchError) {
            reply = try await ask(request)
        } catch {
            guard case .transfer(let reason) = error.reason, reason.isElsewhere(than: sample.archive) else {
                throw error
            }
            return outOfReach("\(reason)")
        }
        let isOfStore = !sample.archive.isAtHome(reply.head.url)
        if isOfStore, reply.head.status != 200 {
            return outOfReach("\(reply.head.url.host) answers \(reply.head.status)")
        }
        guard let digest = Digest.sha256(reply.body), digest.hex == sample.digest else {
            return ProbeFinding(
                "digest", .error, "the archive that arrives is not the one that was announced",
                hint: "something on the way changes it, or the registry's store is damaged (`widgetd scrub`)")
        }
        if isOfStore {
            return ProbeFinding(
                "digest", .fine,
                "\(ByteCountText.of(reply.body.count)) arrived as announced, from the store at \(reply.head.url.host)")
        }
        guard reply.head["Repr-Digest"]?.contains(digest.base64) == true else {
            return ProbeFinding(
                "digest", .warning, "archives arrive without Repr-Digest", hint: "a proxy takes it away")
        }
        return ProbeFinding("digest", .fine, "\(ByteCountText.of(reply.body.count)) arrived as announced")
    }

    private func outOfReach(_ reason: String) -> ProbeFinding {
        ProbeFinding(
            "digest", .warning, "archives are at a store that does not give them to this machine: \(reason)",
            hint: "hosts like this one ask twice; without blobs.redirects the registry sends archives itself")
    }

    /// Checks that an interrupted download can be continued.
    private func ranges(_ sample: Sample) async throws(FetchError) -> ProbeFinding {
        let tag = "\"sha256-\(sample.digest)\""
        let asked = try plain(sample.archive, [TransferField("Range", "bytes=2-3"), TransferField("If-Range", tag)])
        let reply = try await ask(asked)
        guard reply.head.status == 206, reply.head["Content-Range"] == "bytes 2-3/\(sample.byteCount)",
            reply.body == [0x03, 0x04]
        else {
            return ProbeFinding(
                "ranges", .error, "part of an archive is answered with \(reply.head.status) and not with that part",
                hint: "a proxy takes ranges or ETags away: downloads begin anew each time, and updates load everything")
        }
        return ProbeFinding("ranges", .fine, "broken downloads go on, and updates load what has changed")
    }

    /// Checks that a failing `If-Range` condition is respected. Otherwise parts of two archives could be combined.
    private func conditions(_ sample: Sample) async throws(FetchError) -> ProbeFinding {
        var asked = try plain(
            sample.archive, [TransferField("Range", "bytes=2-3"), TransferField("If-Range", "\"sha256-doctor\"")])
        asked.limits.bodyByteCount = nil
        let head: TransferHead
        do throws(TransferError) {
            // The body, which is everything, is not read.
            head = try await client.send(asked).head
        } catch {
            throw FetchError(error)
        }
        guard head.status == 200 else {
            return ProbeFinding(
                "conditions", .error, "If-Range is ignored: a part is sent although the archive is another",
                hint: "a cache answers ranges by itself; hosts notice by the digest, and load everything again")
        }
        return ProbeFinding("conditions", .fine, "If-Range is heeded")
    }
}
