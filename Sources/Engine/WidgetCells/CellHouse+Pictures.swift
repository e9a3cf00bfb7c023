internal import Bytes
internal import Files
internal import JSONText

/// The pictures of bundles, rewritten by cells that do nothing else, few at once.
extension CellHouse {
    /// The pictures of an archive. One of them that ends its cell costs the others that follow it, and not the widget.
    func pictures(in archive: HandedFile) async -> RewrittenPictures {
        guard let archive = try? archive.descriptor.duplicate() else { return RewrittenPictures() }
        let pictures = Guarded(RewrittenPictures())
        do throws(CellEnd) {
            try await rewrite(archive, into: pictures)
        } catch {
            // The end of the cell is counted, with its reason.
        }
        return pictures.withLock { $0 }
    }

    /// Has a cell rewrite the pictures of an archive; it is ended afterwards.
    private func rewrite(
        _ archive: consuming FileDescriptor, into pictures: Guarded<RewrittenPictures>
    ) async throws(CellEnd) {
        await beginRewriting()
        defer { endRewriting() }
        let cell = try await fresh()
        defer { cell.kill(.done) }
        cell.onExtra { [limits] message in pictures.withLock { $0.take(message, limits) } }
        _ = try await cell.ask("rewrite", within: limits.readingSeconds, passing: archive) { [limits] json in
            json.member("bytes", limits.pictureByteCount)
            json.member("count", limits.pictureCount)
        }
    }

    /// Waits for a turn.
    private func beginRewriting() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.rewritingCount >= limits.rewritings else {
                    state.rewritingCount += 1
                    return true
                }
                state.rewritings.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func endRewriting() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.rewritings.isEmpty else { return state.rewritings.removeFirst() }
            state.rewritingCount -= 1
            return nil
        }
        next?.resume()
    }
}
