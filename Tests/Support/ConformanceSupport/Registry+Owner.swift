internal import CommandSupport
internal import Foundation
package import JSONText
internal import ServerCommands
internal import WidgetConsole
internal import WidgetSockets
package import WidgetSurroundings
package import WidgetTestSupport

/// Requests of the owner of the data directory.
extension Registry {
    /// Runs `widgetd` on the data directory, as its owner: where the server runs.
    ///
    /// - Parameters:
    ///   - clock: the time of the command, which then is in this process; the machine's if `nil`.
    ///   - isWatched: true if both streams are terminals.
    package func owner(
        _ arguments: String..., environment: [String: String] = [:], clock: (any Clock)? = nil
    ) throws -> BuiltProgram.Result {
        try owner(arguments, environment: environment, clock: clock)
    }

    package func owner(
        _ arguments: [String], environment: [String: String] = [:], isWatched: Bool = false, clock: (any Clock)? = nil
    ) throws -> BuiltProgram.Result {
        try GivenRegistry.requireNone("its data directory")
        let words = arguments + ["--data", home.data.path]
        guard isHere || isWatched || clock != nil else {
            return try BuiltProgram("widgetd").run(words, environment: environment)
        }
        return try Home.owner(
            arguments, of: home.data.path, environment: environment, isWatched: isWatched, clock: clock)
    }

    /// The body of the control socket's answer.
    package func control(_ method: String, _ target: String) -> String {
        let socket = Endpoint.unix(path: home.data.appending(path: "control.sock").path)
        // In HTTP/1.0 the body is everything up to the end of the connection.
        let request = "\(method) \(target) HTTP/1.0\r\nHost: control\r\nContent-Length: 0\r\n\r\n"
        let answer = (try? Probe.exchange(Array(request.utf8), with: socket, seconds: 0)) ?? []
        let text = String(decoding: answer, as: UTF8.self)
        return text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    /// The samples of `/metrics`, by name and labels as they are written.
    package func metrics() throws -> [String: Double] {
        try GivenRegistry.requireNone("its administration listener")
        let conversation = Conversation(try RawConnection(port: adminPort))
        let answer = try conversation.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", isHead: false)
        var samples: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return samples
    }

    /// True once the condition holds; false after a minute.
    package func becomes(_ condition: () throws -> Bool) rethrows -> Bool { try eventually(condition) }

    /// The lines of the log so far that are about an event, as objects.
    package func events(_ name: String) -> [JSONValue] {
        log.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }.filter {
            $0["event"]?.string == name
        }
    }
}

extension Home {
    /// Runs `widgetd` in this process on a data directory that no server has, as its owner.
    package func owner(_ arguments: String...) throws -> BuiltProgram.Result {
        guard !BuiltProgram.isOther("widgetd") else {
            return try BuiltProgram("widgetd").run(arguments + ["--data", data.path])
        }
        return try Home.owner(arguments, of: data.path)
    }

    /// - Parameters:
    ///   - clock: the time of the command; the machine's if `nil`.
    ///   - isWatched: true if both streams are terminals.
    fileprivate static func owner(
        _ arguments: [String], of data: String, environment: [String: String] = [:], isWatched: Bool = false,
        clock: (any Clock)? = nil
    ) throws -> BuiltProgram.Result {
        let settings = try TestedProgram.settings(of: data)
        let terminal = RecordedTerminal(environment: environment.merging(settings) { $1 }, isWatched: isWatched)
        let code = TestedProgram.run(
            arguments + ["--data", data], on: terminal.terminal, in: World(clock: clock ?? SystemClock()))
        return BuiltProgram.Result(exitCode: code.rawValue, output: terminal.output, error: terminal.error)
    }
}

extension ManualClock {
    /// A clock that shows the present, so that it agrees with what files and other programs say of their time.
    package static var today: ManualClock { ManualClock(date: .seconds(Int64(Date().timeIntervalSince1970))) }
}
