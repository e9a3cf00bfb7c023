import JSONText
import RegistryClient
import RegistryContract
import WidgetBundles

/// Any answer of a registry, and any file of the cache, is read strictly or refused. Values that are read are
/// consistent.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRegistryClient(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // The engine lends its bytes for this call; they are copied at once.
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    // The first byte says what the others are meant to be.
    guard let kind = bytes.first else { return 0 }
    let content = Array(bytes.dropFirst())
    switch kind {
    case UInt8(ascii: "r"): fuzzResolution(content)
    case UInt8(ascii: "e"): fuzzEvents(content)
    case UInt8(ascii: "s"): fuzzState(content)
    case UInt8(ascii: "p"): _ = RegistryProblem(status: 400, content)
    default: fuzzDocuments(content)
    }
    return 0
}

private func fuzzResolution(_ content: [UInt8]) {
    guard let resolution = try? ResolutionDocument(checking: content, limits: BundleLimits()) else { return }
    precondition(resolution.sequence > 0, "a sequence is not positive")
    for bucket in [0, 1, 5_000, Rollout.bucketCount - 1] {
        guard let candidate = resolution.candidate(for: bucket) else { continue }
        precondition(candidate.byteCount > 0, "an archive has no bytes")
        for file in candidate.files {
            precondition(file.dataRange.lowerBound >= 0, "a file begins before its archive")
            precondition(file.dataRange.upperBound <= candidate.byteCount, "a file ends after its archive")
        }
        let plan = UpdatePlan(candidate, held: Set(candidate.files.prefix(1).map(\.digest)))
        precondition(plan.byteCount <= candidate.byteCount, "changes are larger than the whole")
    }
}

/// The same bytes give the same events, in pieces of any size.
private func fuzzEvents(_ content: [UInt8]) {
    var whole = EventStreamReader()
    guard let events = try? whole.add(content) else { return }
    var pieces = EventStreamReader()
    var found: [EventStreamReader.Event] = []
    for byte in content {
        guard let more = try? pieces.add([byte]) else { preconditionFailure("pieces are refused, the whole is not") }
        found += more
    }
    precondition(found == events && pieces.lastID == whole.lastID, "events depend on how they arrive")
    for event in events { _ = ChangeDocument(event: event.data) }
}

private func fuzzState(_ content: [UInt8]) {
    guard let state = try? WidgetState(parsing: content) else { return }
    precondition((try? WidgetState(parsing: state.json)) == state, "what is written is read as something else")
}

private func fuzzDocuments(_ content: [UInt8]) {
    guard let cursor = try? JSONDocument(parsing: content, limits: RemoteRegistry.jsonLimits, root: .container).cursor
    else { return }
    _ = try? cursor.decode() as BundleDocument
    _ = try? cursor.decode() as ReleaseDocument
    _ = try? cursor.decode() as ChannelDocument
    _ = try? cursor.decode() as DifferenceDocument
    _ = try? cursor.decode() as WellKnownDocument
    _ = try? cursor.decode() as TokenDocument
}
