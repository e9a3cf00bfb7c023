/// One pass over a predicate's tokens.
struct PredicateWalk {
    private enum Call {
        case function
        case cast
        /// A documented function, a keyword's parenthesis, or just brackets.
        case other
    }

    /// An open bracket, and how far its arguments have been read.
    private struct Frame {
        var call: Call
        var bracket: UInt8
        /// Of the word that calls, or of the bracket.
        var offset: Int
        var argumentIndex = 0
        var tokenCount = 0
        var literal: String?
    }

    /// Readers on hosts nest their own calls as deep as the brackets, and run out of stack.
    private static let deepest = 64

    private let tokens: [PredicateToken]
    private var reading: PredicateReading
    private var frames: [Frame] = []
    private var isPattern = false

    init(tokens: [PredicateToken], problems: [PredicateReading.Problem]) {
        self.tokens = tokens
        reading = PredicateReading(problems: problems)
    }

    mutating func run() -> PredicateReading {
        // After a quotation that does not end, brackets cannot be judged.
        let isCut = reading.problems.contains { $0.code == .predicateSyntax }
        for index in tokens.indices { visit(index) }
        if !isCut {
            for frame in frames { note(.predicateSyntax, frame.offset, "the bracket is not closed") }
            if reading.problems.isEmpty { checkShape() }
        }
        reading.problems.sort { $0.offset < $1.offset }
        return reading
    }

    private mutating func note(_ code: FindingCode, _ offset: Int, _ detail: String) {
        reading.problems.append(.init(code: code, offset: offset, detail: detail))
    }

    private mutating func visit(_ index: Int) {
        let token = tokens[index]
        switch token.kind {
        case .comma:
            if frames.isEmpty {
                note(.predicateSyntax, token.offset, "a comma stands outside of brackets")
            } else {
                finishArgument()
                frames[frames.count - 1].argumentIndex += 1
            }
        case .open(let bracket):
            count(nil)
            if frames.count == PredicateWalk.deepest {
                note(.predicateSyntax, token.offset, "brackets are nested deeper than \(PredicateWalk.deepest)")
            }
            frames.append(Frame(call: call(before: index), bracket: bracket, offset: frameOffset(index)))
        case .close(let bracket): close(bracket, token.offset)
        case .string(let text):
            count(text)
            if isPattern { reading.patterns.append(.init(text: text, offset: token.offset + 1)) }
            isPattern = false
        case .word(let text):
            count(nil)
            if token.keyword == "MATCHES" {
                isPattern = true
            } else if !isInOptions {
                isPattern = false
            }
            if text.utf8.contains(UInt8(ascii: ".")), !(text.utf8.first.map { (0x30...0x39).contains($0) } ?? false) {
                reading.keyPaths.append(.init(text: text, offset: token.offset))
            }
        case .symbol: count(nil)
        }
    }

    private var isInOptions: Bool { frames.last?.bracket == UInt8(ascii: "[") }

    private mutating func count(_ literal: String?) {
        guard !frames.isEmpty else { return }
        let last = frames.count - 1
        frames[last].literal = frames[last].tokenCount == 0 ? literal : nil
        frames[last].tokenCount += 1
    }

    /// What the word before an opening parenthesis calls.
    private mutating func call(before index: Int) -> Call {
        guard tokens[index].kind == .open(UInt8(ascii: "(")), index > 0, let word = tokens[index - 1].word else {
            return .other
        }
        switch word.uppercased() {
        case "FUNCTION": return .function
        case "CAST": return .cast
        case let keyword where PredicateWords.mayPrecedeParenthesis.contains(keyword): return .other
        default:
            if !PredicateWords.isFunction(word) {
                note(.predicateFunction, tokens[index - 1].offset, "\(Excerpt.of(word)) is no function we allow")
            }
            return .other
        }
    }

    private func frameOffset(_ index: Int) -> Int {
        if index > 0, let keyword = tokens[index - 1].keyword, keyword == "FUNCTION" || keyword == "CAST" {
            return tokens[index - 1].offset
        }
        return tokens[index].offset
    }

    private mutating func close(_ bracket: UInt8, _ offset: Int) {
        guard let frame = frames.last, PredicateWords.closing(frame.bracket) == bracket else {
            note(.predicateSyntax, offset, "the bracket closes nothing")
            return
        }
        finishArgument()
        if frame.call != .other, frame.argumentIndex == 0 {
            note(
                frame.call == .cast ? .predicateCast : .predicateFunction, frame.offset,
                "the second argument is missing")
        }
        frames.removeLast()
    }

    private mutating func finishArgument() {
        guard let frame = frames.last else { return }
        if frame.argumentIndex == 1 { checkSecondArgument(of: frame) }
        frames[frames.count - 1].tokenCount = 0
        frames[frames.count - 1].literal = nil
    }

    private mutating func checkSecondArgument(of frame: Frame) {
        let literal = frame.tokenCount == 1 ? frame.literal : nil
        switch (frame.call, literal) {
        case (.other, _): break
        case (.function, let name?):
            if !FrameworkNames.functions.contains(name) {
                note(.predicateFunction, frame.offset, "FUNCTION calls \(Excerpt.of(name)), which we do not allow")
            }
        case (.function, nil): note(.predicateFunction, frame.offset, "FUNCTION calls what only a host can tell")
        case (.cast, let name?):
            if !FrameworkNames.castTypes.contains(name) {
                note(.predicateCast, frame.offset, "CAST names \(Excerpt.of(name)), which is no data type")
            }
        case (.cast, nil): note(.predicateCast, frame.offset, "CAST names a type that only a host can tell")
        }
    }
}

extension PredicateWalk {
    /// What no predicate looks like, whatever its words mean.
    private mutating func checkShape() {
        guard let first = tokens.first, let last = tokens.last else { return }
        if PredicateWords.needsLeftSide(first) {
            return note(.predicateSyntax, first.offset, "nothing stands before the operator")
        }
        if PredicateWords.needsRightSide(last) {
            return note(.predicateSyntax, last.offset, "nothing stands behind the operator")
        }
        for index in tokens.indices.dropFirst() {
            let (left, right) = (tokens[index - 1], tokens[index])
            let isCall = index + 1 < tokens.count && tokens[index + 1].kind == .open(UInt8(ascii: "("))
            if PredicateWords.endsOperand(left), PredicateWords.startsOperand(right), !isCall {
                return note(.predicateSyntax, right.offset, "an operator is missing before this")
            }
        }
        if !tokens.contains(where: PredicateWords.decides) {
            note(.predicateSyntax, first.offset, "nothing is compared")
        }
    }
}
