import Glibc
import WidgetFiles
import WidgetProcesses

/// Reads acts, a line each, and answers them.
struct ActReader {
    let channel: StreamSocket
    private let patience = Duration.seconds(600)

    init(_ channel: StreamSocket) { self.channel = channel }

    /// The words of the next act; `nil` at the end. Bytes are read one by one, since a descriptor may follow a line.
    func next() -> [String]? {
        var line: [UInt8] = []
        while true {
            guard let bytes = channel.read(exactly: 1, until: .now + patience) else { return nil }
            if bytes[0] == 0x0A { break }
            line.append(bytes[0])
        }
        return String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    }

    func answer(_ text: String) -> Bool { channel.write(Array((text + "\n").utf8), until: .now + patience) }
}

/// Does an act, and returns how it went: `done …`, `refused NUMBER`.
func perform(_ act: [String], _ calls: ForbiddenCalls, _ acts: ActReader) -> String {
    let argument = act.dropFirst().first ?? ""
    switch act.first {
    case "open": return unsafe words(ofFile: open(argument, O_RDONLY | O_CLOEXEC))
    case "create": return unsafe words(ofFile: creat(argument, 0o644))
    case "status":
        var status = stat()
        return unsafe ForbiddenCalls.words(Int(stat(argument, &status)))
    case "openat": return unsafe words(ofFile: openat(Int32(argument) ?? 3, "x", O_RDONLY))
    case "openhow":
        return unsafe argument.withCString { calls.make(CallNumber.openHow, -100, Int(bitPattern: $0), 0, 0) }
    case "write": return writeInherited(Int32(argument) ?? 1)
    case "write-received": return writeReceived(acts)
    case "connect": return connect(to: argument, by: 3)
    case "dial": return connect(to: argument, by: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    case "abstract": return connectAbstract(argument)
    case "socket": return words(ofFile: socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
    case "socketpair":
        var pair: [Int32] = [0, 0]
        return unsafe ForbiddenCalls.words(Int(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)))
    case "execve":
        return unsafe argument.withCString { calls.make(CallNumber.execve, Int(bitPattern: $0), 0, 0) }
    case "ptrace": return calls.make(CallNumber.ptrace, 16, Int(getppid()))
    case "process-read": return readParent(calls)
    case "fork": return calls.fork()
    case "clone-namespace": return calls.make(CallNumber.clone, 0x3D_0F00 | 0x4000_0000)
    case "x32": return calls.make(0x4000_0000 | 39)
    case "kill": return ForbiddenCalls.words(Int(kill(argument == "parent" ? getppid() : 1, 0)))
    case "tgkill": return calls.make(CallNumber.tgkill, Int(getppid()), Int(getppid()), 0)
    case "ring": return calls.make(CallNumber.ring, 4, 0)
    case "keyctl": return calls.make(CallNumber.keyctl, 0)
    case "userfault": return calls.make(CallNumber.userfault, 0)
    case "pidfd": return calls.make(CallNumber.pidfd, Int(getppid()))
    case "executable": return makeExecutable()
    case "map-executable":
        let place = unsafe mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return unsafe place == MAP_FAILED ? "refused \(errno)" : "done"
    case "limit":
        var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
        return unsafe ForbiddenCalls.words(Int(setrlimit(__rlimit_resource_t(7), &limit)))
    case "dumpable": return calls.make(CallNumber.prctl, 4, 1)
    case "threads": return startThreads(Int(argument) ?? 0)
    case "files": return duplicateFiles(Int(argument) ?? 0)
    case "memory": return touchMemory(megabytes: Int(argument) ?? 0)
    case "spin": while true { keepBusy() }
    case "crash": abort()
    case "ignore-end": return ignoreSignals()
    case "descriptor": return receive(acts)
    case "work": return work(rounds: Int(argument) ?? 1)
    case "blocked": return blockQueues()
    case "forbidden":
        return "done " + Confinement.forbiddenCalls().map { "\($0.key)x\($0.value)" }.sorted().joined(separator: ",")
    default: return "not an act"
    }
}

private func words(ofFile number: Int32) -> String { number >= 0 ? "done" : "refused \(errno)" }

private func writeInherited(_ number: Int32) -> String {
    let byte: [UInt8] = [0x78]
    // The pointer lives for this call, inside the array.
    return unsafe byte.withUnsafeBytes { unsafe ForbiddenCalls.words(pwrite(number, $0.baseAddress, 1, 0)) }
}

/// Writes a byte to a file that the parent has opened for writing and passed.
private func writeReceived(_ acts: ActReader) -> String {
    guard let file = try? acts.channel.receiveDescriptor(until: .now + .seconds(60)) else { return "no descriptor" }
    let byte: [UInt8] = [0x78]
    // The pointer lives for this call, inside the array.
    return unsafe byte.withUnsafeBytes { unsafe ForbiddenCalls.words(write(file.number, $0.baseAddress, 1)) }
}

/// Connects to a socket without a file, which has a name for all processes of the machine.
private func connectAbstract(_ name: String) -> String {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The name begins after a zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
        for (index, byte) in name.utf8.prefix(100).enumerated() { unsafe room[index + 1] = byte }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    // The pointers live for this call.
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe ForbiddenCalls.words(Int(Glibc.connect(socket, $0, length)))
        }
    }
}

