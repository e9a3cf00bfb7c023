internal import CWidgetLinux
internal import Glibc
internal import WidgetFiles

/// The limits of a confined process.
package struct ConfinementLimits: Equatable, Sendable {
    /// The addresses that may be reserved, which is far more than the memory that is used.
    package var addressBytes = 512 << 20
    /// The memory that can be written, with the stacks of all threads.
    package var dataBytes = 256 << 20
    /// The processor time until the process ends.
    package var processorSeconds = 60
    package var descriptors = 16
    /// The processors on which it runs. Each priority of Dispatch has as many threads.
    package var processors = 4
    /// Its priority below others, as the number of `nice`.
    package var niceness = 5
    /// The stack of each thread, which counts as memory that can be written, used or not.
    package var stackBytes = 4 << 20
    /// The threads of the process, where a namespace counts them for it alone. The second number is for each processor.
    package var threads = 16
    package var threadsOfProcessor = 12
    /// The threads of all processes of the user without files together, where the system counts them by user.
    package var threadsOfUser = 2_048

    package init() {}

    /// The most threads of a process on a machine with so many processors.
    package func threads(onProcessors count: Int) -> Int { threads + threadsOfProcessor * min(count, processors) }

    /// Variables for a process that will be confined: few arenas, because their reservations count as
    /// addresses, and no program that inspects a crash.
    package static let environment = ["MALLOC_ARENA_MAX=2", "SWIFT_BACKTRACE=enable=no"]
}

/// The confinement of this process, or of a child that has sent it: each part, and why one is missing.
///
/// A process confines itself once, before it reads the first byte that it does not trust. Two parts keep files, networks
/// and other processes away from it, each alone: Landlock, which takes the rights, and a filter, which takes the calls.
package struct Confinement: Equatable, Sendable {
    package enum Part: String, CaseIterable, Sendable {
        /// Addresses, memory, processor time, descriptors, no file that grows, no image of a crash.
        case limits
        /// The number of threads.
        case threads
        case noNewPrivileges = "no-new-privileges"
        /// A user without files, if it was started by root.
        case user
        case noCapabilities = "no-capabilities"
        case userNamespace = "user-namespace"
        case networkNamespace = "network-namespace"
        case messageNamespace = "message-namespace"
        case landlock
        case seccomp
    }

    package enum State: Equatable, Sendable {
        /// - Parameter version: the version of Landlock.
        case on(version: Int?)
        case off(reason: String)
    }

    /// The effect of a call outside the filter's list.
    package enum Mode: String, Sendable {
        /// It fails with `EPERM`, or ends the process if nothing that works makes it.
        case enforcing
        /// It fails and is counted, so that a test finds calls that the list lacks.
        case counting
    }

    private(set) var states: [Part: State]

    init(_ states: [Part: State]) { self.states = states }

    package func isOn(_ part: Part) -> Bool {
        if case .on = states[part] { true } else { false }
    }

    /// The version of Landlock's interface that confines the process.
    package var landlockVersion: Int? {
        if case .on(let version) = states[.landlock] { version } else { nil }
    }

    /// The reason why a part is off, as a clause; `nil` if it is on.
    package func reason(_ part: Part) -> String? {
        if case .off(let reason) = states[part] { reason } else { nil }
    }

    /// True if the process may run a stranger's bundle.
    package var isEnough: Bool {
        isOn(.limits) && isOn(.noNewPrivileges) && (isOn(.landlock) || isOn(.seccomp))
    }

    /// True if the kernel bounds the memory, the time and the descriptors of the process: it may read a stranger's bundle
    /// for a review, which runs nothing of it.
    package var isBounded: Bool { isOn(.limits) }
}

extension Confinement {
    /// The user and group that own no files, on all systems.
    private static let ownerless: UInt32 = 65_534
    private static let threads = "the process had several threads"

    /// Numbers of capabilities (capabilities(7)).
    private enum Capability {
        static let (kill, setGroup, setUser, administer): (Int32, Int32, Int32, Int32) = (5, 6, 7, 21)
    }

