import JSONText
import WidgetCore
import WidgetHost

/// What somebody types at a running widget.
enum SpokenCommand {
    case step(String)
    case show, help, log, quit
    case unknown(String)

    /// What can be tapped, in the order in which it is numbered.
    static func numbered(_ view: View) -> [(name: String, key: ViewKey)] {
        Array(ElementSearch(view).touchable.prefix(30))
    }

    init(_ line: String, in view: View) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        guard let verb = words.first else {
            self = .show
            return
        }
        let object = words.count > 1 ? words[1] : ""
        let rest = words.count > 2 ? words[2] : ""
        switch verb {
        case "quit", "q", "exit": self = .quit
        case "help", "?": self = .help
        case "log": self = .log
        case "back": self = .step("[{\"back\":true}]")
        case "wait": self = Double(object).map { .step("[{\"wait\":\($0)}]") } ?? .unknown("wait takes seconds")
        case "tap": self = SpokenCommand.step("tap", words.dropFirst().joined(separator: " "))
        case "type": self = SpokenCommand.step("input", object, "value", rest)
        case "pick": self = SpokenCommand.step("pick", object, "file", rest)
        case "submit", "refresh", "scroll": self = SpokenCommand.step(verb, object)
        case "select", "delete":
            self =
                Int(rest).map { SpokenCommand.step(verb, object, row: $0) }
                ?? .unknown("\(verb) takes a list and a row")
        default:
            let names = SpokenCommand.numbered(view)
            guard let number = Int(verb), names.indices.contains(number - 1) else {
                self = .unknown("\(verb) is nothing that can be said here")
                return
            }
            self = SpokenCommand.step(
                "tap",
                names[number - 1].key.node == ViewKey.alertButton
                    ? names[number - 1].name : names[number - 1].key.description)
        }
    }

    private static func step(
        _ verb: String, _ object: String, _ key: String? = nil, _ value: String = "", row: Int? = nil
    ) -> SpokenCommand {
        var writer = JSONWriter()
        writer.array { writer in
            writer.object { writer in
                writer.member(verb, object)
                if let key { writer.member(key, value) }
                if let row { writer.member("row", row) }
            }
        }
        return .step(String(decoding: writer.finish(), as: UTF8.self))
    }
}
