import CommandSupport
import ConformanceSupport
import Foundation
import HostileServer
import RegistryContract
import Testing
import WidgetBytes
import WidgetConsole
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetCommands

/// Goal: a job reads the exit code of `widget wait`, and nothing else has to be right. Method: a server whose counts a script gives,
/// question by question, and a clock that skips the waits.
@Suite(.ownThreads) struct `widget wait` {
    private static func counts(
        _ confirmed: Int, _ failed: Int, accepts: String = "open", day: String = "2026-11-30",
        channels: String = "\"stable\"", gone: String = ""
    ) -> String {
        let failures = failed == 0 ? "" : "{\"outcome\":\"went-back\",\"reason\":\"unconfirmed\",\"count\":\(failed)}"
        return """
            {"bundleIdentifier":"com.acme.Clock","release":"1.4~1","accepts":"\(accepts)",\
            "channels":[\(channels)],\(gone.isEmpty ? "" : "\"gone\":\"\(gone)\",")"days":[\
            {"channel":"beta","day":"\(day)","installed":9,"started":9,"confirmed":900,"failed":900,"failures":[]},\
            {"channel":"stable","day":"\(day)","installed":0,"started":0,"confirmed":\(confirmed),"failed":\(failed),\
            "failures":[\(failures)]}]}
            """
    }

    private struct Ended {
        var code: ExitCode
        var output: String
        var error: String
        var asked: Int
        var waited: Duration
    }

    /// - Parameter answers: one for each question, of which the last is given again.
    private static func wait(
        _ answers: [(status: Int, text: String)], _ arguments: String..., token: String = "secret"
    ) async throws -> Ended {
        let number = Guarded(0)
        let server = try HostileServer { visit in
            let place = number.withLock { number in
                defer { number += 1 }
                return min(number, answers.count - 1)
            }
            visit.answer(answers[place].status, text: answers[place].text)
        }
        let terminal = RecordedTerminal(environment: ["WIDGET_SERVER": server.url, "WIDGET_TOKEN": token])
        let clock = SkippingClock()
        let code = await Widget.run(
            ["wait", "com.acme.Clock", "1.4~1"] + arguments, on: terminal.terminal, in: .skipping(clock))
        return Ended(
            code: code, output: terminal.output, error: terminal.error, asked: server.requests.count,
            waited: clock.passed)
    }

    private static func ok(_ texts: String...) -> [(status: Int, text: String)] { texts.map { (200, $0) } }

    @Test func `Enough confirmations from now on are success`() async throws {
        let ended = try await Self.wait(
            Self.ok(Self.counts(500, 7), Self.counts(560, 8), Self.counts(600, 8)), "--confirmed", "100")
        #expect(ended.code == .clean && ended.asked == 3)
        #expect(
            ended.output
                == "1.4~1 on stable works: 100 of 100 confirmed it, 1 failed and 1 may\n  1 went-back: unconfirmed\n")
    }

    @Test func `Too many failures end with 5, also where enough have confirmed it`() async throws {
        let ended = try await Self.wait(Self.ok(Self.counts(0, 0), Self.counts(100, 2)), "--confirmed", "100", "--json")
        #expect(ended.code == .tooManyFailures && ended.code.rawValue == 5)
        #expect(ended.output.hasPrefix("{\"verdict\":\"failed\","))
        #expect(
            ended.output.contains("\"failures\":[{\"outcome\":\"went-back\",\"reason\":\"unconfirmed\",\"count\":2}]"))
        let shares = try await Self.wait(
            Self.ok(Self.counts(0, 0), Self.counts(100, 2)), "--confirmed", "100", "--failed-at-most", "2.5%")
        #expect(shares.code == .clean)
    }

    @Test func `A time that is over with neither ends with 6`() async throws {
        let ended = try await Self.wait(Self.ok(Self.counts(3, 0)), "--confirmed", "1", "--for", "30m")
        #expect(ended.code == .undecided && ended.code.rawValue == 6)
        #expect(ended.waited >= .seconds(1_800) && ended.waited < .seconds(1_900), "\(ended.waited)")
        #expect(ended.output.contains("is undecided: 0 of 1"))
    }

    @Test func `Days that begin meanwhile count as a whole, and days that go do not count back`() async throws {
        let ended = try await Self.wait(
            Self.ok(Self.counts(500, 0), Self.counts(60, 0, day: "2026-12-01")), "--confirmed", "60")
        #expect(ended.code == .clean)
    }

    @Test func `A registry that is away for a while does not end the wait, and one that refuses does`() async throws {
        let away = try await Self.wait(
            [(200, Self.counts(0, 0)), (503, ""), (503, ""), (503, ""), (503, ""), (200, Self.counts(9, 0))],
            "--confirmed", "9")
        #expect(away.code == .clean)
        for status in [401, 403, 404] {
            let refused = try await Self.wait([(status, "{}")], "--confirmed", "9")
            #expect(refused.code == .failed && refused.error.hasPrefix("error: "))
        }
        let late = try await Self.wait([(200, Self.counts(0, 0)), (404, "{}")], "--confirmed", "9")
        #expect(late.code == .failed)
        let gone = try await Self.wait([(200, Self.counts(0, 0)), (503, "")], "--confirmed", "9", "--for", "5m")
        #expect(gone.code == .failed && gone.output.isEmpty)
    }

    @Test func `A channel that does not show the release is said, and what is gone ends the wait`() async throws {
        let elsewhere = try await Self.wait(
            Self.ok(Self.counts(0, 0, channels: "\"beta\"")), "--confirmed", "9", "--for", "5m")
        #expect(elsewhere.code == .undecided)
        #expect(elsewhere.error.contains("warning: stable does not show 1.4~1 now"))
        #expect(elsewhere.output.contains("0 failed and 0 may; stable does not show it\n"))
        let later = try await Self.wait(
            Self.ok(Self.counts(0, 0, channels: ""), Self.counts(9, 0)), "--confirmed", "9", "--json")
        #expect(later.code == .clean && later.output.contains("\"shown\":true"))
        for word in ["withdrawn", "expired"] {
            let gone = try await Self.wait(
                Self.ok(Self.counts(0, 0), Self.counts(9, 0, channels: "", gone: word)), "--confirmed", "9")
            #expect(gone.code == .failed && gone.error.contains("1.4~1 is \(word)"), "\(gone)")
            #expect(gone.error.contains("hint: ") && gone.output.isEmpty)
        }
    }

    @Test func `A registry that counts nothing is said to`() async throws {
        let ended = try await Self.wait(Self.ok(Self.counts(0, 0, accepts: "off")), "--confirmed", "9")
        #expect(ended.code == .failed && ended.error.contains("outcomes.accept"))
    }

    @Test(arguments: [
        [], ["--confirmed", "0"], ["--confirmed", "x"], ["--confirmed", "1", "--failed-at-most", "101"],
        ["--confirmed", "1", "--for", "ever"], ["--confirmed", "1", "--channel", "the stable one"],
    ])
    func `A command line that makes no sense is misuse`(_ arguments: [String]) async throws {
        let terminal = RecordedTerminal(environment: ["WIDGET_SERVER": "http://127.0.0.1:1"])
        let code = await Widget.run(
            ["wait", "com.acme.Clock", "1.4~1"] + arguments, on: terminal.terminal, in: .skipping())
        #expect(code == .misuse && terminal.error.contains("hint: "))
    }
}
