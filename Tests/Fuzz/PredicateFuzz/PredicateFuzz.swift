import WidgetPredicates

/// Any bytes give a tree, or a refusal inside the text; a tree survives being printed and read; evaluating it gives a
/// value or an error within its limits; and a pattern answers or is refused within its fuel. Nothing traps.
///
/// The first byte chooses: a predicate or expression, or a pattern and a subject with a zero byte between them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPredicates(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    if choice < 0x10 {
        fuzzPattern(bytes.dropFirst(), options: TextOptions(rawValue: choice))
    } else {
        // An ordinary text begins with its first letter; the corpus is one of texts.
        fuzzText(String(decoding: bytes, as: UTF8.self))
    }
    return 0
}

private func fuzzText(_ text: String) {
    do throws(PredicateError) {
        let tree = try SyntaxTree.either(text, arguments: arguments)
        let (printed, leftOver) = tree.printed
        let again = try SyntaxTree.either(printed, arguments: leftOver)
        precondition(again == tree, "a text changed by being printed: \(printed)")
        evaluate(tree)
    } catch {
        precondition(0...text.utf8.count ~= error.offset, "a refusal lies outside its text")
        precondition(!error.sentence.isEmpty)
    }
    let (tree, errors) = SyntaxTree.examine(text)
    precondition(tree == nil ? !errors.isEmpty : errors.isEmpty, "a text is examined to neither a tree nor errors")
}

/// An error while evaluating lies in the text, too; values are of no interest.
private func evaluate(_ tree: SyntaxTree) {
    let limits = PredicateLimits(fuel: 20_000, memoryByteCount: 1 << 18)
    do throws(PredicateError) {
        if tree.isPredicate {
            let predicate = try CompiledPredicate(tree, limits: limits)
            _ = try predicate.holds(for: subject, predicate.bind(variables))
        } else {
            let expression = try CompiledExpression(tree, limits: limits)
            _ = try expression.value(for: subject, expression.bind(variables))
        }
    } catch {
        precondition(!error.sentence.isEmpty && error.offset >= 0)
    }
}

private func fuzzPattern(_ bytes: ArraySlice<UInt8>, options: TextOptions) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let pattern = String(decoding: parts[0], as: UTF8.self)
    let subject = String(decoding: parts[1], as: UTF8.self)
    let comparison = TextComparison(options, locale: .turkic)
    let enough = 1_000_000
    var fuel = enough
    do throws(PatternError) {
        _ = try Pattern.like(pattern, comparison).matches(subject, fuel: &fuel)
        precondition(fuel < enough, "a match took no steps")
        fuel = enough
        _ = try Pattern.matches(pattern, comparison).matches(subject, fuel: &fuel)
        precondition(fuel < enough, "a match took no steps")
    } catch {
        precondition(0...pattern.utf8.count ~= error.offset, "a refusal lies outside its pattern")
    }
    let isIn = comparison.contains(subject, pattern)
    precondition(!comparison.hasPrefix(subject, pattern) || isIn, "begins with what it does not contain")
    precondition(!comparison.hasSuffix(subject, pattern) || isIn, "ends with what it does not contain")
    precondition(comparison.areEqual(subject, pattern) == (comparison.compare(pattern, subject) == 0))
}

private let arguments: [PredicateValue] = [.integer(3), .string("key"), .array([.double(1.5), .null]), .date(0)]

private let variables: [String: PredicateValue] = ["x": .integer(2), "name": .string("é")]

private let subject = PredicateValue.dictionary(
    PredicateDictionary([
        ("a", .integer(1)), ("b", .double(2.5)), ("s", .string("Straße")), ("t", .boolean(true)), ("n", .null),
        ("d", .date(1_000)), ("data", .data([1, 2])), ("set", .set([.integer(1), .string("b")])),
        (
            "list",
            .array(
                (0..<4).map {
                    .dictionary(PredicateDictionary([("k", .integer($0)), ("v", .string("v\($0)"))]))
                })
        ),
        ("numbers", .array([.integer(3), .integer(1), .double(2), .null])),
    ]))
