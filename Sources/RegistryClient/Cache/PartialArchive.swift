internal import Bytes
internal import Files
internal import Transfers

/// An archive that is being put together from its start, and the digest of what is here.
///
/// What is here is always a beginning of the archive, so that another process can go on with it.
final class PartialArchive: DownloadSink {
    let file: SharedFile
    /// In the folder of partial archives; `nil` when it has none and goes with its descriptor.
    let name: String?
    private let state: Guarded<State>

    private struct State {
        var digest: RunningDigest
        var byteCount: Int
        /// Where the present part begins.
        var base: Int
    }

    /// - Parameter byteCount: of the whole; a file that holds more is begun anew.
    init(_ file: consuming FileDescriptor, name: String?, byteCount: Int) throws(FileError) {
        let held = try file.status().byteCount
        let isUsable = held <= byteCount
        if !isUsable { try file.truncate(to: 0) }
        let digest = RunningDigest()
        if isUsable { try digest.restart(with: file, byteCount: held) }
        self.file = SharedFile(file)
        self.name = name
        state = Guarded(State(digest: digest, byteCount: isUsable ? held : 0, base: 0))
    }

    var byteCount: Int { state.withLock { $0.byteCount } }

    /// From here on, a part is added whose first byte stands there; some of it may be here already.
    func begin(at position: Int) {
        state.withLock { $0.base = position }
    }

    /// Meets a full disk now rather than in the middle.
    func reserve(_ byteCount: Int) throws(FetchError) {
        try rethrowing(as: FetchError.init) { () throws(FileError) in try file.descriptor.reserve(byteCount: byteCount)
        }
    }

    /// Forgets everything.
    func clear() throws(FetchError) {
        begin(at: 0)
        try rethrowing(as: FetchError.init) { () throws(FileError) in try restart() }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            let position = state.base + offset
            precondition(position == state.byteCount, "a download hands its bytes over in order")
            try file.descriptor.write(bytes, at: position)
            state.digest.update(bytes)
            state.byteCount = position + bytes.count
        }
    }

    /// Takes back what has been added of the present part.
    func restart() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            try file.descriptor.truncate(to: state.base)
            try state.digest.restart(with: file.descriptor, byteCount: state.base)
            state.byteCount = state.base
        }
    }

    /// The digest of everything that is here.
    func digest() -> Digest? { state.withLock { $0.digest.value } }
}
