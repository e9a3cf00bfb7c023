internal import Files

extension Registry {
    /// When work on the whole store was finished last, as far as anybody has noted it.
    package func lastRun(of task: HousekeepingTask) -> Int64? {
        guard let bytes = try? store.root.openFile(StoreNames.lastRun(task)).read(at: 0, count: 32) else { return nil }
        return Int64(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    /// Notes it, so that a restart does not begin it anew. Not to know it is no harm.
    package func noteRun(of task: HousekeepingTask, at time: Int64) {
        try? store.root.replaceFile(StoreNames.lastRun(task), with: Array("\(time)\n".utf8), mode: 0o600)
    }
}
