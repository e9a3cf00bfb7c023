import Glibc

/// Calls of the system and the C library that Swift does not offer, found before the process is confined.
///
/// `syscall` takes whole numbers in registers, so that it can be called as a function with a fixed number of them.
struct ForbiddenCalls {
    typealias Call = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    typealias Fork = @convention(c) () -> Int32

    private let call: Call
    private let forkProcess: Fork

    init() {
        // The symbols are those of the C library that this program is linked to, of the types above.
        guard let call = unsafe dlsym(nil, "syscall"), let fork = unsafe dlsym(nil, "fork") else { exit(2) }
        self.call = unsafe unsafeBitCast(call, to: Call.self)
        forkProcess = unsafe unsafeBitCast(fork, to: Fork.self)
    }

    /// The outcome as words: `done`, or the number of the error.
    func make(_ number: Int, _ arguments: Int...) -> String {
        let given = arguments + [Int](repeating: 0, count: 6 - arguments.count)
        return ForbiddenCalls.words(call(number, given[0], given[1], given[2], given[3], given[4], given[5]))
    }

    func fork() -> String {
        let child = forkProcess()
        if child == 0 {
            // Until it is ended with the process that it is of, so that a test can find it.
            while true { pause() }
        }
        return ForbiddenCalls.words(Int(child))
    }

    static func words(_ result: Int) -> String {
        result < 0 ? "refused \(errno)" : "done"
    }

    static func endsWithParent() -> Bool {
        let calls = ForbiddenCalls()
        return calls.make(CallNumber.prctl, 1, Int(SIGKILL)) == "done"
    }
}

/// Numbers of calls, which machines have agreed on for the newer ones only.
enum CallNumber {
    #if arch(x86_64)
    static let (prctl, execve, ptrace, clone, socketpair, tgkill) = (157, 59, 101, 56, 53, 234)
    static let (processRead, keyctl, userfault, memoryFile) = (310, 250, 323, 319)
    #else
    static let (prctl, execve, ptrace, clone, socketpair, tgkill) = (167, 221, 117, 220, 199, 131)
    static let (processRead, keyctl, userfault, memoryFile) = (270, 219, 282, 279)
    #endif
    static let (ring, openHow, pidfd, handles, clone3) = (425, 437, 434, 424, 435)
}
