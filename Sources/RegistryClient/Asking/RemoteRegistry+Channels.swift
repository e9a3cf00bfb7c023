internal import JSONText
internal import Transfers

extension RemoteRegistry {
    /// Makes a channel show a release, as the channel is now: when somebody changes it meanwhile, this is refused.
    ///
    /// - Parameter rollout: in basis points.
    package func promote(
        _ identifier: String, _ key: String, channel: String, rollout: Int, isMandatory: Bool
    ) async throws(FetchError) -> Told<PublishedChannel> {
        let path = RemoteRegistry.path(identifier, channel: channel)
        var request = writing(try request(.put, path)) { writer in
            writer.member("release", key)
            writer.member("rollout", rollout)
            writer.member("mandatory", isMandatory)
        }
        request.fields.append(try await condition(path))
        return try await ask(request)
    }

    /// What the channel has to be for it to be changed: what it is, or not there yet.
    private func condition(_ path: String) async throws(FetchError) -> TransferField {
        do throws(FetchError) {
            let tag = try await answer(try request(.get, path)).head["ETag"]
            return TransferField("If-Match", tag ?? "*")
        } catch {
            guard case .problem(let problem) = error.reason, problem.status == 404 else { throw error }
            return TransferField("If-None-Match", "*")
        }
    }

    /// Makes a channel show what it showed before, or a release that it showed once.
    package func rollback(
        _ identifier: String, channel: String, to key: String? = nil
    ) async throws(FetchError) -> Told<PublishedChannel> {
        let request = try request(.post, "\(RemoteRegistry.path(identifier, channel: channel))/rollback")
        // A second rollback would go back further: this is the one write that must not be sent again unasked.
        var asked = key.map { key in writing(request) { $0.member("to", key) } } ?? request
        asked.isRepeatable = key != nil
        return try await ask(asked)
    }

    package func withdraw(
        _ identifier: String, _ key: String, reason: String
    ) async throws(FetchError) -> Told<PublishedRelease> {
        try await ask(
            writing(try request(.delete, RemoteRegistry.path(identifier, key))) { $0.member("reason", reason) })
    }

    package func restore(_ identifier: String, _ key: String) async throws(FetchError) -> Told<PublishedRelease> {
        try await ask(try request(.post, "\(RemoteRegistry.path(identifier, key))/restore"))
    }
}
