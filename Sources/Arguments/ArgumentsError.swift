/// Why a command line was not understood.
package struct ArgumentsError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case unknownOption(String, nearest: String?)
        case unknownCommand(String, nearest: String?)
        case missingCommand(known: [String])
        case missingValue(option: String, valueName: String)
        case unexpectedValue(option: String)
        case repeatedOption(String)
        case missingArgument(String)
        case unexpectedArgument(String)
    }

    package var reason: Reason
    /// The program and the commands understood so far, as typed: `widgetd token`.
    package var command: String

    package init(reason: Reason, command: String) {
        self.reason = reason
        self.command = command
    }

    /// One sentence that says what is wrong.
    package var message: String {
        switch reason {
        case .unknownOption(let name, _): "unknown option \(QuotedText.of(name))"
        case .unknownCommand(let name, _): "unknown command \(QuotedText.of(name))"
        case .missingCommand: "a command is missing after `\(command)`"
        case .missingValue(let option, let valueName): "\(option) needs a value: \(option) \(valueName)"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .repeatedOption(let option): "\(option) is given more than once"
        case .missingArgument(let name): "\(name) is missing"
        case .unexpectedArgument(let text): "unexpected argument \(QuotedText.of(text))"
        }
    }

    /// What to do about it.
    package var hints: [String] {
        let specific: [String] =
            switch reason {
            case .unknownOption(_, let nearest?), .unknownCommand(_, let nearest?): ["did you mean `\(nearest)`?"]
            case .missingCommand(let known): ["commands are \(known.joined(separator: ", "))"]
            case .missingValue(let option, let valueName):
                ["a value that starts with a hyphen is written \(option)=\(valueName)"]
            default: []
            }
        return specific + ["`\(command) --help` shows how it is used"]
    }
}
