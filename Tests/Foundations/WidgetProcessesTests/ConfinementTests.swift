import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@testable import WidgetProcesses

/// Goal: a confined process reaches no file, network or process, and its ordinary work is undisturbed. Method: a program
/// that confines itself and then does what a test names; the kernel's account of it is the second opinion.
@Suite(.serialized, .enabled(if: ConfinedChild.isPossible, "needs the right to confine"))
struct `A confined process` {
    @Test(arguments: ConfinedChild.ways)
    func `says what confines it, and the kernel agrees, and does its ordinary work for a thousand rounds`(
        way: [String]
    ) throws {
        let child = try ConfinedChild(way)
        let confinement = child.confinement
        #expect(confinement.isEnough)
        #expect(confinement.isOn(.limits) && confinement.isOn(.noNewPrivileges) && confinement.isOn(.noCapabilities))
        #expect(try child.account("status", "NoNewPrivs:") == "1")
        #expect(try child.account("status", "CapEff:") == "0000000000000000")
        #expect(try child.account("status", "CapPrm:") == "0000000000000000")
        #expect(try child.account("status", "Seccomp:") == (confinement.isOn(.seccomp) ? "2" : "0"))
        #expect(try child.account("limits", "Max address space") == "536870912 536870912 bytes")
        #expect(try child.account("limits", "Max data size") == "268435456 268435456 bytes")
        let state = try String(contentsOfFile: "/proc/\(try #require(child.program.number))/stat", encoding: .utf8)
        #expect(try #require(state.split(separator: ")").last).split(separator: " ")[16] == "5", "its niceness")
        #expect(try child.account("limits", "Max file size") == "0 0 bytes")
        #expect(try child.account("limits", "Max core file size") == "0 0 bytes")
        #expect(try child.account("limits", "Max open files") == "16 16 files")
        #expect(try child.account("limits", "Max cpu time").hasSuffix("60 seconds"))
        if confinement.isOn(.user) {
            let user = ConfinedChild.changesUser ? "65534" : "\(geteuid())"
            #expect(try child.account("status", "Uid:") == [user, user, user, user].joined(separator: " "))
        }
        for part in [Confinement.Part.userNamespace, .networkNamespace, .messageNamespace] {
            let name = [.userNamespace: "user", .networkNamespace: "net", .messageNamespace: "ipc"][part] ?? ""
            if way.contains(ConfinedChild.withoutNamespaces) {
                #expect(confinement.reason(part) == "left out on request")
            }
            guard ConfinedChild.seesNamespaces, let number = child.program.number else { continue }
            let its = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/ns/\(name)")
            let ours = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/\(name)")
            #expect((its != ours) == confinement.isOn(part), "\(part)")
        }
        if confinement.isOn(.seccomp) { checkMistakes(of: child) }
        #expect(child.perform("work 1000")?.hasPrefix("done") == true)
        #expect(child.perform("blocked") == "done")
        #expect(child.printed.withLock { $0.contains("round 500") })
        #expect(child.end() == .exit(0))
    }

    /// It is refused what could be a mistake, and continues.
    private func checkMistakes(of child: ConfinedChild) {
        for act in [
            "status /etc/passwd", "write 1", "socketpair", "kill parent", "kill 1", "tgkill", "ring", "keyctl",
            "userfault", "pidfd", "executable", "map-executable", "limit", "dumpable",
        ] {
            #expect(child.perform(act) == "refused \(EPERM)", "\(act)")
        }
        #expect(child.perform("work 10")?.hasPrefix("done") == true)
    }

    static let killing =
        [
            "open /etc/passwd", "open /proc/self/mem", "openat 3", "openhow /etc/passwd", "create /tmp/confined",
            "connect 80", "dial 80", "socket", "abstract widget", "execve /bin/true", "ptrace", "process-read", "fork",
            "clone-namespace",
        ] + (isIntel ? ["x32"] : [])

    #if arch(x86_64)
    private static let isIntel = true
    #else
    private static let isIntel = false
    #endif

