internal import Foundation
internal import Glibc
package import JSONText
package import TestSupport

/// What the owner of the data directory asks for, and is told.
extension Registry {
    /// Runs `widgetd` on the data directory, as its owner.
    package func owner(_ arguments: String..., environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try BuiltProgram("widgetd").run(arguments + ["--data", home.data.path], environment: environment)
    }

    /// What the control socket answers, without the head.
    package func control(_ method: String, _ target: String) -> String {
        let socket = home.data.appending(path: "control.sock").path
        return Shell.run(
            "curl -s --max-time 300 --unix-socket '\(socket)' -X \(method) 'http://control\(target)'"
        ).output
    }

    /// The samples of `/metrics`, by name and labels as they are written.
    package func metrics() throws -> [String: Double] {
        let conversation = Conversation(try RawConnection(port: adminPort))
        let answer = try conversation.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", isHead: false)
        var samples: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return samples
    }

    /// Waits until something has come true; false after a minute.
    package func becomes(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<3_000 {
            if try condition() { return true }
            usleep(20_000)
        }
        return try condition()
    }

    /// The lines of the log so far that are about an event, as objects.
    package func events(_ name: String) -> [JSONValue] {
        log.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }.filter {
            $0["event"]?.string == name
        }
    }
}
