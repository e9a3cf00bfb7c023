import Glibc

/// Bytes that end where the process's memory ends: reading one too many stops the test.
@safe
struct GuardedBytes: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let length: Int
    private let count: Int

    init(_ bytes: [UInt8]) throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        length = (bytes.count + page - 1) / page * page + page
        count = bytes.count
        guard let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe mapped != MAP_FAILED, unsafe mprotect(mapped + (length - page), page, PROT_NONE) == 0
        else { throw MappingError() }
        unsafe base = unsafe mapped
        let start = unsafe mapped + (length - page - bytes.count)
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
        offset = length - page - bytes.count
    }

    private let offset: Int

    deinit {
        unsafe munmap(base, length)
    }

    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // The memory was mapped and filled in `init` and lives until `deinit`.
        unsafe body(UnsafeRawBufferPointer(start: base + offset, count: count).assumingMemoryBound(to: UInt8.self).span)
    }

    struct MappingError: Error {}
}
