import JSONText
import WidgetCore

/// The differences between a document and its twin that are there by necessity. Nothing else is left out.
///
/// - A component of a document is a box around its body, without a look; a part of a Swift screen is its body. Boxes without
///   looks are left out of both forms. What they do with their content is seen in its frames.
/// - Nodes are counted, those boxes among them, so nodes have other numbers. They are counted again, in reading order.
/// - The rules of pages are named after those numbers. Their effect is in frames.
/// - A fault of an expression is at its place in the document, which Swift does not have, and quotes the expression,
///   which Swift writes with its own parentheses.
enum NecessaryDifferences {
    // MARK: - Frames

    private struct Element {
        var key = ""
        var parent = ""
        var paint = 0
        var members: [String] = []
        var isPlain = false

        init(_ object: JSONObject) {
            for member in object.members {
                switch member.name {
                case "key": key = member.value.string ?? ""
                case "parent": parent = member.value.string ?? ""
                case "paint": paint = Int(member.value.double ?? 0)
                default: members.append("\(member.name): \(NecessaryDifferences.text(member.value))")
                }
            }
            let rest = object.members.map(\.name).filter {
                !["clipped", "frame", "key", "parent", "paint"].contains($0)
            }
            isPlain = rest == ["kind", "role"] && object["kind"]?.string == "box" && object["role"]?.string == "group"
        }
    }

    /// The elements of frames without plain boxes, one a line, with the numbers that they then have.
    static func frames(_ document: [UInt8]) throws -> String {
        let root = try JSONValue(parsing: document)
        let all = (root["elements"]?.array ?? []).compactMap { $0.object.map(Element.init) }
        let parents = Dictionary(all.filter(\.isPlain).map { ($0.key, $0.parent) }) { first, _ in first }
        let kept = all.filter { !$0.isPlain }
        let numbers = Dictionary(kept.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
        let order = Dictionary(
            kept.sorted { $0.paint < $1.paint }.enumerated().map { ($0.element.key, $0.offset) }
        ) { first, _ in first }
        var lines = kept.map { element in
            var parent = element.parent
            while let outer = parents[parent] { parent = outer }
            let place = "\(numbers[element.key] ?? -1) in \(numbers[parent] ?? -1), painted \(order[element.key] ?? -1)"
            return "\(place): \(element.members.joined(separator: ", "))"
        }
        for member in root.object?.members ?? [] where member.name != "elements" {
            lines.append("\(member.name): \(text(member.value))")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ json: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(json)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: - Pages

    /// A page without plain boxes and the names of rules, with the numbers that its elements then have.
    static func page(_ html: String) -> String {
        var shown = ""
        var isKept: [Bool] = []
        for part in html.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            let (tag, rest) = halves(part)
            let plain = tag.replacing(#/ class="w[0-9a-f]+-\d+-\d+ ?/#) { _ in " class=\"" }
            if tag.hasPrefix("/div") {
                if isKept.popLast() ?? true { shown += "<\(tag)>" }
            } else if tag.hasPrefix("div") {
                let isPlain = plain.wholeMatch(of: #/div id="a[^"]*" class="v"/#) != nil
                isKept.append(!isPlain)
                if !isPlain { shown += "<\(plain)>" }
            } else {
                shown += "<\(plain)>"
            }
            shown += rest
        }
        var numbers: [Substring: Int] = [:]
        return shown.replacing(#/\d+\.-?\d+/#) { match in
            let next = numbers.count
            numbers[match.output] = numbers[match.output] ?? next
            return "#\(numbers[match.output] ?? next)"
        }
    }

    private static func halves(_ part: Substring) -> (tag: String, rest: String) {
        guard let end = part.firstIndex(of: ">") else { return (String(part), "") }
        return (String(part[..<end]), String(part[part.index(after: end)...]))
    }

    // MARK: - Faults

    /// Of an answer of another shape, a document names the members that it lacks, and Swift the type that it does not have.
    private static func isAboutShape(_ finding: Finding) -> Bool {
        finding.message.hasPrefix("The stub's answer to ")
            || (finding.code == .unknownKey && finding.message.hasPrefix("event has no member "))
    }

    static func faults(_ diagnostics: [Finding]) -> [String] {
        diagnostics.filter { !isAboutShape($0) }.map { diagnostic in
            let message = diagnostic.message.split(separator: " in `", maxSplits: 1).first ?? ""
            return "\(diagnostic.severity) \(diagnostic.code.rawValue) \(message)"
        }
    }
}