    /// Confines this process for the rest of its life.
    ///
    /// It has one thread when this is called: Landlock binds the calling thread and the threads that it starts. The order
    /// follows dependence. Limits and namespaces need rights that are dropped after them. A change of user or capabilities
    /// forgets the signal of a parent's end, so that is asked for after them. The runtime's threads begin last: Dispatch
    /// looks at its threads in `/proc` from their beginning on, and ends the process if it cannot, so the filter that
    /// answers in its place comes before them.
    ///
    /// - Parameters:
    ///   - forbidden: the parts that a test leaves out.
    ///   - warmUp: first uses of the caller's that would open a file. Until it returns, opening a file fails with
    ///     `EACCES`; from then on it ends the process.
    package static func enter(
        _ limits: ConfinementLimits = ConfinementLimits(), without forbidden: Set<Part> = [], mode: Mode = .enforcing,
        warmUp: () -> Void = {}
    ) -> Confinement {
        var confinement = Confinement([:])
        let parent = getppid()
        // A negative number is an error: without /proc the caller's word counts.
        let isAlone = linux_thread_count() <= 1
        // It writes a file in memory, which the limits forbid.
        let prepared = linux_prepare_filter()
        confinement.apply(.limits, unless: forbidden) { setLimits(limits) }
        confinement.apply(.noNewPrivileges, unless: forbidden) { linux_no_new_privileges() }
        confinement.leaveNamespacesAndUser(forbidden)
        confinement.limitThreads(limits, unless: forbidden)
        confinement.apply(.noCapabilities, unless: forbidden) { linux_drop_capabilities() }
        if !isAlone { confinement.states[.noCapabilities] = .off(reason: Confinement.threads) }
        // A parent that has ended meanwhile sends no signal any more.
        guard linux_ends_with_parent() == 0, getppid() == parent, linux_not_dumpable() == 0 else { endAtOnce() }
        if isAlone {
            confinement.enterLandlock(unless: forbidden)
        } else {
            confinement.states[.landlock] = .off(reason: Confinement.threads)
        }
        confinement.apply(.seccomp, unless: forbidden) {
            prepared == 0 ? linux_filter_calls(mode == .counting ? 1 : 0) : prepared
        }
        RuntimeWarmth.spread()
        warmUp()
        linux_end_warming()
        return confinement
    }

    /// The calls that were refused to this process while counting, by their numbers.
    package static func forbiddenCalls() -> [Int: Int] {
        var found: [Int: Int] = [:]
        for number in 0..<1_024 {
            let count = linux_forbidden_count(Int32(number))
            if count > 0 { found[number] = Int(count) }
        }
        return found
    }

    /// The end that a parent's end would have been.
    private static func endAtOnce() -> Never {
        kill(getpid(), SIGKILL)
        _exit(1)
    }

    /// Makes a call for a part, unless a test forbids the part.
    private mutating func apply(_ part: Part, unless forbidden: Set<Part>, _ call: () -> Int32) {
        guard !forbidden.contains(part) else {
            states[part] = .off(reason: "left out on request")
            return
        }
        let result = call()
        states[part] = result == 0 ? .on(version: nil) : .off(reason: Confinement.words(-result))
    }

    private static func words(_ code: Int32) -> String {
        switch code {
        case ENOSYS, EINVAL: "the kernel does not have it"
        case EOPNOTSUPP: "the kernel was started without it"
        case EPERM, EACCES: "the system does not allow it"
        case ENOSPC, EUSERS: "the system has a limit of them"
        default: FileError(.start, subject: "", code: code).reason
        }
    }

