import Glibc

// The programs that tests start in the place of others: `Specimen NAME ARGUMENT…`. Package.swift lists them, and defines a
// condition for each that is built: all of them in a whole build, those that the chosen tests start with `ONLY=…`.

let arguments = Array(CommandLine.arguments.dropFirst(2))

/// Waits on the first thread for a program that is asynchronous.
func runToItsEnd(_ body: @escaping @Sendable () async throws -> Void) -> Never {
    Task.detached {
        do {
            try await body()
            exit(0)
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }
    while true { pause() }
}

switch CommandLine.arguments.dropFirst().first {
#if SPECIMEN_CELL
case "cell": CellSpecimen(arguments).run()
#endif
#if SPECIMEN_CONFINED
case "confined" where arguments.first == "parent": try ConfinedSpecimen.runParent(Array(arguments.dropFirst()))
case "confined": ConfinedSpecimen(arguments).run()
#endif
#if SPECIMEN_ENGINE
case "engine": try EngineSpecimen.run(arguments)
#endif
#if SPECIMEN_GROUP
case "group": runToItsEnd { [arguments] in try await GroupSpecimen.run(arguments) }
#endif
#if SPECIMEN_RELEASE
case "release": runToItsEnd { [arguments] in try await ReleaseSpecimen.run(arguments) }
#endif
#if SPECIMEN_ANSWERING
// Made by a package, a widget's program has no arguments.
case nil: AnsweringSpecimen.run()
#endif
default:
    print("this build has no such specimen")
    exit(2)
}
