internal import WidgetBytes

/// Reads the notation of screens. All errors of a file are recorded, each with its line and column.
struct NotationParser {
    private let path: String
    private let limits: NotationLimits
    private let errors: BuildErrors
    private var document = NotationDocument()
    /// The lines around the next one, from the left margin on; `nil` for a line with an error.
    private var open: [Int?] = []
    private var propertyCount = 0

    static func parse(
        _ bytes: [UInt8], path: String, limits: NotationLimits = NotationLimits(), recording errors: BuildErrors
    ) -> NotationDocument {
        var parser = NotationParser(path: path, limits: limits, errors: errors)
        parser.read(bytes)
        NotationCheck.check(parser.document, path: path, recording: errors)
        return parser.document
    }

    private init(path: String, limits: NotationLimits, errors: BuildErrors) {
        (self.path, self.limits, self.errors) = (path, limits, errors)
    }

    private func note(_ sentence: String, _ line: Int, _ column: Int, hints: [String] = []) {
        errors.note(BuildError(sentence, path: path, at: TextPosition(line: line, column: column), hints: hints))
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= limits.byteCount else {
            return note("the file has more than \(limits.byteCount) bytes", 1, 1, hints: ["use two files"])
        }
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var number = 0
        while !bytes.isEmpty, !errors.isFull {
            number += 1
            guard number <= limits.lineCount else {
                return note("the file has more than \(limits.lineCount) lines", number, 1, hints: ["use two files"])
            }
            let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
            var line = bytes[bytes.startIndex..<end]
            bytes = bytes[end...].dropFirst()
            if line.last == 0x0D { line = line.dropLast() }
            guard line.count <= limits.lineByteCount else {
                note("the line has more than \(limits.lineByteCount) bytes", number, limits.lineByteCount)
                continue
            }
            guard String(validating: line, as: UTF8.self) != nil else {
                note("the line is not text in UTF-8", number, 1, hints: ["save the file as UTF-8"])
                continue
            }
            if let mark = NotationParser.noncharacter(line) {
                note(
                    "the line has a character that no interface can hold", number,
                    NotationParser.column(mark, Array(line)))
                continue
            }
            guard read(Array(line), number) else { return }
        }
    }

    /// Returns false when a limit ends the reading.
    private mutating func read(_ bytes: [UInt8], _ number: Int) -> Bool {
        let line: NotationLine
        do throws(NotationLine.Fault) { line = try NotationLine(bytes) } catch {
            note(error.sentence, number, NotationParser.column(error.offset, bytes), hints: error.hints)
            // The lines inside it are not judged.
            let depth = bytes.prefix { $0 == UInt8(ascii: " ") }.count / NotationDocument.indentation
            if depth <= open.count { open = open.prefix(depth) + [nil] }
            return true
        }
        guard let first = line.tokens.first else { return true }
        let position = TextPosition(line: number, column: NotationParser.column(first.offset, bytes))
        guard line.indentation.isMultiple(of: NotationDocument.indentation) else {
            note(
                "the line begins with \(line.indentation) spaces", number, position.column,
                hints: ["each step to the right is four spaces"])
            return true
        }
        let depth = line.indentation / NotationDocument.indentation
        guard depth < limits.depth else {
            note("lines are more than \(limits.depth) deep inside each other", number, position.column)
            return true
        }
        guard depth <= open.count else {
            note(
                "the line is not inside the one above it", number, position.column,
                hints: ["indent it with four spaces more than the line it belongs to"])
            return true
        }
        guard document.nodes.count < limits.viewCount else {
            note("the file has more than \(limits.viewCount) views", number, position.column, hints: ["use two files"])
            return false
        }
        open = Array(open.prefix(depth))
        let parent = open.last ?? nil
        // Inside a line with an error nothing can be judged.
        let isJudged = depth == 0 || parent != nil
        guard case .word(let word) = first.token, let kind = NotationKind(rawValue: word) else {
            if isJudged { unknown(first.token, at: position) }
            open.append(nil)
            return true
        }
        if isJudged { check(kind, in: parent.map { document.nodes[$0].kind }, at: position) }
        var reader = NotationWords(line, kind: kind, number: number, columns: { NotationParser.column($0, bytes) })
        let node = reader.read()
        propertyCount += node.properties.count
        guard propertyCount <= limits.propertyCount else {
            note(
                "the file has more than \(limits.propertyCount) properties", number, position.column,
                hints: ["use two files"])
            return false
        }
        for fault in reader.faults { note(fault.sentence, number, fault.column, hints: fault.hints) }
        open.append(isJudged ? document.add(node, in: parent) : nil)
        return true
    }

    /// Returns the bytes before U+FFFE or U+FFFF, which XML does not allow.
    private static func noncharacter(_ line: ArraySlice<UInt8>) -> Int? {
        line.indices.first { index in
            line[index] == 0xEF && index + 2 < line.endIndex && line[index + 1] == 0xBF && line[index + 2] >= 0xBE
        }.map { $0 - line.startIndex }
    }

    private func unknown(_ token: NotationLine.Token, at position: TextPosition) {
        guard case .word(let word) = token else {
            return note(
                "the line does not begin with its kind", position.line, position.column,
                hints: ["a line begins with a word such as `screen`, `label` or `table`"])
        }
        let nearest = NearestName.of(word, in: NotationKind.allCases.map(\.rawValue))
        note(
            "\(ShownText.quoted(word)) is not a kind of line", position.line, position.column,
            hints: [nearest.map { "did you mean `\($0)`?" } ?? "docs/screens.md lists the kinds"])
    }

    private func check(_ kind: NotationKind, in parent: NotationKind?, at position: TextPosition) {
        let places: [NotationKind]
        switch (kind.place, parent) {
        case (.top, nil): return
        case (.within(let kinds), let parent?):
            if kinds.contains(parent) { return }
            places = NotationKind.allCases.filter { kinds.contains($0) }
        case (.top, _?):
            return note(
                "a `\(kind.rawValue)` cannot be inside another line", position.line, position.column,
                hints: ["begin it at the left margin"])
        case (.within(let kinds), nil): places = NotationKind.allCases.filter { kinds.contains($0) }
        }
        let place = parent.map { "in a `\($0.rawValue)`" } ?? "outside a screen"
        note(
            "a `\(kind.rawValue)` cannot be \(place)", position.line, position.column,
            hints: ["it can be in: \(places.map { "`\($0.rawValue)`" }.joined(separator: ", "))"])
    }

    private static func column(_ offset: Int, _ line: [UInt8]) -> Int {
        String(decoding: line.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
    }
}
