import Testing

@testable import ServerCommands

/// Goal: a command that has its work done by the server says what came of it, however the answer ends.
/// Method: the last lines of answers, whole and cut short.
@Suite struct `The last line of a server's answer about housekeeping` {
    @Test func `A report is returned as it came`() throws {
        let line = #"{"report": {"removed": 3}}"#
        #expect(try Housekeeping.outcome(Array(line.utf8), status: 200) == Array(#"{"removed": 3}"#.utf8))
    }

    @Test(arguments: [
        (#"{"problem": {"detail": "the disk is full"}}"#, "the disk is full"),
        (#"{"detail": "not now"}"#, "not now"),
        (#"{"done": 3, "total": 256}"#, "the server ended before it was done (status 200)"),
        (#"{"done": 3, "to"#, "the server ended before it was done (status 200)"),
        ("", "the server ended before it was done (status 200)"),
    ])
    func `Anything else is an error that says what happened`(line: String, message: String) {
        let failure = #expect(throws: StartFailure.self) {
            try Housekeeping.outcome(Array(line.utf8), status: 200)
        }
        #expect(failure?.message == message)
    }
}
