/// The words that CONTRIBUTING.md asks writers to avoid, and the places where they still are.
///
/// Swift, Python and programs without a suffix are counted, and documents. This file and its tests spell the words, so they
/// are the only files that are not counted.
enum PlainEnglish {
    struct Place: Sendable {
        var path: String
        var line: Int
        var word: String
    }

    static let table = "Tests/Corpus/house/words.tsv"

    /// The row of README, ARCHITECTURE, CONTRIBUTING, CHANGELOG and everything under `docs`.
    static let documents = "docs"

    /// The places of each module, under its folder's path.
    static let places: [String: [Place]] = {
        var places: [String: [Place]] = [:]
        for path in programs {
            let module = path.hasPrefix(".ci/") ? ".ci" : SourceFile.moduleFolder(of: path).joined(separator: "/")
            places[module, default: []] += find(in: Repository.text(path), path)
        }
        let written = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        for path in written + Repository.paths(under: "docs") {
            places[documents, default: []] += find(in: withoutRules(Repository.text(path)), path)
        }
        return places.filter { !$0.value.isEmpty }
    }()

    /// The files that are counted, but for documents.
    static let programs: [String] = {
        let paths = ["Sources", "Tests", ".ci"].flatMap { Repository.paths(under: $0) }
        return ["Makefile", "Dockerfile"] + paths.filter(isProgram)
    }()

    private static func isProgram(_ path: String) -> Bool {
        if path.hasSuffix(".swift") || path.hasSuffix(".py") {
            return !path.hasPrefix("Tests/House/ArchitectureTests/PlainEnglish")
        }
        let name = path.split(separator: "/").last ?? ""
        return !name.contains(".") && Repository.text(path).hasPrefix("#!")
    }

    /// The rows of the table: how many places each module may have.
    static let allowed: [String: Int] = {
        let rows = Repository.text(table).split(separator: "\n").map { $0.split(separator: "\t") }
        return Dictionary(rows.map { (String($0[0]), Int($0[1]) ?? 0) }) { first, _ in first }
    }()

    /// A text without the section that states the rules, which cannot avoid the words. Its lines stay, empty.
    private static func withoutRules(_ text: String) -> String {
        var isInside = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("## ") { isInside = line == "## Plain English" }
            return isInside ? "" : line
        }.joined(separator: "\n")
    }

    static func find(in text: String, _ path: String) -> [Place] {
        var places: [Place] = []
        var wasDocumentation = false
        for (index, line) in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var words = WordScanner(line: line).words()
            let isDocumentation = line.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: "///".utf8)
            if isDocumentation, !wasDocumentation, let word = questionWord(line) { words.append("/// \(word)") }
            wasDocumentation = isDocumentation
            places += words.map { Place(path: path, line: index + 1, word: $0) }
        }
        return places
    }

    /// The word at the beginning of a doc comment, where a noun or a verb belongs.
    private static func questionWord(_ line: ArraySlice<UInt8>) -> String? {
        let text = line.drop { $0 == 0x20 || $0 == 0x09 }
        return ["What", "Whether", "How", "Where"].first { word in
            let start = "/// \(word)".utf8
            return text.starts(with: start) && !(text.dropFirst(start.count).first.map(WordScanner.isWord) ?? false)
        }
    }
}

/// Finds the listed words in one line, each place once.
struct WordScanner {
    private let line: [UInt8]
    private let original: [UInt8]

    init(line: ArraySlice<UInt8>) {
        original = Array(line)
        // Capitals count as small letters do.
        self.line = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Phrases that are listed as they are.
    private static let phrases = [
        "whoever", "whatever", "somebody", "nobody", "told", "at hand", "in vain", "haste", "is none", "are none",
        "stands",
        "of its own", "of their own", "as far as", "go on", "goes on", "going on", "gone on", "went on",
    ].map { Array($0.utf8) }
    private static let telling = ["tell ", "tells ", "told ", "telling "].map { Array($0.utf8) }
    private static let letting = ["let ", "lets ", "letting "].map { Array($0.utf8) }
    private static let negation = Array("is no".utf8)
    /// True for each byte that a listed phrase begins with.
    private static let begins: [Bool] = {
        var begins = [Bool](repeating: false, count: 256)
        for phrase in phrases + telling + letting + [negation] { begins[Int(phrase[0])] = true }
        return begins
    }()

    static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }

    func words() -> [String] {
        var words: [String] = []
        var position = 0
        while position < line.count {
            let isStart = position == 0 || !Self.isWord(line[position - 1])
            if Self.begins[Int(line[position])], isStart, let end = end(from: position) {
                words.append(String(decoding: line[position..<end], as: UTF8.self))
                position = end
            } else {
                position += 1
            }
        }
        return words
    }

    /// The end of the listed phrase that begins here.
    private func end(from start: Int) -> Int? {
        for phrase in Self.phrases where matches(phrase, at: start) {
            let end = start + phrase.count
            if isBoundary(end), !isPython(start..<end) { return end }
        }
        return toldApart(start) ?? letGo(start) ?? isNo(start)
    }

    /// A form of "tell", at most twenty letters and blanks, "apart".
    private func toldApart(_ start: Int) -> Int? {
        guard let verb = Self.telling.first(where: { matches($0, at: start) }) else { return nil }
        let apart = Array("apart".utf8)
        for between in 0...20 {
            let position = start + verb.count + between
            if matches(apart, at: position), isBoundary(position + apart.count) { return position + apart.count }
            guard position < line.count, isLetter(line[position]) || line[position] == 0x20 else { return nil }
        }
        return nil
    }

    /// A form of "let", perhaps one word, "go of".
    private func letGo(_ start: Int) -> Int? {
        guard let verb = Self.letting.first(where: { matches($0, at: start) }) else { return nil }
        let goOf = Array("go of".utf8)
        let position = start + verb.count
        if matches(goOf, at: position), isBoundary(position + goOf.count) { return position + goOf.count }
        guard let blank = line[position...].firstIndex(where: { !isLetter($0) }), blank > position, line[blank] == 0x20,
            matches(goOf, at: blank + 1), isBoundary(blank + 1 + goOf.count)
        else { return nil }
        return blank + 1 + goOf.count
    }

    /// "is no" before another word.
    private func isNo(_ start: Int) -> Int? {
        let end = start + Self.negation.count
        guard matches(Self.negation, at: start), end + 1 < line.count, line[end] == 0x20, isLetter(line[end + 1]) else {
            return nil
        }
        return end
    }

    private func matches(_ bytes: [UInt8], at position: Int) -> Bool {
        guard position + bytes.count <= line.count else { return false }
        for index in 0..<bytes.count where line[position + index] != bytes[index] { return false }
        return true
    }

    /// True for Python's comparison with its constant.
    private func isPython(_ range: Range<Int>) -> Bool { original[range].elementsEqual("is None".utf8) }

    private func isBoundary(_ position: Int) -> Bool { position >= line.count || !Self.isWord(line[position]) }

    private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
