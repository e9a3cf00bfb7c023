@unsafe @preconcurrency import Glibc
import Testing
import WidgetSystemCalls

/// Goal: a program's end needs no thread but its own. Method: processes that end with a handler registered, as OpenSSL's
/// is, and with threads that hold what a handler would need.
@Suite struct `The end of a process` {
    @Test func `A process ends without the exit handlers of libraries, which free what other threads still use`() async
    {
        await #expect(processExitsWith: .exitCode(3)) {
            atexit { _exit(9) }
            ProcessExit.end(3)
        }
    }

    @Test func `Text that was printed before the end is written`() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            print("the last line", terminator: "")
            ProcessExit.end(0)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.hasSuffix("the last line"))
    }

    @Test func `A thread that reads the standard input does not delay the end`() async {
        await #expect(processExitsWith: .exitCode(4)) {
            // A thread that reads holds the lock of the stream.
            unsafe flockfile(stdin)
            var other = pthread_t()
            // Safe: the thread takes no argument, and ends with the process.
            unsafe pthread_create(&other, nil, { _ in ProcessExit.end(4) }, nil)
            while true { pause() }
        }
    }
}
