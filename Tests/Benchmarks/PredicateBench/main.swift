import Glibc
import JSONText
import WidgetFiles
import WidgetPredicates

/// `PredicateBench parse|evaluate FORMAT OBJECT.json SECONDS`: nanoseconds of processor time for each, as
/// Tests/Peers/gnustep.m measures them. `PredicateBench repeat FORMAT OBJECT.json COUNT` evaluates so often and says no
/// more than the answer; predicates.py counts what that allocates. `PredicateBench match PATTERN SUBJECT.json SECONDS` makes
/// the pattern each time and tries a text, with all the fuel there is.
struct Measurement {
    let format: String
    let subject: PredicateValue

    func run(_ mode: String, _ amount: Double) throws {
        if mode == "match", case .string(let text) = subject {
            try match(text, amount)
            return
        }
        if mode == "repeat" {
            let predicate = try CompiledPredicate(format)
            let bindings = try predicate.bind([:])
            var held = 0
            for _ in 0..<Int(amount) where try predicate.holds(for: subject, bindings) { held += 1 }
            print(held)
            return
        }
        let predicate = try CompiledPredicate(format)
        let bindings = try predicate.bind([:])
        var count = 0
        var held = 0
        let start = Self.now()
        var end = start
        while end - start < amount {
            for _ in 0..<100 {
                if mode == "parse" {
                    held += try SyntaxTree.predicate(format).nodes.isEmpty ? 0 : 1
                } else {
                    held += try predicate.holds(for: subject, bindings) ? 1 : 0
                }
            }
            count += 100
            end = Self.now()
        }
        print((end - start) / Double(count) * 1e9, held == count ? "true" : held == 0 ? "false" : "both")
    }

    private func match(_ text: String, _ amount: Double) throws {
        var count = 0.0
        var isTaken = false
        let start = Self.now()
        while Self.now() - start < amount {
            var fuel = Int.max
            isTaken = try Pattern.matches(format, TextComparison()).matches(text, fuel: &fuel)
            count += 1
        }
        print((Self.now() - start) / count * 1e9, isTaken)
    }

    /// Processor time of this program, in seconds.
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func value(_ json: JSONValue) -> PredicateValue {
        switch json.kind {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): number.integer.map { .integer($0) } ?? .double(number.double ?? .nan)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(value))
        case .object(let object):
            .dictionary(PredicateDictionary(object.members.map { ($0.name, value($0.value)) }))
        }
    }
}

func measure(_ arguments: [String]) throws {
    guard arguments.count == 5, let amount = Double(arguments[4]) else {
        print("usage: PredicateBench parse|evaluate|repeat|match FORMAT OBJECT.json AMOUNT")
        exit(2)
    }
    let file = try FileDescriptor.reading(arguments[3])
    let json = try JSONValue(parsing: try file.read(at: 0, count: 1 << 20))
    try Measurement(format: arguments[2], subject: Measurement.value(json)).run(arguments[1], amount)
}

try measure(CommandLine.arguments)
