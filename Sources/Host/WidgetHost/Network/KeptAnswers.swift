package import GroupCache
internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetFiles
internal import WidgetTransfers

/// The answers of servers to one widget, with their validators: a question that was answered before is asked on condition
/// that the answer has changed (RFC 9110 §13).
///
/// The answers that the running widget has used are not evicted.
package final class KeptAnswers: Sendable {
    private let group: CacheGroup
    private let widget: String
    private let held = Guarded([GroupKey: HeldEntry]())
    private let mishaps = Guarded(Mishaps())
    private static let heldLimit = 64

    /// The reasons why answers could not be kept.
    private struct Mishaps {
        /// The kind of the last one, which is reported once.
        var kind: String?
        var unreported: String?
    }

    /// - Parameter group: the widget's alone, because answers may be about its user.
    package init(_ group: CacheGroup, of widget: String) {
        self.group = group
        self.widget = widget
    }

    /// An answer from before, with the fields that ask whether it has changed.
    struct Known {
        var conditions: [TransferField]
        var bytes: [UInt8]
    }

    func known(_ request: ServiceRequest) async -> Known? {
        guard let key = key(of: request), let entry = group.entry(key), let bytes = group.bytes(key) else { return nil }
        await hold(key)
        var conditions: [TransferField] = []
        if let tag = entry.etag { conditions.append(TransferField("If-None-Match", tag)) }
        if let date = entry.lastModified { conditions.append(TransferField("If-Modified-Since", date)) }
        return conditions.isEmpty ? nil : Known(conditions: conditions, bytes: bytes)
    }

    /// Keeps an answer that has validators, unless its server forbids it.
    func keep(_ bytes: [UInt8], _ head: TransferHead, to request: ServiceRequest, at moment: Double) async {
        guard let key = key(of: request) else { return }
        let (tag, date) = (head["ETag"], head["Last-Modified"])
        let isForbidden = head.values("Cache-Control").contains { $0.lowercased().contains("no-store") }
        // An answer that cannot be kept is asked for as a whole the next time.
        guard head.status == 200, tag != nil || date != nil, !isForbidden else {
            do throws(GroupCacheError) {
                try await group.remove(key)
            } catch {
                add("An answer of a server that is not to be kept could not be removed", error)
            }
            return
        }
        let entry = GroupEntry(
            .json(JSONValue(.null)), storedAt: moment, etag: tag, lastModified: date, writer: widget)
        do throws(GroupCacheError) {
            try await group.store(bytes, entry, under: key, at: moment)
        } catch {
            return add("An answer of a server was not kept", error)
        }
        await hold(key)
    }

    /// The reason why the last answer could not be kept; `nil` if nothing went wrong, or it was returned already.
    func takeMishap() -> String? {
        mishaps.withLock { mishaps in
            defer { mishaps.unreported = nil }
            return mishaps.unreported
        }
    }

    private func add(_ what: String, _ error: GroupCacheError) {
        // The names of files that were to be written differ each time.
        let kind = if case .file(let fault) = error { "\(fault.operation) \(fault.code)" } else { "\(error)" }
        mishaps.withLock { mishaps in
            guard mishaps.kind != "\(what) \(kind)" else { return }
            (mishaps.kind, mishaps.unreported) = ("\(what) \(kind)", "\(what): \(error)")
        }
    }

    /// Answers to equal requests are equal; requests with other fields, such as another authorization, are others.
    private func key(of request: ServiceRequest) -> GroupKey? {
        let isConditional = request.headers.contains {
            ["if-none-match", "if-modified-since", "if-match", "if-range"].contains($0.name.lowercased())
        }
        guard request.method == "GET", request.body.isEmpty, request.parts.isEmpty, !isConditional else { return nil }
        var text = "\(request.url.utf8.count) \(request.url)"
        for header in request.headers.sorted(by: { ($0.name, $0.value) < ($1.name, $1.value) }) {
            text += " \(header.name.utf8.count) \(header.name) \(header.value.utf8.count) \(header.value)"
        }
        guard let digest = Digest.sha256(Array(text.utf8)) else { return nil }
        do throws(GroupCacheError) {
            return try GroupKey("answer \(digest.hex)", of: widget)
        } catch {
            add("Answers of servers are not kept", error)
            return nil
        }
    }

    private func hold(_ key: GroupKey) async {
        guard held.withLock({ $0[key] == nil && $0.count < KeptAnswers.heldLimit }) else { return }
        // Without the mark, the answer may be evicted, and is asked for as a whole.
        do throws(GroupCacheError) {
            let mark = try await group.hold(key)
            held.withLock { $0[key] = mark }
        } catch {
            add("An answer of a server may be evicted while it is used", error)
        }
    }
}
