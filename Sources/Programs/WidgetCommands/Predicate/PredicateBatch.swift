import JSONText
import WidgetConsole
import WidgetFiles
import WidgetPredicates

/// `widget predicate --batch`: one JSON object a line in, one a line out.
enum PredicateBatch {
    private static let limits = JSONLimits(byteCount: 1 << 24, depth: 128, valueCount: 1 << 20)
    /// The most steps of writing one value: about 64 MiB of text.
    private static let mostSteps = 1 << 22
    /// Answers to a file's lines are printed together, because writing each by itself to a pipe is slow.
    private static let flushByteCount = 1 << 16

    static func run(_ path: String, on terminal: Terminal) -> ExitCode {
        do throws(FileError) {
            var lines = try LineSource(path, terminal)
            var output: [UInt8] = []
            while let line = try lines.next() {
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
                output += answer(to: line)
                // A caller on a pipe may wait for each answer before it writes the next line.
                if path == "-" || output.count >= flushByteCount {
                    guard terminal.print(document: output) == .clean else { return .failed }
                    output.removeAll(keepingCapacity: true)
                }
            }
            return output.isEmpty ? .clean : terminal.print(document: output)
        } catch {
            terminal.complain(QuotedText.plain("\(error)"))
            return .failed
        }
    }

    static func answer(to line: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        do throws(PredicateError) {
            let answer = try self.answer(to: try request(line))
            return answer.json(isDrawn: false)
        } catch {
            writer.object { writer in
                writer.key("error")
                PredicateJSON.write(error, to: &writer)
            }
        }
        return writer.finish()
    }

    private struct Request {
        var text: String
        var isPredicate: Bool
        var object: PredicateValue
        var arguments: [PredicateValue]?
        var variables: [String: PredicateValue]
    }

    private static func request(_ line: [UInt8]) throws(PredicateError) -> Request {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: line, limits: limits)
        } catch {
            throw PredicateError(
                .badRequest, at: SourceSpan(from: error.offset, to: error.offset),
                "The line is not JSON: \(error.reason)")
        }
        guard let object = json.object else { throw misunderstood("A line is an object") }
        guard !PredicateJSON.hasTooManyMarks(json) else {
            throw misunderstood("A text of the line has more than \(MarkRun.longest) combining marks on one letter")
        }
        let text = object["format"]?.string ?? object["expression"]?.string
        guard let text else { throw misunderstood("A line has a \"format\" or an \"expression\", which is a string") }
        var variables: [String: PredicateValue] = [:]
        if let given = object["variables"], !given.isNull {
            guard let given = given.object else { throw misunderstood("\"variables\" is an object of values by name") }
            for member in given.members {
                let name = member.name.hasPrefix("$") ? String(member.name.dropFirst()) : member.name
                variables[name] = PredicateJSON.value(member.value)
            }
        }
        var arguments: [PredicateValue]?
        if let given = object["args"], !given.isNull {
            guard let given = given.array else { throw misunderstood("\"args\" is an array of values") }
            arguments = given.map(PredicateJSON.value)
        }
        return Request(
            text: text, isPredicate: object["format"]?.string != nil,
            object: object["object"].map(PredicateJSON.value) ?? .null, arguments: arguments, variables: variables)
    }

    private static func misunderstood(_ sentence: String) -> PredicateError {
        PredicateError(.badRequest, at: SourceSpan(from: 0, to: 0), sentence)
    }

    private static func answer(to request: Request) throws(PredicateError) -> PredicateAnswer {
        let environment = PredicateEnvironment.current
        if request.isPredicate {
            let predicate = try CompiledPredicate(request.text, arguments: request.arguments)
            let bindings = try predicate.bind(request.variables)
            let holds = try predicate.holds(for: request.object, bindings, environment: environment)
            return PredicateAnswer(tree: predicate.tree, value: .boolean(holds))
        }
        let expression = try CompiledExpression(request.text, arguments: request.arguments)
        let bindings = try expression.bind(request.variables)
        let value = try expression.value(for: request.object, bindings, environment: environment)
        var stepsLeft = mostSteps
        guard PredicateJSON.fits(value, &stepsLeft) else {
            throw PredicateError(.memoryLimit, at: SourceSpan(from: 0, to: 0), "The value is too large to be written")
        }
        return PredicateAnswer(tree: expression.tree, value: value)
    }
}

/// The lines of a file, or of the standard input.
struct LineSource: ~Copyable {
    private static let windowByteCount = 1 << 16

    /// `nil` for the standard input.
    private let file: FileDescriptor?
    private let terminal: Terminal
    private var window: [UInt8] = []
    private var position = 0
    private var offset = 0
    private var isAtEnd = false

    /// - Parameter path: `-` is the standard input.
    init(_ path: String, _ terminal: Terminal) throws(FileError) {
        self.terminal = terminal
        file = path == "-" ? nil : try FileDescriptor.readingNamed(path)
    }

    mutating func next() throws(FileError) -> [UInt8]? {
        guard file != nil else { return terminal.readLine().map { Array($0.utf8) } }
        var line: [UInt8] = []
        while true {
            if let end = window[position...].firstIndex(of: 0x0A) {
                line += window[position..<end]
                position = end + 1
                return line
            }
            line += window[position...]
            try refill()
            if isAtEnd { return line.isEmpty ? nil : line }
        }
    }

    private mutating func refill() throws(FileError) {
        position = 0
        guard let read = try file?.read(at: offset, count: LineSource.windowByteCount) else { return }
        window = read
        offset += read.count
        isAtEnd = read.isEmpty
    }
}
