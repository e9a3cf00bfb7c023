import Glibc
import WidgetFiles
import WidgetProcesses

/// A child that confines itself and then does as it is asked over its channel, a line for each act.
///
/// `Specimen confined [parent] [without=PART,…] [mode=counting] [user=NUMBER] [processor=SECONDS] [life=SECONDS]`. The first
/// line that it sends is its confinement, and each act is answered with a line, unless it is the last one.
struct ConfinedSpecimen {
    var without: Set<Confinement.Part> = []
    var mode = Confinement.Mode.enforcing
    var user: UInt32?
    var limits = ConfinementLimits()
    /// True if another thread is there before the confinement, which is a mistake of the caller.
    var beginsThread = false

    init(_ words: [String]) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { ConfinedSpecimen.refuse(word) }
            switch (parts[0], parts[1]) {
            case ("without", let names):
                for name in names.split(separator: ",") {
                    guard let part = Confinement.Part(rawValue: String(name)) else { ConfinedSpecimen.refuse(word) }
                    without.insert(part)
                }
            case ("mode", "counting"): mode = .counting
            case ("thread", "early"): beginsThread = true
            case ("user", let number): user = UInt32(number)
            case ("processor", let seconds): limits.processorSeconds = Int(seconds) ?? 1
            case ("processors", let count): limits.processors = Int(count) ?? 1
            case ("data", let bytes): limits.dataBytes = Int(bytes) ?? 0
            default: ConfinedSpecimen.refuse(word)
            }
        }
    }

    private static func refuse(_ word: String) -> Never {
        print("not an argument: \(word)")
        exit(2)
    }

    /// A parent of a confined child, which a test kills: it prints the child's number, and waits.
    static func runParent(_ words: [String]) throws -> Never {
        var start = ProgramStart(
            CommandLine.arguments[0], ["confined"] + words, environment: ConfinementLimits.environment)
        start.channel = .one
        let child = try SpawnedProgram(start) { _, _ in }
        guard child.channel?.read(exactly: 1, until: .now + .seconds(60)) != nil else { exit(3) }
        print("child \(child.number ?? 0)")
        fflush(nil)
        while true { pause() }
    }

    func run() -> Never {
        if let user {
            guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else {
                print("cannot be user \(user)")
                exit(2)
            }
            // A change of user forgets it.
            guard ForbiddenCalls.endsWithParent() else { exit(2) }
        }
        guard let channel = StreamSocket.toParent() else {
            print("it has no channel")
            exit(2)
        }
        if beginsThread, startThreads(1) != "done" { exit(2) }
        let calls = ForbiddenCalls()
        let confinement = Confinement.enter(limits, without: without, mode: mode)
        let acts = ActReader(channel)
        guard acts.answer(confinement.text) else { exit(3) }
        while let act = acts.next() {
            guard acts.answer(perform(act, calls, acts)) else { exit(3) }
        }
        exit(0)
    }
}
