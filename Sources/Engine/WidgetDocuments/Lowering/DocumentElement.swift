internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// An element whose payload fits the description of its kind.
package struct DocumentElement {
    let value: DocumentValue
    let spec: KindSpec
    let words: Lexicon
    private let payload: CheckedMembers

    init(
        _ value: DocumentValue, _ spec: KindSpec, _ words: Lexicon, _ maker: inout SceneMaker
    ) throws(ElementFault) {
        self.value = value
        self.spec = spec
        self.words = words
        if let payload = value["payload"], payload.json.object == nil {
            throw payload.fault(
                .badPayload, "The payload is \(payload.json.typeName.rawValue), and has to be an object")
        }
        payload = try CheckedMembers(
            value["payload"], spec.properties, of: spec.name, around: value, theme: words.theme, &maker)
        if spec.content == .nothing, let children = value["children"], !(children.json.array?.isEmpty ?? false) {
            maker.report(
                Finding(
                    .warning, .unknownKey, "\(spec.name.withArticle) has no children", at: children.place,
                    hint: "they are not shown"))
        }
        for (name, slot) in value["slots"]?.members ?? []
        where !spec.hasFreeSlots && !spec.slots.contains(where: { $0.name == name }) {
            maker.report(
                Finding(
                    .warning, .unknownKey, "\(spec.name.withArticle) has no slot \(name.excerpt)", at: slot.place,
                    hint: spec.slots.isEmpty ? nil : "it has \(NameList(spec.slots.map { $0.name }))"))
        }
    }

    var place: Place { value.place }

    func has(_ name: String) -> Bool { payload[name] != nil }

    // MARK: - Fixed properties

    func text(_ name: String) -> String? { payload.text(name) }

    func number(_ name: String) -> Double? { payload.number(name) }

    func flag(_ name: String) -> Bool { payload.flag(name) }

    // MARK: - Values

    /// The value of a property as it is written, or its default.
    func expression(_ name: String, in maker: inout SceneMaker) throws(ElementFault) -> Expression? {
        try payload.expression(name, words, &maker)
    }

    /// The value of a property, and the state, or the part of one, that it is bound to.
    func binding(
        _ name: String, in maker: inout SceneMaker
    ) throws(ElementFault) -> (expression: Expression?, state: StatePath?) {
        let expression = try self.expression(name, in: &maker)
        guard let value = payload[name], let path = value.json.string, path.hasPrefix("$") else {
            return (expression, nil)
        }
        return (expression, try maker.boundState(String(path.dropFirst()), value, words, isRead: true))
    }

    func member(_ name: String) -> DocumentValue? { payload[name] }
}

/// Members of an object that fit their descriptions.
struct CheckedMembers {
    private let given: [String: DocumentValue]
    private let specs: [PropertySpec]
    private let theme: Theme

    /// - Parameters:
    ///   - owner: the name of the kind, action or object, for messages.
    ///   - around: the value that lacks the members if nothing has them.
    ///   - known: further members, which others read.
    init(
        _ members: DocumentValue?, _ specs: [PropertySpec], of owner: String, around: DocumentValue,
        known: Set<String> = [], theme: Theme = .standard, _ maker: inout SceneMaker
    ) throws(ElementFault) {
        try self.init(
            members?.members ?? [], specs, of: owner, around: members ?? around, known: known, theme: theme, &maker)
    }

    /// - Parameter members: each name once.
    init(
        _ members: [(name: String, value: DocumentValue)], _ specs: [PropertySpec], of owner: String,
        around: DocumentValue, known: Set<String> = [], theme: Theme, _ maker: inout SceneMaker
    ) throws(ElementFault) {
        self.specs = specs
        self.theme = theme
        var given: [String: DocumentValue] = [:]
        for (name, member) in members where !known.contains(name) {
            try maker.spendSetting(member)
            guard let spec = specs.first(where: { $0.name == name }) else {
                if maker.policy != .strict { maker.report(CheckedMembers.unknown(name, member, specs, owner)) }
                continue
            }
            // Nothing is a value where there has to be one of any type.
            if member.json.isNull, !(spec.isRequired && spec.isBindable && spec.type == .anything) { continue }
            if let fault = MatchWords.fault(of: member) { maker.report(fault) }
            do throws(ElementFault) {
                try CheckedMembers.check(member, spec, owner, theme)
            } catch {
                // Its hint compares the value with all names of the theme.
                _ = maker.work.spend(ReadingWork.setting * theme.count)
                throw error
            }
            given[name] = member
        }
        for spec in specs where spec.isRequired && given[spec.name] == nil {
            throw around.fault(
                .badPayload, "The \(owner) has no \(spec.name); expected \(spec.type.word)",
                hint: "\(spec.name) is \(spec.about)")
        }
        self.given = given
    }

    subscript(_ name: String) -> DocumentValue? { given[name] }