    /// The filter is the same in each way, so each call meets it in one of them, and each way has several.
    @Test(
        .enabled(if: ConfinedChild.found?.isOn(.seccomp) == true, "needs the right to confine"),
        arguments: killing.indices.map { (killing[$0], ConfinedChild.ways[$0 % ConfinedChild.ways.count]) })
    func `ends at a call that only an intruder makes`(act: String, way: [String]) throws {
        let child = try ConfinedChild(way)
        #expect(child.perform(act) == nil)
        let end = child.end()
        #expect(end == .signal(SIGSYS))
        #expect(end?.description == "it did something that is forbidden")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/confined"))
    }

    @Test(.enabled(if: ConfinedChild.found?.isOn(.landlock) == true, "needs the right to confine"))
    func `reaches no file, network or process by Landlock alone`() throws {
        let version = ConfinedChild.found?.landlockVersion ?? 0
        for way in ConfinedChild.ways where !way.contains(ConfinedChild.withoutNamespaces) {
            let child = try ConfinedChild(way + ["\(ConfinedChild.withoutNamespaces),seccomp"])
            #expect(!child.confinement.isOn(.seccomp) && child.confinement.isEnough)
            // Without a filter the runtime reads /proc, where root that stays root may open its own memory.
            let own = child.confinement.isOn(.user) ? ["open /proc/self/mem"] : []
            for act in ["open /etc/passwd", "create /tmp/confined", "execve /bin/true"] + own {
                #expect(child.perform(act) == "refused \(EACCES)", "\(act)")
            }
            #expect(child.perform("ptrace") == "refused \(EPERM)")
            #expect(child.perform("process-read") == "refused \(EPERM)")
            if version >= 4 { #expect(child.perform("dial 80") == "refused \(EACCES)") }
            if version >= 6 {
                #expect(child.perform("kill parent") == "refused \(EPERM)")
                #expect(child.perform("kill 1") == "refused \(EPERM)")
            }
            #expect(child.perform("work 10")?.hasPrefix("done") == true)
            #expect(child.perform("blocked") == "done")
            #expect(child.end() == .exit(0))
        }
    }

    @Test func `without Landlock and without a filter says that it is not enough`() throws {
        let child = try ConfinedChild(["without=landlock,seccomp"])
        #expect(!child.confinement.isEnough)
        #expect(child.confinement.reason(.landlock) == "left out on request")
        let filtered = try ConfinedChild(["without=landlock"]).confinement
        #expect(filtered.isEnough == filtered.isOn(.seccomp))
        #expect(child.end() == .exit(0))
    }

    @Test func `that had a thread before says that Landlock does not bind it`() throws {
        let child = try ConfinedChild(["thread=early"])
        let confinement = child.confinement
        #expect(confinement.reason(.landlock) == "the process had several threads")
        #expect(confinement.reason(.noCapabilities) == "the process had several threads")
        #expect(confinement.isEnough == confinement.isOn(.seccomp))
        if confinement.isOn(.seccomp) { #expect(child.perform("open /etc/passwd") == nil) }
    }

    @Test
    func `B12: has limits of threads, descriptors and memory, for itself alone where it has a namespace of users`()
        throws
    {
        let limits = ConfinementLimits()
        let most = limits.threads(onProcessors: Processors.count)
        #expect(most < 128 && most > 30)
        for way in ConfinedChild.ways {
            // Two at once: the threads of one are not those of the other.
            let (first, second) = (try ConfinedChild(way), try ConfinedChild(way))
            let isOwn = first.confinement.isOn(.userNamespace)
            let isOwnerless = try first.account("status", "Uid:").hasPrefix("65534 ")
            #expect(first.confinement.isOn(.threads) == (isOwn || isOwnerless))
            if first.confinement.isOn(.threads) {
                let count = isOwn ? most : limits.threadsOfUser
                #expect(try first.account("limits", "Max processes") == "\(count) \(count) processes")
            }
            #expect(first.perform("files 10000")?.hasPrefix("refused \(EMFILE) after") == true)
            #expect(first.perform("memory 250") == "refused \(ENOMEM)")
            guard isOwn else {
                #expect(first.perform("threads 1000")?.hasPrefix("refused \(EAGAIN) after") == true)
                #expect(first.end() == .exit(0))
                continue
            }
            for child in [first, second] {
                let answer = try #require(child.perform("threads 1000"))
                let started = try #require(answer.split(separator: " ").last.flatMap { Int($0) })
                #expect(answer.hasPrefix("refused \(EAGAIN) after"), "\(answer)")
                #expect((most - 30..<most).contains(started), "\(answer)")
            }
            #expect(first.end() == .exit(0))
        }
    }

    @Test func `runs on a few processors`() throws {
        let child = try ConfinedChild(["processors=1"])
        #expect(Int(try child.account("status", "Cpus_allowed_list:")) != nil)
        #expect(child.perform("work 10")?.hasPrefix("done") == true)
        #expect(child.end() == .exit(0))
    }

    @Test func `that uses 200 MB is seen by its parent, and ended`() throws {
        let child = try ConfinedChild(["data=500000000"])
        #expect(try #require(child.program.residentBytes) < 96 << 20)
        #expect(child.perform("memory 200") == "done")
        #expect(try #require(child.program.residentBytes) > 200 << 20)
        child.program.stop()
        #expect(child.program.wait(seconds: 60) == .signal(SIGKILL))
        #expect(child.program.residentBytes == nil && child.program.processorTime == nil)
    }

    /// The kernel's account of each way has the limit; whether a user or a namespace is another one does not matter to it.
    @Test func `that spins ends at its processor time`() throws {
        for way in Set([ConfinedChild.ways[0], ConfinedChild.ways[ConfinedChild.ways.count - 1]]) {
            let child = try ConfinedChild(way + ["processor=1"])
            child.begin("spin")
            #expect(eventually { (child.program.processorTime ?? .seconds(9)) > .milliseconds(300) })
            let end = child.program.wait(seconds: 100)
            #expect(end == .signal(SIGXCPU) || end == .signal(SIGKILL))
        }
    }

    /// Case 52 of the design: nothing that works makes a call outside the list.
    @Test(.enabled(if: ConfinedChild.found?.isOn(.seccomp) == true, "needs the right to confine"))
    func `makes no call outside the filter's list in ten thousand rounds`() throws {
        let child = try ConfinedChild(["mode=counting"])
        #expect(child.perform("work 10000")?.hasPrefix("done") == true)
        #expect(child.perform("blocked") == "done")
        #expect(child.perform("forbidden") == "done ")
        #expect(child.perform("status /etc/passwd") == "refused \(EPERM)")
        #expect(child.perform("socket") == "refused \(EPERM)")
        #expect(child.perform("forbidden")?.split(separator: ",").count == 2)
        #expect(child.end() == .exit(0))
    }

    @Test(arguments: ConfinedChild.ways) func `is gone once its parent was killed`(way: [String]) throws {
        let printed = Observed<[String]>([])
        let start = ProgramStart(ConfinedChild.path, ["confined", "parent"] + way)
        let parent = try SpawnedProgram(start) { _, line in printed.withLock { $0.append(line) } }
        #expect(printed.reaches { !$0.isEmpty })
        let line = try #require(printed.value.first)
        let number = try #require(Int(line.dropFirst("child ".count)))
        let child = try WatchedProcess(number)
        #expect(!child.hasEnded)
        // The parent alone: the child is in another group.
        kill(pid_t(try #require(parent.number)), SIGKILL)
        #expect(child.ends())
    }

    @Test func `that ignores signals is ended by its parent`() throws {
        let child = try ConfinedChild()
        #expect(child.perform("ignore-end") == "done")
        let ended = Observed<ProgramEnd?>(nil)
        child.program.whenEnded { end in ended.withLock { $0 = end } }
        child.begin("spin")
        child.program.stop()
        #expect(child.program.wait(seconds: 60) == .signal(SIGKILL))
        #expect(ended.reaches { $0 == .signal(SIGKILL) })
    }

    @Test func `that has crashed is known to have`() throws {
        let child = try ConfinedChild()
        #expect(child.perform("crash") == nil)
        #expect(child.end()?.description == "it has crashed")
    }
}
