internal import JSONText
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Finds what works in a scheme and is unwise: key paths that leave their object, regular expressions on which some engines take
/// very long, and addresses that others can listen to.
struct SchemeRemarks {
    private(set) var found: [Finding] = []
    private let most: Int

    /// - Parameter most: the most findings.
    init(upTo most: Int) { self.most = most }

    private var hasRoom: Bool { found.count < most }

    mutating func read(_ mediator: MediatorDescription) {
        read(mediator.attributes)
        for (_, value) in mediator.evals where hasRoom { read(binding: value) }
    }

    mutating func read(_ element: ElementDescription) {
        read(element.attributes)
        for value in element.bindings where hasRoom { read(binding: value) }
    }

    private mutating func read(_ attributes: [(name: String, value: SchemeValue)]) {
        for (name, value) in attributes where hasRoom {
            check(name, .assigned, value)
            switch name {
            case "predicateFormat", "filterFormat": read(predicate: value.json, of: value)
            case "resultChainArgs", "resultChainArgsTxt":
                for text in texts(value, at: "|") { check(text, .readFromItem, value) }
            case "sortByFields", "masterKeyPath", "groupByField":
                for text in texts(value, at: ",") { check(text, .readFromItem, value) }
            case "wx_imageUrl":
                if let text = value.json.string { found += AddressRemarks.of(text) { value.place(ofByte: $0) } }
            default: continue
            }
        }
    }

    private mutating func read(binding value: SchemeValue) {
        guard let binding = value.json.object else { return }
        if let path = binding["to"]?.string { check(path, .assigned, value) }
        if let path = binding["from"]?.string { check(path, .read, value) }
        if let predicate = binding["predicateFormat"] { read(predicate: predicate, of: value) }
        for key in ["format", "ifTrue", "ifFalse"] {
            guard let text = binding[key]?.string else { continue }
            for path in Template(text, .format).keyPaths { check(path, .read, value) }
        }
    }

    private mutating func check(_ path: String, _ use: SchemeKeyPath.Use, _ value: SchemeValue) {
        guard let exit = SchemeKeyPath.exit(of: path, use) else { return }
        let name = exit.component.excerpt
        report(.keyPath, "\(path.excerpt) leaves the object of the path at \(name)", name, value.place)
    }

    private mutating func read(predicate json: JSONValue, of value: SchemeValue) {
        guard let text = json.string, !text.isEmpty, let tree = SyntaxTree.examine(text).0 else { return }
        let own = SchemeValue(json: json, place: value.place, lines: value.lines)
        let bytes = Array(text.utf8)
        for node in tree.nodes where hasRoom {
            switch node.kind {
            case .keyPath(let base, _):
                // The part before its first dot may be a value of any kind.
                var start = node.span.offset
                if let base, tree[base].kind != .subject {
                    start = bytes[tree[base].span.end..<node.span.end].firstIndex(of: UInt8(ascii: ".")) ?? start
                }
                let path = String(decoding: bytes[start..<node.span.end], as: UTF8.self)
                guard let exit = SchemeKeyPath.exit(of: path, .read) else { continue }
                let name = exit.component.excerpt
                report(
                    .keyPath, "\(path.excerpt) leaves the object of the path at \(name)", name,
                    own.place(ofByte: start + exit.offset))
            case .comparison(let comparison) where comparison.operation == .matches:
                let right = tree[comparison.right]
                guard case .constant(let literal) = right.kind, case .string(let pattern) = literal.value,
                    SlowPattern.offset(in: pattern) != nil
                else { continue }
                report(
                    .slowPattern, "repetitions inside a repetition can take an engine that tries them all very long",
                    pattern.excerpt, own.place(ofByte: right.span.offset + 1))
            default: continue
            }
        }
    }

    private mutating func report(_ code: Finding.Code, _ message: String, _ value: String, _ place: Place) {
        let finding = Finding(.warning, code, message, at: place, value: value)
        if hasRoom, found.last != finding { found.append(finding) }
    }

    /// An array's texts, or the parts of one text.
    private func texts(_ value: SchemeValue, at separator: Character) -> [String] {
        if let array = value.json.array { return array.compactMap { $0.string } }
        return (value.json.string ?? "").split(separator: separator).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