    private static func unknown(
        _ name: String, _ member: DocumentValue, _ specs: [PropertySpec], _ owner: String
    ) -> Finding {
        let names = specs.map { $0.name }
        let known = names.isEmpty ? "it has no properties" : "it has \(NameList(names.sorted()))"
        return Finding(
            .warning, .unknownKey, "\(owner.withArticle) has no \(name.excerpt)", at: member.place,
            value: name.excerpt, nearest: NearestName.of(name, in: names), hint: known)
    }

    // MARK: - Types

    /// True for a key path or an expression.
    static func isBound(_ json: JSONValue) -> Bool {
        if let text = json.string { return text.hasPrefix("$") && !text.hasPrefix("$$") }
        guard let object = json.object else { return false }
        return object.count == 1 && object["$"] != nil || MatchWords.isMatch(object)
    }

    static func check(
        _ member: DocumentValue, _ spec: PropertySpec, _ owner: String, _ theme: Theme
    ) throws(ElementFault) {
        if isBound(member.json) {
            if spec.isBindable {
                // Each of several values has to be one of the type.
                guard let match = MatchWords(member) else { return }
                for result in match.results { try check(result, spec, owner, theme) }
                return
            }
            throw member.fault(
                .badPayload, "\(spec.name) of a \(owner) is fixed: no key path or expression can give it",
                hint: "expected \(spec.type.word)")
        }
        guard !fits(member.json, spec.type, theme) else { return }
        let found =
            member.json.string.map { ShownText.quoted($0, limit: String.excerptByteCount) }
            ?? member.json.typeName.rawValue
        let hint = member.json.string.flatMap { NearestName.of($0, in: names(spec.type, theme)) }
            .map { "did you mean \($0)?" }
        // A number can be the wrong one only if it is too large.
        if case .number = spec.type, member.json.number != nil {
            let largest = Value.text(largestNumber)
            throw member.fault(
                .badPayload,
                "\(spec.name) of a \(owner) is out of range; expected a number from -\(largest) to \(largest)")
        }
        throw member.fault(
            .badPayload, "\(spec.name) of a \(owner) is \(found); expected \(spec.type.word)", hint: hint)
    }

    /// The words that a value of a type may be.
    private static func names(_ type: PropertyType, _ theme: Theme) -> [String] {
        switch type {
        case .choice(let words), .words(let words): words
        case .color: theme.colorNames
        case .font: theme.fontNames
        case .length, .sides: theme.numbers.keys.sorted()
        case .text, .number, .flag, .date, .binding, .object, .anything: []
        }
    }

    private static func fits(_ json: JSONValue, _ type: PropertyType, _ theme: Theme) -> Bool {
        switch type {
        case .text:
            switch json.kind {
            case .string, .number, .boolean: true
            case .null, .array, .object: false
            }
        case .number: json.double.map { $0.isFinite && abs($0) <= largestNumber } ?? false
        case .flag: json.boolean != nil
        case .date:
            json.string.map { DateText.seconds($0) != nil } ?? (json.number ?? json["reference"]?.number)
                .flatMap { $0.double }.map { $0.isFinite } ?? false
        case .color: json.string.flatMap(theme.paint) != nil
        case .font: json.string.flatMap(theme.font) != nil
        case .length: theme.length(json).map { $0.isFinite && abs($0) <= largestNumber } ?? false
        case .words(let words):
            json.string.map(words.contains) ?? json.array?.allSatisfy { $0.string.map(words.contains) ?? false }
                ?? false
        case .choice(let words): json.string.map(words.contains) ?? false
        case .binding, .anything: true
        case .sides: SideWords.insets(json, theme) != nil
        case .object: json.object != nil
        }
    }

    /// Of lengths, sizes and times: larger ones are slips.
    private static let largestNumber = 1e9

    // MARK: - Values

    private func initial(_ name: String) -> SpecValue? { specs.first { $0.name == name }?.initial }

    func text(_ name: String) -> String? {
        if let json = given[name]?.json { return json.string.map(CheckedMembers.unescaped) ?? Value(json).shown }
        if case .text(let text) = initial(name) { return text }
        return nil
    }

    func number(_ name: String) -> Double? {
        if let number = given[name].flatMap({ theme.length($0.json) }) { return number }
        if case .number(let number) = initial(name) { return number }
        return nil
    }

    func flag(_ name: String) -> Bool {
        if let flag = given[name]?.json.boolean { return flag }
        if case .flag(let flag) = initial(name) { return flag }
        return false
    }

    private static func unescaped(_ text: String) -> String { text.hasPrefix("$$") ? String(text.dropFirst()) : text }

    func expression(
        _ name: String, _ words: Lexicon, _ maker: inout SceneMaker
    ) throws(ElementFault) -> Expression? {
        guard let member = given[name] else {
            switch initial(name) {
            case .text(let text): return .literal(.string(text))
            case .number(let number): return .literal(.double(number))
            case .flag(let flag): return .literal(.boolean(flag))
            case nil: return nil
            }
        }
        return try maker.read(words) { reader throws(ElementFault) in try reader.expression(of: member) }
    }
}
