package import JSONText

/// A line from the host of a widget to its program, which is another process.
package enum ChannelQuestion: Equatable, Sendable {
    /// The first line. The program answers with its declaration.
    case begin(version: Int)
    case turn(NativeTurn)

    /// The version of the lines. A program that knows another one says so.
    package static let version = 1
    /// The variable of the environment with the number of the descriptor.
    package static let variable = "WIDGET_CHANNEL"

    /// With a line feed at its end.
    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .begin(let version): writer.member("begin", version)
            case .turn(let turn):
                writer.key("turn")
                turn.write(to: &writer)
            }
        }
        return writer.finish()
    }
}

extension ChannelQuestion: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        _ = try StrictMembers(json, "begin", "turn")
        if let version: Int = try json.optional("begin") {
            self = .begin(version: version)
        } else {
            self = .turn(try json.require("turn"))
        }
    }
}

/// A line from the program of a widget to its host.
package enum ChannelAnswer: Equatable, Sendable {
    /// The answer to the first line.
    case program(NativeDeclaration)
    case reply(NativeReply)
    /// Asks for a turn: work that was begun earlier has ended.
    case notice

    /// With a line feed at its end.
    package var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch self {
            case .program(let declaration):
                writer.key("program")
                declaration.write(to: &writer)
            case .reply(let reply):
                writer.key("reply")
                reply.write(to: &writer)
            case .notice:
                writer.key("notice")
                writer.object { _ in }
            }
        }
        return writer.finish()
    }
}

extension ChannelAnswer: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        _ = try StrictMembers(json, "program", "reply", "notice")
        if let declaration: NativeDeclaration = try json.optional("program") {
            self = .program(declaration)
        } else if let reply: NativeReply = try json.optional("reply") {
            self = .reply(reply)
        } else {
            guard try json.member("notice") != nil else { throw json.error(.unsuitable(expected: "an answer")) }
            self = .notice
        }
    }
}
