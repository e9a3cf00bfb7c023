import Glibc

/// The deeds of cells that misbehave. Those that the system refuses without ending the cell return, and the cell continues.
struct Deeds {
    private typealias Call = @convention(c) (Int, Int, Int, Int, Int) -> Int

    /// `syscall`, which takes whole numbers in registers, so that it can be called with a fixed number of them.
    private let call: Call

    init() {
        // The symbol is that of the C library that this program is linked to, of the type above.
        guard let call = unsafe dlsym(nil, "syscall") else { exit(2) }
        self.call = unsafe unsafeBitCast(call, to: Call.self)
    }

    func perform(_ deed: String) {
        switch deed {
        case "open": _ = unsafe open("/etc/passwd", O_RDONLY)
        case "files": for _ in 0..<10_000 { _ = unsafe creat("/tmp/a-file-of-a-cell", 0o600) }
        case "descriptors": for _ in 0..<10_000 { _ = fcntl(0, F_DUPFD_CLOEXEC, 0) }
        case "socket": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Through the only socket that it has: a place of another process.
        case "connect": connectToHost()
        case "execve":
            var words: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            _ = unsafe execve("/bin/true", &words, &words)
        case "ptrace": _ = call(Deeds.ptrace, 16, Int(getppid()), 0, 0)
        case "spawn":
            var words: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
            var number: pid_t = 0
            // Until the system has no more room for processes.
            while true { _ = unsafe posix_spawn(&number, "/bin/true", nil, nil, &words, &words) }
        case "threads": startAll(1_000)
        case "loop": while true {}
        case "pause": usleep(1_200_000)
        case "memory": takeMemory(megabytes: 200)
        case "allocate":
            // Takes and returns memory, below the limits, for as long as it may.
            while true { takeMemory(megabytes: 32, keeps: false) }
        case "crash": abort()
        case "exit": exit(0)
        default: return
        }
    }

    #if arch(x86_64)
    private static let ptrace = 101
    #else
    private static let ptrace = 117
    #endif

    private func connectToHost() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(80).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The pointers live for this call.
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(3, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// As many threads as it gets.
    private func startAll(_ count: Int) {
        for _ in 0..<count {
            var thread = pthread_t()
            _ = unsafe pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
        }
    }

    private func takeMemory(megabytes: Int, keeps: Bool = true) {
        var kept: [[UInt8]] = []
        for number in 0..<megabytes {
            kept.append([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20))
        }
        while keeps { _ = kept.count }
    }
}
