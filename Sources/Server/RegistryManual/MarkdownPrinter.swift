package import WidgetMarkup

/// Prints Markdown as this project writes it: headings, paragraphs, lists, tables, code, links. What it does not know is
/// printed as text, and nothing of it is markup.
///
/// Its texts are those that the program has with it; other Markdown may look otherwise than elsewhere.
package struct MarkdownPrinter: Sendable {
    /// The addresses of the other documents begin with this.
    private let folder: String
    private var lines: ArraySlice<Substring>
    private var identifiers: [String: Int] = [:]
    /// The kinds and indents of the lists that are open, the innermost last.
    private var lists: [(isOrdered: Bool, indent: Int)] = []

    /// Lists within lists, and marks within marks.
    private static let deepest = 4
    /// The characters in which the end of a mark is looked for.
    private static let reach = 1_000

    package init(_ text: String, folder: String) {
        self.folder = folder
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    }

    /// The first heading of a text.
    package static func title(of text: String) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix("# ") }
        return line.map { plain($0.dropFirst(2)) } ?? ""
    }

    package mutating func print(to html: inout HTMLWriter) {
        while let line = lines.first {
            if line.allSatisfy(\.isWhitespace) || MarkdownPrinter.isRemark(line) {
                lines.removeFirst()
            } else if fence(line) {
                closeLists(to: &html)
                code(to: &html)
            } else if let level = MarkdownPrinter.level(of: line) {
                closeLists(to: &html)
                heading(line.dropFirst(level + 1), level, to: &html)
                lines.removeFirst()
            } else if line.hasPrefix("|") {
                closeLists(to: &html)
                table(to: &html)
            } else if let item = MarkdownPrinter.item(line) {
                self.item(item, to: &html)
            } else {
                closeLists(to: &html)
                paragraph(to: &html)
            }
        }
        closeLists(to: &html)
    }

    // MARK: Blocks

    /// True for a remark between writers, which has its line for itself.
    private static func isRemark(_ line: Substring) -> Bool { line.hasPrefix("<!--") && line.hasSuffix("-->") }

    private func fence(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("```") }

    private mutating func code(to html: inout HTMLWriter) {
        let opening = lines.removeFirst()
        let indent = opening.prefix { $0 == " " }.count
        if let file = MarkdownPrinter.file(opening) {
            html.element(.p) {
                $0.set(.class, "file")
            } content: {
                $0.element(.code, text: file)
            }
        }
        var text = ""
        while let line = lines.popFirst(), !fence(line) {
            let own = min(indent, line.prefix { $0 == " " }.count)
            text += "\(line.dropFirst(own))\n"
        }
        html.element(.pre) { $0.element(.code, text: text) }
    }

    /// The file that a listing is, which its first line names behind the language. Other words there are for tests.
    private static func file(_ opening: Substring) -> String? {
        let name = opening.split(separator: " ").dropFirst().joined(separator: " ")
        return name.contains { "./".contains($0) } ? name : nil
    }

    private static func level(of line: Substring) -> Int? {
        let marks = line.prefix { $0 == "#" }.count
        return 1...6 ~= marks && line.dropFirst(marks).first == " " ? marks : nil
    }

    private mutating func heading(_ text: Substring, _ level: Int, to html: inout HTMLWriter) {
        let name = MarkdownPrinter.identifier(MarkdownPrinter.plain(text))
        let number = identifiers[name, default: 0]
        identifiers[name] = number + 1
        html.element(level == 1 ? .h1 : level == 2 ? .h2 : .h3) {
            $0.set(.id, number == 0 ? name : "\(name)-\(number)")
        } content: {
            inline(text, to: &$0)
        }
    }

    /// The name that links to a heading use, as hosts of repositories make it.
    private static func identifier(_ text: String) -> String {
        var name = ""
        for scalar in text.lowercased().unicodeScalars {
            if scalar == " " || scalar == "-" {
                name += "-"
            } else if scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                name.unicodeScalars.append(scalar)
            }
        }
        return name
    }

    private mutating func paragraph(to html: inout HTMLWriter) {
        var text = ""
        while let line = lines.first, !line.allSatisfy(\.isWhitespace), !line.hasPrefix("|"), !fence(line),
            MarkdownPrinter.level(of: line) == nil, text.isEmpty || MarkdownPrinter.item(line) == nil
        {
            let quoted = line.hasPrefix("> ") ? line.dropFirst(2) : line
            text += (text.isEmpty ? "" : " ") + quoted.drop { $0 == " " }
            lines.removeFirst()
        }
        html.element(.p) { inline(text[...], to: &$0) }
    }

    private mutating func table(to html: inout HTMLWriter) {
        var rows: [[Substring]] = []
        while let line = lines.first, line.hasPrefix("|") {
            rows.append(MarkdownPrinter.cells(line))
            lines.removeFirst()
        }
        let isRule = { (row: [Substring]) in row.allSatisfy { $0.allSatisfy { "-: ".contains($0) } && $0.contains("-") }
        }
        let hasHead = rows.count > 1 && isRule(rows[1])
        let head = hasHead && rows[0].contains { !$0.isEmpty } ? rows[0] : nil
        html.element(.div) {
            $0.set(.class, "scroll")
            $0.set(.tabindex, "0")
            $0.set(.role, "group")
            $0.set(.label, "Table")
        } content: { html in
            html.element(.table) { html in
                if let head {
                    html.element(.thead) { html in
                        html.element(.tr) { html in
                            for cell in head {
                                // A column without a name has no head that could be read aloud.
                                html.element(cell.isEmpty ? .td : .th) {
                                    $0.set(.scope, cell.isEmpty ? nil : "col")
                                } content: {
                                    inline(cell, to: &$0)
                                }
                            }
                        }
                    }
                }
                html.element(.tbody) { html in
                    for row in hasHead ? rows.dropFirst(2) : rows[...] {
                        html.element(.tr) { html in
                            for cell in row { html.element(.td) { inline(cell, to: &$0) } }
                        }
                    }
                }
            }
        }
    }

    /// The cells of a row: bars in code and behind backslashes separate none.
    private static func cells(_ line: Substring) -> [Substring] {
        var (cells, start, isCode, isEscaped) = ([Substring](), line.startIndex, false, false)
        for place in line.indices {
            let character = line[place]
            if character == "|", !isCode, !isEscaped {
                if place > line.startIndex { cells.append(line[start..<place]) }
                start = line.index(after: place)
            }
            if character == "`" { isCode.toggle() }
            isEscaped = character == "\\" && !isEscaped
        }
        return cells.map { $0.drop { $0 == " " } }.map { cell in
            cell.lastIndex { $0 != " " }.map { cell[...$0] } ?? ""
        }
    }

    // MARK: Lists

    private static func item(_ line: Substring) -> (isOrdered: Bool, indent: Int, text: Substring)? {
        let indent = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(indent)
        if rest.hasPrefix("* ") || rest.hasPrefix("- ") { return (false, indent, rest.dropFirst(2)) }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }.count
        guard 1...3 ~= digits, rest.dropFirst(digits).hasPrefix(". ") else { return nil }
        return (true, indent, rest.dropFirst(digits + 2))
    }

    private mutating func item(
        _ item: (isOrdered: Bool, indent: Int, text: Substring), to html: inout HTMLWriter
    ) {
        lines.removeFirst()
        var text = String(item.text)
        // Lines that continue an item are indented.
        while let line = lines.first, line.hasPrefix(" "), !fence(line), MarkdownPrinter.item(line) == nil,
            !line.allSatisfy(\.isWhitespace)
        {
            text += " " + line.drop { $0 == " " }
            lines.removeFirst()
        }
        while let last = lists.last,
            item.indent < last.indent || (item.indent == last.indent && item.isOrdered != last.isOrdered)
        {
            closeList(to: &html)
        }
        if let last = lists.last, item.indent <= last.indent || lists.count == MarkdownPrinter.deepest {
            html.end()
        } else {
            html.begin(item.isOrdered ? .ol : .ul)
            lists.append((item.isOrdered, item.indent))
        }
        html.begin(.li)
        inline(text[...], to: &html)
    }

    private mutating func closeLists(to html: inout HTMLWriter) {
        while !lists.isEmpty { closeList(to: &html) }
    }

    private mutating func closeList(to html: inout HTMLWriter) {
        lists.removeLast()
        html.end()
        html.end()
    }

    // MARK: Words

    /// Text with code, links and stress.
    private func inline(_ text: Substring, to html: inout HTMLWriter, depth: Int = 0) {
        var (rest, plain) = (text, "")
        func flush(_ html: inout HTMLWriter) {
            html.text(plain)
            plain = ""
        }
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else if first == "`", let (code, after) = MarkdownPrinter.code(rest) {
                flush(&html)
                html.element(.code, text: code)
                rest = after
            } else if first == "[", depth < MarkdownPrinter.deepest, let link = MarkdownPrinter.link(rest) {
                flush(&html)
                write(link.text, leadingTo: link.target, to: &html, depth: depth)
                rest = link.after
            } else if rest.hasPrefix("**"), depth < MarkdownPrinter.deepest,
                let (words, after) = MarkdownPrinter.marked(rest, "**")
            {
                flush(&html)
                html.element(.strong) { inline(words, to: &$0, depth: depth + 1) }
                rest = after
            } else if first == "*", depth < MarkdownPrinter.deepest,
                let (words, after) = MarkdownPrinter.marked(rest, "*")
            {
                flush(&html)
                html.element(.span) {
                    $0.set(.class, "stress")
                } content: {
                    inline(words, to: &$0, depth: depth + 1)
                }
                rest = after
            } else {
                plain.append(first)
                rest = rest.dropFirst()
            }
        }
        flush(&html)
    }

    /// Code between as many backticks as it begins with.
    private static func code(_ text: Substring) -> (code: String, after: Substring)? {
        let marks = text.prefix { $0 == "`" }
        let body = text.dropFirst(marks.count)
        guard let end = body.prefix(reach).firstRange(of: marks) else { return nil }
        var code = body[..<end.lowerBound]
        if marks.count > 1 {
            if code.first == " " { code = code.dropFirst() }
            if code.last == " " { code = code.dropLast() }
        }
        return (String(code).replacing("\\|", with: "|"), body[end.upperBound...])
    }

    private static func marked(_ text: Substring, _ mark: String) -> (words: Substring, after: Substring)? {
        let body = text.dropFirst(mark.count)
        guard let first = body.first, !first.isWhitespace, let end = body.prefix(reach).firstRange(of: mark),
            !body[..<end.lowerBound].isEmpty, body[..<end.lowerBound].last?.isWhitespace == false
        else { return nil }
        return (body[..<end.lowerBound], body[end.upperBound...])
    }

    private static func link(_ text: Substring) -> (text: Substring, target: Substring, after: Substring)? {
        var depth = 0
        var place = text.startIndex
        let last = text.prefix(reach).endIndex
        while place < last {
            if text[place] == "[" { depth += 1 }
            if text[place] == "]" {
                depth -= 1
                if depth == 0 { break }
            }
            place = text.index(after: place)
        }
        guard place < last else { return nil }
        let rest = text[text.index(after: place)...]
        guard rest.first == "(", let end = rest.prefix(reach).firstIndex(of: ")") else { return nil }
        return (
            text[text.index(after: text.startIndex)..<place], rest[rest.index(after: rest.startIndex)..<end],
            rest[rest.index(after: end)...]
        )
    }

    private func write(_ text: Substring, leadingTo target: Substring, to html: inout HTMLWriter, depth: Int) {
        guard let address = address(String(target)) else { return inline(text, to: &html, depth: depth + 1) }
        html.element(.a) {
            $0.set(.href, address)
            $0.set(.rel, address.hasPrefix("https:") ? "noopener noreferrer" : nil)
        } content: {
            inline(text, to: &$0, depth: depth + 1)
        }
    }

    /// The address of a link's target; `nil` for a file that the program does not have with it.
    private func address(_ target: String) -> String? {
        if target.hasPrefix("#") || target.hasPrefix("https://") { return target }
        let parts = target.split(separator: "#", maxSplits: 1)
        guard let path = parts.first, let name = Manual.name(ofFile: String(path)) else { return nil }
        return "\(folder)/\(name)" + (parts.count > 1 ? "#\(parts[1])" : "")
    }

    /// The text without its marks, for titles and names.
    private static func plain(_ text: Substring) -> String {
        var (rest, words) = (text, "")
        while let first = rest.first {
            if first == "[", let link = link(rest) {
                words += link.text
                rest = link.after
            } else {
                if first != "`" && first != "*" { words.append(first) }
                rest = rest.dropFirst()
            }
        }
        return words
    }
}
