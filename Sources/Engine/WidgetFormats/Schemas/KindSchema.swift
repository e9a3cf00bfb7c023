internal import JSONText
internal import WidgetCore

/// Makes schemas of the kinds of values that authored files have.
struct KindSchema {
    /// True if numbers and truth values may be written as texts.
    var coerces = false
    /// The values of absent members, by the members' names.
    var absent: [String: JSONSchema.Scalar] = [:]

    /// The schema of a kind. Values that are not objects may be `null`, which means nothing.
    func schema(of kind: AuthoredKind) -> JSONSchema {
        switch kind {
        case .any: .anything
        case .text, .fields, .predicate, .keyPath, .format, .entity, .action: KindSchema.text
        case .choice(let words): JSONSchema(.kinds([.string, .null]), .words(words, orNull: true))
        case .number: coerces ? KindSchema.coerced(.number, KindSchema.number) : JSONSchema(.kinds([.number, .null]))
        case .boolean:
            coerces
                ? KindSchema.coerced(.boolean, "\(KindSchema.truth)|\(KindSchema.number)")
                : JSONSchema(.kinds([.boolean, .number, .null]))
        case .resultType: KindSchema.text.with(.pattern(#"^(\[[^\[\]]+\]|[^\[\]]*)$"#))
        case .provider:
            KindSchema.text.with(
                .suggestions([WidgetKitVocabulary.standardProvider, WidgetKitVocabulary.scriptedProvider]))
        case .transformer: KindSchema.text.with(.suggestions(Transformers().names))
        case .texts:
            JSONSchema(.kinds([.string, .array, .null]), .elements(JSONSchema(.kinds([.string, .number]))))
        case .targets: JSONSchema(.kinds([.string, .array, .null]), .elements(.text))
        case .array: JSONSchema(.kinds([.array, .null]))
        case .object: .object
        case .textsByName: object([], named: .text)
        case .members(let keys): object(keys)
        case .named(let keys): object([], named: object(keys))
        case .list(let keys): .list(of: object(keys))
        }
    }

    /// The members of an object, comments among them.
    func members(_ keys: [AuthoredKey], changing others: [String: JSONSchema] = [:]) -> [JSONSchema.Member] {
        keys.map { key in
            let schema = others[key.name] ?? schema(of: key.kind)
            return JSONSchema.Member(key.name, absent[key.name].map { schema.with(.initial($0)) } ?? schema, key.line)
        } + [KindSchema.comment]
    }

    /// An object with these members and no others.
    func object(_ keys: [AuthoredKey], changing others: [String: JSONSchema] = [:]) -> JSONSchema {
        .object(members(keys, changing: others), isClosed: true)
    }

    /// An object with members of free names beside some that are known.
    func object(_ keys: [AuthoredKey], named schema: JSONSchema) -> JSONSchema {
        JSONSchema.object.with(.members(members(keys)), .others(schema))
    }

    static let comment = JSONSchema.Member(SchemeKeys.comment, .anything, "a comment")

    private static let text = JSONSchema(.kinds([.string, .null]))

    private static func coerced(_ kind: JSONSchema.Kind, _ pattern: String) -> JSONSchema {
        let kinds: [JSONSchema.Kind] = kind == .number ? [.number, .boolean] : [.boolean, .number]
        return JSONSchema(.kinds(kinds + [.string, .null]), .pattern("^(\(pattern))?$"))
    }

    private static let number = #"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"#
    private static let truth = "[yY]([eE][sS])?|[nN][oO]?|[tT]([rR][uU][eE])?|[fF]([aA][lL][sS][eE])?"
}
