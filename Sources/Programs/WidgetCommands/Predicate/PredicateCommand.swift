import JSONText
import WidgetBytes
import WidgetConsole
import WidgetLogging
import WidgetPredicates

/// `widget predicate`: reads, prints, draws and evaluates one predicate, or many.
enum PredicateCommand {
    static let command = Command(
        "predicate", "parse, print and evaluate a predicate or expression",
        example: "widget predicate 'age >= 18' --object '{\"age\": 20}' --tree",
        options: [
            Option("object", value: "JSON", help: "what the keys are read from ({\"$date\": \"…\"} is a date)"),
            Option("tree", help: "draw what was understood"),
            Option("batch", value: "FILE|-", help: "answer JSON lines: format or expression, object, args, variables"),
            Option("json", help: "print the answer as JSON"),
        ],
        positionals: [Positional("FORMAT", .optional, help: "a predicate or an expression")])

    static func run(_ invocation: Invocation) -> ExitCode {
        let format = invocation.arguments.first
        if let file = invocation.value("batch") {
            guard format == nil else {
                invocation.terminal.complain(
                    "--batch reads its predicates from a file", hints: ["leave out either --batch or FORMAT"])
                return .misuse
            }
            return PredicateBatch.run(file, on: invocation.terminal)
        }
        guard let format else {
            invocation.terminal.complain(
                "FORMAT is missing", hints: ["`widget predicate 'age >= 18'` reads a predicate"])
            return .misuse
        }
        var object: PredicateValue?
        if let text = invocation.value("object") {
            do throws(JSONError) {
                object = PredicateJSON.value(try JSONValue(parsing: Array(text.utf8)))
            } catch {
                invocation.terminal.complain("--object is not JSON: \(error)", hints: ["--object '{\"age\": 20}' is"])
                return .misuse
            }
        }
        return answer(format, object, invocation)
    }

    private static func answer(_ format: String, _ object: PredicateValue?, _ invocation: Invocation) -> ExitCode {
        do throws(PredicateError) {
            let tree = try SyntaxTree.either(format)
            // Without an object there is a value only when nothing is read from one.
            let value = object != nil || !tree.needsContext ? try value(of: tree, for: object ?? .null) : nil
            let answer = PredicateAnswer(tree: tree, value: value)
            let isDrawn = invocation.has("tree")
            return invocation.terminal.print(
                invocation.has("json") ? answer.json(isDrawn: isDrawn) : Array(answer.text(isDrawn: isDrawn).utf8))
        } catch {
            if invocation.has("json") {
                var writer = JSONWriter()
                writer.object { writer in
                    writer.key("error")
                    PredicateJSON.write(error, to: &writer)
                }
                let printed = invocation.terminal.print(document: writer.finish())
                return printed == .clean ? .failed : printed
            }
            invocation.terminal.complain(
                QuotedText.plain("byte \(error.offset): \(error)"),
                hints: error.hint.map { [QuotedText.plain($0)] } ?? [])
            return .failed
        }
    }

    static func value(of tree: SyntaxTree, for object: PredicateValue) throws(PredicateError) -> PredicateValue {
        let environment = PredicateEnvironment.current
        if tree.isPredicate {
            return .boolean(try CompiledPredicate(tree).holds(for: object, environment: environment))
        }
        return try CompiledExpression(tree).value(for: object, environment: environment)
    }
}

/// The answer about a text that the command could read.
struct PredicateAnswer {
    var tree: SyntaxTree
    /// `nil` when nothing was evaluated.
    var value: PredicateValue?

    func text(isDrawn: Bool) -> String {
        var text = "printed  \(tree.printed.text)\n"
        if let value {
            var writer = JSONWriter()
            PredicateJSON.write(value, to: &writer)
            text += "value    \(String(decoding: writer.finish(), as: UTF8.self))"
        }
        if isDrawn { text += "\n" + SyntaxOutline(tree).drawing }
        return text
    }

    func json(isDrawn: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            if let value {
                writer.key("value")
                PredicateJSON.write(value, to: &writer)
            }
            writer.member("printed", tree.printed.text)
            if isDrawn {
                writer.key("tree")
                writer.array { writer in
                    for line in SyntaxOutline(tree).lines { PredicateAnswer.write(line, to: &writer) }
                }
            }
        }
        return writer.finish()
    }

    private static func write(_ line: SyntaxOutline.Line, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("depth", line.depth)
            writer.member("part", line.label)
            writer.member("offset", line.span.offset)
            writer.member("length", line.span.byteCount)
        }
    }
}

extension PredicateEnvironment {
    /// The present moment, as the system's clock has it.
    static var current: PredicateEnvironment {
        let time = LogTime.now()
        let seconds = Double(time.secondsSinceEpoch) + Double(time.milliseconds) / 1_000
        return PredicateEnvironment(
            now: seconds - CivilDate.secondsTo2001,
            seed: UInt64(bitPattern: time.secondsSinceEpoch &* 1_000 &+ Int64(time.milliseconds)))
    }
}
