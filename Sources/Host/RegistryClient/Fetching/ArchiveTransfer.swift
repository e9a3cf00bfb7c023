internal import RegistryContract
internal import WidgetBytes
internal import WidgetTransfers

/// Brings an archive into a file, from the registry or from the store that the registry leads to. The caller compares
/// the bytes with their digest.
struct ArchiveTransfer {
    let client: TransferClient
    /// At the registry.
    let url: TransferURL
    let digest: Digest
    /// A GET at the registry, with the limits of now.
    let request: () -> TransferRequest

    private typealias Attempt = Result<Download.Outcome, TransferError>

    /// Brings what is missing of the whole archive. A store that does not give it may be out of reach, and the registry is
    /// asked instead.
    ///
    /// - Returns: the bytes that are there afterwards.
    func whole(
        _ byteCount: Int, into partial: PartialArchive, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FetchError) -> Int {
        partial.begin(at: 0)
        var first = download(byteCount)
        first.heldByteCount = partial.byteCount
        first.progress = progress
        var outcome = await attempt(first, into: partial)
        let isSpoiled = try isSpoiled(outcome, byteCount, partial)
        if isSpoiled || partial.byteCount < byteCount && isOfStore(outcome) {
            partial.begin(at: 0)
            var second = part(0..<byteCount)
            second.heldByteCount = partial.byteCount
            second.progress = progress
            let again = await attempt(second, into: partial)
            // A registry that leads to the store again has no other answer, and then the store's says more.
            // What was spoiled is gone, and its success with it.
            if isSpoiled || !isOfStore(again) { outcome = again }
        }
        let count = try await self.byteCount(outcome)
        guard partial.byteCount == byteCount else {
            throw FetchError(.wrongSize(expected: byteCount, actual: partial.byteCount))
        }
        return count
    }

    /// True if another server has sent other bytes, which are forgotten.
    private func isSpoiled(_ attempt: Attempt, _ byteCount: Int, _ partial: PartialArchive) throws(FetchError) -> Bool {
        guard case .success(.complete(let head, _)) = attempt, !url.isAtHome(head.url),
            partial.byteCount != byteCount || partial.digest() != digest
        else { return false }
        try partial.clear()
        return true
    }

    /// A part of the archive. It is asked for under the condition of the registry's own tag, so the registry sends it.
    func part(_ range: Range<Int>) -> Download { download(range.count, range) }

    func bring(_ download: Download, into partial: PartialArchive) async throws(FetchError) -> Int {
        try await byteCount(attempt(download, into: partial))
    }

    private func download(_ byteCount: Int, _ range: Range<Int>? = nil) -> Download {
        var request = request()
        request.acceptsCompression = false
        request.hasProvenContent = true
        request.limits.bodyByteCount = max(byteCount, RegistryProblem.byteLimit)
        var download = Download(request, range: range, entityTag: "\"sha256-\(digest.hex)\"")
        download.byteLimit = byteCount
        // An archive that is damaged in its store stays so until it is published again: a person has to hear of it now.
        download.isFinal = { status, body in
            RegistryProblem(status: status, body)?.isOne(of: .blobDamaged) ?? false
        }
        return download
    }

    private func attempt(_ download: Download, into partial: PartialArchive) async -> Attempt {
        do throws(TransferError) {
            return .success(try await client.download(download, into: partial))
        } catch {
            return .failure(error)
        }
    }

    private func byteCount(_ attempt: Attempt) async throws(FetchError) -> Int {
        switch attempt {
        case .success(.complete(_, let byteCount)): return byteCount
        case .success(.other(let answer)): throw await FetchError(inPlaceOfArchive: answer, now: client.now)
        case .failure(let error): throw FetchError(error)
        }
    }

    /// True for a failure of another server than the registry.
    private func isOfStore(_ attempt: Attempt) -> Bool {
        switch attempt {
        case .success(.complete): return false
        case .success(.other(let answer)): return !url.isAtHome(answer.head.url)
        case .failure(let error): return error.isElsewhere(than: url)
        }
    }
}

extension TransferError {
    /// True for a failure on the way to another server than that of the address.
    func isElsewhere(than url: TransferURL) -> Bool {
        switch reason {
        case .redirectedElsewhere, .redirectRefused: true
        default: address != url.withoutQuery
        }
    }
}
