import Bytes
import WidgetCore
import WidgetRunning

/// A line that a person types at a running widget: a step in words, or a question to the program.
enum SpokenCommand {
    case step(ScriptStep)
    case show, help, log, quit
    case unknown(String)

    /// So many elements have a number; the others are tapped by name.
    static let mostNumbered = 30

    /// The elements that can be tapped, in the order in which they are numbered.
    static func numbered(_ view: View) -> [(name: String, key: ViewKey)] {
        Array(ElementSearch(view).touchable.prefix(mostNumbered))
    }

    init(_ line: String, in view: View) {
        guard CombiningMarks.offsetOfTooMany(in: line.utf8.span) == nil else {
            self = .unknown("the line has more than \(CombiningMarks.mostInARow) combining marks in a row")
            return
        }
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
        case "back": self = .step(.back)
        case "wait":
            let seconds = Double(object).flatMap { ScriptStep.waits ~= $0 ? $0 : nil }
            self = seconds.map { .step(.wait($0)) } ?? .unknown("wait takes seconds")
        case "tap": self = .step(.tap(words.dropFirst().joined(separator: " ")))
        case "type": self = .step(.input(object, rest))
        case "pick": self = .step(.pick(object, file: rest))
        case "submit": self = .step(.submit(object))
        case "refresh": self = .step(.refresh(object))
        case "scroll": self = .step(.scroll(object, toEnd: true))
        case "select": self = SpokenCommand.row(verb, rest) { .select(object, section: 0, row: $0) }
        case "delete": self = SpokenCommand.row(verb, rest) { .delete(object, section: 0, row: $0) }
        default:
            let names = SpokenCommand.numbered(view)
            guard let number = Int(verb), names.indices.contains(number - 1) else {
                self = .unknown("\(verb) is nothing that can be said here")
                return
            }
            let (name, key) = names[number - 1]
            self = .step(.tap(key.node == ViewKey.alertButton ? name : key.description))
        }
    }

    private static func row(_ verb: String, _ number: String, _ step: (Int) -> ScriptStep) -> SpokenCommand {
        Int(number).map { .step(step($0)) } ?? .unknown("\(verb) takes a list and a row")
    }
}
