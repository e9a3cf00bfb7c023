internal import Bytes
internal import Files
package import Transfers
internal import WidgetBundles

extension RemoteRegistry {
    /// The archive that most hosts get for a widget, in a file without a name, its size and digest proven.
    package func archive(
        for widget: WidgetIdentifier, channel: String? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(FetchError) -> SharedFile {
        let resolved = try await answer(
            try request(.get, "/v1/widgets/\(widget)", channel.map { [("channel", $0)] } ?? []))
        let resolution = try Resolution(parsing: resolved.body, limits: BundleLimits())
        guard widget.belongs(to: resolution.bundleIdentifier) else {
            throw FetchError(.foreignBundle(identifier: resolution.bundleIdentifier))
        }
        guard let candidate = resolution.candidate(for: Rollout.bucketCount - 1) else {
            throw FetchError(.nothingOffered)
        }
        let partial: PartialArchive
        do throws(FileError) {
            partial = try PartialArchive(
                FileDescriptor.unnamed(inDirectory: Directory.temporary), name: nil, byteCount: candidate.byteCount)
        } catch {
            throw FetchError(error)
        }
        var request = try request(.get, "/")
        request.url = try address.resolving(candidate.url)
        request.fields = []
        request.limits.bodyByteCount = candidate.byteCount
        request.limits.total = .seconds(3_600)
        var download = Download(request, entityTag: "\"sha256-\(candidate.digest.hex)\"")
        download.progress = progress
        try await bring(download, into: partial)
        guard partial.byteCount == candidate.byteCount else {
            throw FetchError(.wrongSize(expected: candidate.byteCount, actual: partial.byteCount))
        }
        guard let digest = partial.digest() else { throw FetchError(.outOfMemory) }
        guard digest == candidate.digest else {
            throw FetchError(.wrongDigest(expected: candidate.digest, actual: digest))
        }
        return partial.file
    }

    private func bring(_ download: Download, into sink: PartialArchive) async throws(FetchError) {
        let outcome: Download.Outcome
        let body: [UInt8]
        do throws(TransferError) {
            outcome = try await client.download(download, into: sink)
            guard case .other(let answer) = outcome else { return }
            body = try await answer.body.collect()
        } catch {
            throw FetchError(error)
        }
        guard case .other(let answer) = outcome else { return }
        if let problem = ProblemDocument(status: answer.head.status, body) { throw FetchError(.problem(problem)) }
        throw FetchError(.unexpectedStatus(answer.head.status))
    }
}