/// Connects to a port of this machine.
private func connect(to name: String, by socket: Int32) -> String {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(name)?.bigEndian ?? 80
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The pointers live for this call.
    return unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe ForbiddenCalls.words(Int(Glibc.connect(socket, $0, length)))
        }
    }
}

/// Reads eight bytes of the parent's memory, from where this process has its own.
private func readParent(_ calls: ForbiddenCalls) -> String {
    var room = 0
    // The pointers live for this call: a vector is an address and a length.
    return unsafe withUnsafeMutablePointer(to: &room) { room in
        let vector = [Int(bitPattern: room), 8]
        return unsafe vector.withUnsafeBufferPointer { vector in
            let place = Int(bitPattern: vector.baseAddress)
            return calls.make(CallNumber.processRead, Int(getppid()), place, 1, place, 1, 0)
        }
    }
}

private func makeExecutable() -> String {
    let place = unsafe mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let place = unsafe place, unsafe place != MAP_FAILED else { return "no memory" }
    return unsafe ForbiddenCalls.words(Int(mprotect(place, 4_096, PROT_READ | PROT_EXEC)))
}

private func keepBusy() {
    var sum = 0
    for number in 0..<1_000_000 { sum &+= number }
    precondition(sum >= 0)
}

private func ignoreSignals() -> String {
    for number in [SIGTERM, SIGINT, SIGXCPU, SIGSYS] { _ = signal(number, SIG_IGN) }
    return "done"
}

func startThreads(_ count: Int) -> String {
    for number in 0..<count {
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, { _ in while true { pause() } }, nil)
        if code != 0 { return "refused \(code) after \(number)" }
    }
    return "done"
}

private func duplicateFiles(_ count: Int) -> String {
    for number in 0..<count where fcntl(0, F_DUPFD_CLOEXEC, 0) < 0 { return "refused \(errno) after \(number)" }
    return "done"
}

private func touchMemory(megabytes: Int) -> String {
    let place = unsafe mmap(nil, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let place = unsafe place, unsafe place != MAP_FAILED else { return "refused \(errno)" }
    unsafe memset(place, 1, megabytes << 20)
    return "done"
}

/// Receives a descriptor, and returns the count of its bytes and their sum, or that it was not exactly one.
private func receive(_ acts: ActReader) -> String {
    do {
        guard let file = try acts.channel.receiveDescriptor(until: .now + .seconds(60)) else { return "no descriptor" }
        let status = try file.status()
        let bytes = try file.read(at: 0, count: status.byteCount)
        var changes = "unchanged"
        if (try? file.write([1], at: 0)) != nil { changes = "changed" }
        return "done \(bytes.count) \(bytes.reduce(0) { $0 + Int($1) }) \(file.isSealed ? "sealed" : "open") \(changes)"
    } catch {
        return "refused \(error.code)"
    }
}