    private static func setLimits(_ limits: ConfinementLimits) -> Int32 {
        let every: [(Int, Int)] = [
            (LINUX_LIMIT_ADDRESSES, limits.addressBytes), (LINUX_LIMIT_DATA, limits.dataBytes),
            (LINUX_LIMIT_PROCESSOR, limits.processorSeconds), (LINUX_LIMIT_FILE_SIZE, 0),
            (LINUX_LIMIT_DESCRIPTORS, limits.descriptors), (LINUX_LIMIT_CORE, 0),
        ]
        for (limit, most) in every {
            let result = linux_limit(Int32(limit), UInt64(clamping: most))
            guard result == 0 else { return result }
        }
        // A matter of sharing the machine, which some managers of services forbid.
        _ = linux_limit_processors(Int32(clamping: limits.processors))
        _ = linux_lower_priority(Int32(clamping: limits.niceness))
        return linux_limit_stacks(max(64 << 10, limits.stackBytes))
    }

    /// Bounds the threads. The system counts them by user within a namespace of users; the limit has no effect for the first
    /// user, root.
    private mutating func limitThreads(_ limits: ConfinementLimits, unless forbidden: Set<Part>) {
        let count: Int
        if isOn(.userNamespace) {
            count = limits.threads(onProcessors: Processors.count)
        } else if geteuid() == Confinement.ownerless {
            count = limits.threadsOfUser
        } else {
            states[.threads] = .off(
                reason: forbidden.contains(.threads)
                    ? "left out on request" : "without a namespace of users they are counted with those of the server")
            return
        }
        apply(.threads, unless: forbidden) {
            linux_limit(Int32(LINUX_LIMIT_THREADS), UInt64(clamping: count))
        }
    }

    /// True if the user changes: with the right to, and to signal another user's process, as the parent will have to.
    private static func changesUser(_ forbidden: Set<Part>) -> Bool {
        !forbidden.contains(.user) && geteuid() == 0
            && [Capability.kill, Capability.setGroup, Capability.setUser].allSatisfy { linux_has_capability($0) == 1 }
    }

    private mutating func leaveNamespacesAndUser(_ forbidden: Set<Part>) {
        let parts: [Part] = [.userNamespace, .networkNamespace, .messageNamespace]
        for part in parts where forbidden.contains(part) { states[part] = .off(reason: "left out on request") }
        let separates = { (part: Part) -> Int32 in forbidden.contains(part) ? 0 : 1 }
        // With the right to administer, a network without a user's namespace, while there is the right.
        if linux_has_capability(Capability.administer) == 1 {
            for part in parts.dropFirst() {
                apply(part, unless: forbidden) {
                    linux_separate(0, part == .networkNamespace ? 1 : 0, part == .messageNamespace ? 1 : 0)
                }
            }
        }
        if Confinement.changesUser(forbidden) {
            apply(.user, unless: forbidden) { linux_become_user(Confinement.ownerless, Confinement.ownerless) }
        } else if geteuid() != 0 {
            // It was started by a user without root's rights.
            apply(.user, unless: forbidden) { 0 }
        } else {
            apply(.user, unless: forbidden) { -EPERM }
        }
        guard !forbidden.contains(.userNamespace) else {
            for part in parts.dropFirst() where states[part] == nil {
                states[part] = .off(reason: Confinement.words(EPERM))
            }
            return
        }
        // Those that are still shared, at once: the new user's namespace gives the right to leave them.
        let left = parts.filter { !isOn($0) && !forbidden.contains($0) }
        let result = linux_separate(
            1, left.contains(.networkNamespace) ? separates(.networkNamespace) : 0,
            left.contains(.messageNamespace) ? separates(.messageNamespace) : 0)
        for part in left { apply(part, unless: forbidden) { result } }
    }

    private mutating func enterLandlock(unless forbidden: Set<Part>) {
        let version = linux_landlock_version()
        let isFiltered = !forbidden.contains(.seccomp) && linux_can_filter_calls() == 1
        apply(.landlock, unless: forbidden) {
            version < 0 ? version : linux_landlock_forbid(version, isFiltered ? 0 : 1)
        }
        if isOn(.landlock) { states[.landlock] = .on(version: Int(version)) }
    }
}
