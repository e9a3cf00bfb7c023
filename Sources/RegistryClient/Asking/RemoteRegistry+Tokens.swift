internal import Bytes
internal import JSONText
internal import Transfers

extension RemoteRegistry {
    package func tokens() async throws(FetchError) -> Told<RegistryPage<RegistryToken>> {
        try await ask(try request(.get, "/v1/tokens"))
    }

    /// Makes a token; the answer is the only one that ever shows it.
    ///
    /// - Parameter expires: a time, or a span such as `90d`; `nil`: never.
    package func createToken(
        _ name: String, scopes: [String], prefix: String?, expires: String?
    ) async throws(FetchError) -> Told<RegistryToken> {
        let request = try request(.post, "/v1/tokens")
        var asked = writing(request) { writer in
            writer.member("name", name)
            if let prefix { writer.member("prefix", prefix) }
            writer.key("scopes")
            writer.array { writer in for scope in scopes { writer.string(scope) } }
            if let expires { writer.member("expires", expires) }
        }
        // If the answer is lost, so is the token; a second request would only be told that the name is taken.
        asked.isRepeatable = false
        return try await ask(asked)
    }

    package func revokeToken(_ name: String) async throws(FetchError) {
        _ = try await answer(try request(.delete, "/v1/tokens/\(PercentEncoding.segment(name))"))
    }
}
