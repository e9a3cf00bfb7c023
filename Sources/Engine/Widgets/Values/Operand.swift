package import JSONText

/// A value as a document will have it: a literal, or an expression over states, items and parameters.
///
/// Names are not known before a screen is written, so an expression refers to what it means.
public struct Operand {
    package indirect enum Form {
        case literal(JSONValue)
        /// The text of an expression, in pieces.
        case expression([Piece], isCondition: Bool)
        /// A text made of parts.
        case joined([Operand])
        case match(Operand, [(name: String, value: Operand)], otherwise: Operand?)
    }

    package enum Piece {
        case text(String)
        case name(any NamedValue, keys: [String])
    }

    package var form: Form
    /// The line of a text that it is a part of.
    var place: SourcePlace?

    package init(_ form: Form) { self.form = form }

    /// A value that has a name, or a member of it.
    package init(_ name: any NamedValue, keys: [String] = []) {
        form = .expression([.name(name, keys: keys)], isCondition: false)
    }

    package static func literal(_ value: some Encodable) -> Operand {
        guard let json = PlainValue.json(value) else {
            return Operand(UnencodableValue("\(type(of: value))"))
        }
        return Operand(.literal(json))
    }

    package static var null: Operand { Operand(.literal(JSONValue(.null))) }

    /// An expression of operands with words between them.
    static func expression(_ parts: [Part], isCondition: Bool = false) -> Operand {
        var pieces: [Piece] = []
        for part in parts {
            switch part {
            case .word(let text): pieces.append(.text(text))
            case .value(let operand): pieces += operand.pieces
            case .condition(let operand): pieces += operand.conditionPieces
            }
        }
        return Operand(.expression(pieces, isCondition: isCondition))
    }

    enum Part {
        case word(String)
        case value(Operand)
        case condition(Operand)
    }

    /// The operand within a larger expression.
    private var pieces: [Piece] {
        switch form {
        case .literal(let json) where json.object != nil: [.name(RecordWithinExpression(), keys: [])]
        case .literal(let json): [.text(ExpressionText.literal(json))]
        case .expression(let pieces, let isCondition):
            if isCondition {
                [.text("TERNARY(")] + pieces + [.text(", YES, NO)")]
            } else if case .name? = pieces.first, pieces.count == 1 {
                pieces
            } else {
                [.text("(")] + pieces + [.text(")")]
            }
        case .joined, .match: [.name(ComputedOperand(self), keys: [])]
        }
    }

    /// The operand as a condition within a larger one.
    private var conditionPieces: [Piece] {
        switch form {
        case .expression(let pieces, isCondition: true): return [.text("(")] + pieces + [.text(")")]
        case .literal(let json): return [.text(json.boolean == true ? "TRUEPREDICATE" : "FALSEPREDICATE")]
        default: return [.text("(")] + pieces + [.text(" == YES)")]
        }
    }

    /// The opposite of a truth value.
    var negated: Operand { .expression([.word("NOT "), .condition(self)], isCondition: true) }

    /// A member of the value.
    func member(_ keys: [String]) -> Operand {
        if keys.isEmpty { return self }
        switch form {
        case .literal(let json): return Operand(.literal(keys.reduce(json) { $0[$1] ?? JSONValue(.null) }))
        case .expression(let pieces, isCondition: false):
            if pieces.count == 1, case .name(let name, let before) = pieces[0] {
                return Operand(name, keys: before + keys)
            }
            return Operand(.expression(pieces + [.text(ExpressionText.path("", keys))], isCondition: false))
        default: return Operand(ComputedOperand(self), keys: keys)
        }
    }
}

/// A thing that gets a name when a screen is written.
package protocol NamedValue: AnyObject {
    /// The name in the document that is written.
    func name(in writer: SceneWriter) -> String
}

/// An operand that has no form within an expression. The writer reports it.
final class ComputedOperand: NamedValue {
    let operand: Operand

    init(_ operand: Operand) { self.operand = operand }

    func name(in writer: SceneWriter) -> String {
        writer.fault("A joined text or a match cannot be a part of another expression", hint: "show it by itself")
        return "content"
    }
}

/// A constant that JSON has no form for. The writer reports it.
final class UnencodableValue: NamedValue {
    let type: String

    init(_ type: String) { self.type = type }

    func name(in writer: SceneWriter) -> String {
        writer.fault(
            "A constant of the type \(type) cannot be encoded", hint: "numbers have to be finite, and types Codable")
        return "content"
    }
}

/// A constant with members, which expressions have no form for. The writer reports it.
final class RecordWithinExpression: NamedValue {
    func name(in writer: SceneWriter) -> String {
        writer.fault(
            "A constant with members cannot be a part of an expression", hint: "compare a member, such as an identifier"
        )
        return "content"
    }
}

/// Texts of expressions.
enum ExpressionText {
    /// A literal as expressions have it.
    static func literal(_ json: JSONValue) -> String {
        if json.isNull { return "nil" }
        if let flag = json.boolean { return flag ? "YES" : "NO" }
        if let number = json.number { return number.text }
        if let text = json.string { return quoted(text) }
        if let list = json.array { return "{" + list.map(literal).joined(separator: ", ") + "}" }
        return "nil"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "\\": quoted += "\\" + String(scalar)
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }

    /// A key within an expression: plain where it is a name, in brackets otherwise.
    static func path(_ name: String, _ keys: [String]) -> String {
        keys.reduce(name) { path, key in isName(key) ? "\(path).\(key)" : "\(path)[\(quoted(key))]" }
    }

    /// True for a key that can be written after a dot.
    static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first, key.utf8.allSatisfy(isPart), !(0x30...0x39 ~= first) else { return false }
        return key != "status" && !reserved.contains(key.uppercased())
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The words of the language of expressions.
    static let reserved: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TERNARY", "TRUEPREDICATE", "FALSEPREDICATE", "FUNCTION",
    ]
}
