internal import RegistryContract
internal import WidgetTransfers

/// Checks that the registry's own pages work behind a proxy: their addresses, their forms, their cookies.
extension RegistryProbe {
    private var isOnThisMachine: Bool { ["127.0.0.1", "localhost", "[::1]"].contains(address.url.host) }

    /// The address as browsers name it in `Origin`.
    private var origin: String {
        let url = address.url
        let usual = url.scheme == .http ? 80 : 443
        return "\(url.scheme.rawValue)://\(url.host)\(Int(url.port) == usual ? "" : ":\(url.port)")"
    }

    /// Compares the address that was asked with the one that the registry gives to others.
    func publicAddress(_ facts: WellKnownDocument) -> ProbeFinding {
        guard let known = facts.publicURL else {
            guard !isOnThisMachine else {
                return ProbeFinding("publicURL", .fine, "it is not set, and the registry is on this machine")
            }
            return ProbeFinding(
                "publicURL", .warning, "it is not set: feeds and lines to copy name the place where the server listens",
                hint: "set publicURL to \(address)")
        }
        let isAsked = (try? RegistryAddress(known)).map { known in
            known.url.hasSameOrigin(as: address.url) && RegistryProbe.path(known) == RegistryProbe.path(address)
        }
        if isAsked ?? false { return ProbeFinding("publicURL", .fine, "it is the address that was asked") }
        if isOnThisMachine {
            return ProbeFinding(
                "publicURL", .note, "it is \(known), and this is the server itself",
                hint: "`widget doctor --server \(known)` tries the way that others take")
        }
        return ProbeFinding(
            "publicURL", .warning, "it is \(known), and not the address that was asked: feeds lead there",
            hint: "set publicURL to \(address), or use \(known)")
    }

    private static func path(_ address: RegistryAddress) -> String {
        let path = address.url.path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Sends a form as a page of the registry does, which signs out a browser that has not signed in.
    func forms() async -> [ProbeFinding] {
        var cookie: ProbeFinding?
        let finding = await trying("forms") { () async throws(FetchError) in
            var request = try request("/sign-out")
            request.method = .post
            (request.token, request.isRepeatable, request.followsRedirects) = (nil, false, false)
            request.fields = [
                TransferField("Content-Type", "application/x-www-form-urlencoded"),
                TransferField("Accept", "text/html"),
                TransferField("Origin", origin), TransferField("Sec-Fetch-Site", "same-origin"),
                TransferField("Referer", "\(address)/manage"),
            ]
            request.body = .bytes([])
            let reply = try await ask(request)
            if reply.head.status == 303 { cookie = sessionCookie(reply) }
            return try form(reply)
        }
        return [finding, cookie].compactMap(\.self)
    }

    private func form(_ reply: Reply) throws(FetchError) -> ProbeFinding {
        switch reply.head.status {
        case 303:
            let place = reply.head["Location"] ?? ""
            let led = try? reply.head.url.resolving(place)
            if led == (try address.route("/")) {
                return ProbeFinding("forms", .fine, "forms of its pages are taken, and lead on below the address")
            }
            return ProbeFinding(
                "forms", .error, "its pages lead to \(place.prefix(200)), which is not below \(address)",
                hint: "set publicURL to \(address), whether the proxy removes the path or not")
        case 403 where String(decoding: reply.body, as: UTF8.self).contains(ProblemCode.readOnly.rawValue):
            return ProbeFinding("forms", .note, "it is a mirror, which takes none")
        case 403:
            return ProbeFinding(
                "forms", .error, "forms of pages at \(origin) are refused: the server is asked for another host",
                hint: "let the proxy pass the host on (nginx: proxy_set_header Host $http_host;), or set publicURL to "
                    + "\(address)")
        case 404, 405: return ProbeFinding("forms", .note, "it has no pages to sign in on")
        default:
            return ProbeFinding(
                "forms", .warning, "a form of its pages is answered with \(reply.head.status)",
                hint: "look at what lies between here and the registry")
        }
    }

    /// A cookie that is not for TLS alone shows that the server knows nothing of the proxy's TLS.
    private func sessionCookie(_ reply: Reply) -> ProbeFinding? {
        guard address.url.scheme == .https, let field = reply.head["Set-Cookie"] else { return nil }
        let parts = field.split(separator: ";").map { $0.drop { $0 == " " }.lowercased() }
        guard !parts.contains("secure") else {
            return ProbeFinding("cookie", .fine, "cookies of sessions are for TLS alone")
        }
        return ProbeFinding(
            "cookie", .warning,
            "cookies of sessions are not for TLS alone: the server does not know of the TLS in front",
            hint: "name the proxy's address in proxy.trusted, and let it send the scheme (nginx: proxy_set_header "
                + "X-Forwarded-Proto $scheme;); until then, all clients count as one")
    }
}
