package import JSONText

/// The JSON Schema of documents, made of the descriptions of kinds, from which editors complete and check.
package enum DocumentSchema {
    package static func document(_ specs: [KindSpec]) -> JSONSchemaDocument {
        JSONSchemaDocument(
            "A document of a widget",
            JSONSchema(
                .anyOf([.list(of: .reference("element")), .reference("scene"), .reference("element")]),
                about: "a list of elements, one element, or a scene"),
            definitions: [
                JSONSchema.Member("element", element(specs)),
                JSONSchema.Member(
                    "items", object(DocumentWords.items, ["in": value, "as": .text, "key": value], ["in"])),
                JSONSchema.Member(
                    "match", object(DocumentWords.match, ["cases": .object], ["match", "cases"])),
                JSONSchema.Member("style", JSONSchema.object(members(DocumentWords.style), isClosed: true)),
                JSONSchema.Member("theme", theme),
                JSONSchema.Member(
                    "actions", JSONSchema(.anyOf([.reference("action"), .list(of: .reference("action"))]))),
                JSONSchema.Member("action", action),
                JSONSchema.Member(
                    "buttons",
                    .list(
                        of: JSONSchema.object(
                            members(DocumentWords.alertAction).map { member in
                                member.name == "actions"
                                    ? JSONSchema.Member(
                                        member.name, .reference("actions"), "the actions when it is tapped") : member
                            }, isClosed: true
                        ).with(.required(["title"])))),
                JSONSchema.Member(
                    "change",
                    JSONSchema(
                        .anyOf([
                            .reference("actions"),
                            object(
                                DocumentWords.change, ["initial": .flag, "then": .reference("actions")], ["then"]),
                        ]))),
                JSONSchema.Member(
                    "component",
                    object(DocumentWords.component, ["parameters": .object, "body": .reference("element")], ["body"])),
                JSONSchema.Member("source", JSONSchema.object(members(DocumentWords.source), isClosed: true)),
                JSONSchema.Member("scene", scene),
            ])
    }

    private static let value = JSONSchema(.anyOf([path, expression, .reference("match")]))
    private static let path = JSONSchema(.kinds([.string]), .pattern(#"^\$[^$]"#), about: "a key path")
    private static let expression = JSONSchema.object(
        [
            JSONSchema.Member(
                "$", JSONSchema(.anyOf([.text, .list(of: .anything)])),
                "an expression, or the parts of a text that is joined")
        ], isClosed: true
    ).with(.required(["$"]))

    /// Members with their descriptions. Those without a schema of their table take any value.
    private static func object(
        _ words: [(name: String, about: String)], _ schemas: [String: JSONSchema], _ required: [String]
    ) -> JSONSchema {
        JSONSchema.object(
            words.map { JSONSchema.Member($0.name, schemas[$0.name] ?? .anything, $0.about) }, isClosed: true
        ).with(.required(required))
    }

    // MARK: - Elements

    private static func element(_ specs: [KindSpec]) -> JSONSchema {
        let names = specs.flatMap { [$0.name] + $0.aliases }
        let common = object(
            DocumentWords.element,
            [
                "kind": .text(offering: names), "payload": .object, "id": .text,
                "children": .list(of: .reference("element")), "slots": .map(of: .reference("element")),
                "items": .reference("items"), "on": .map(of: .reference("actions")), "theme": .reference("theme"),
                "style": JSONSchema(
                    .anyOf([
                        .reference("style"), .text, .list(of: JSONSchema(.anyOf([.reference("style"), .text]))),
                    ])),
                "fallback": .reference("element"),
            ], ["kind"])
        return common.with(.allOf(specs.map(rule)))
    }

    /// The payload, slots and events of elements of one kind.
    private static func rule(_ spec: KindSpec) -> JSONSchema {
        let isOfKind = JSONSchema.object([JSONSchema.Member("kind", .words([spec.name] + spec.aliases))])
            .with(.required(["kind"]))
        var payload = JSONSchema.object(members(spec.properties), isClosed: true)
        let required = spec.properties.filter { $0.isRequired }.map { $0.name }
        if !required.isEmpty { payload = payload.with(.required(required)) }
        let parts = [
            JSONSchema.Member("payload", payload.described(spec.about)),
            JSONSchema.Member(
                "slots",
                spec.hasFreeSlots
                    ? .map(of: .reference("element"))
                    : .object(
                        spec.slots.map { JSONSchema.Member($0.name, .reference("element"), $0.about) }, isClosed: true)
            ),
            JSONSchema.Member(
                "on",
                JSONSchema.object(
                    (spec.events + DocumentWords.elementEvents).map {
                        JSONSchema.Member($0.name, .reference("actions"), $0.about)
                    }, isClosed: true
                ).with(.membersLike(#"^change\(.+\)$"#, .reference("change")))),
        ]
        return JSONSchema(.when(isOfKind, then: JSONSchema.object(parts)))
    }

    private static func members(_ properties: [PropertySpec]) -> [JSONSchema.Member] {
        properties.map { property in
            let literal = schema(of: property.type)
            var schema =
                property.isBindable && property.type != .anything
                ? JSONSchema(.anyOf([path, expression, .reference("match"), literal])) : literal
            switch property.initial {
            case .text(let text): schema = schema.with(.initial(.text(text)))
            case .number(let number): schema = schema.with(.initial(.fraction(number)))
            case .flag(let flag): schema = schema.with(.initial(.flag(flag)))
            case nil: break
            }
            return JSONSchema.Member(property.name, schema, property.about)
        }
    }

    private static func schema(of type: PropertyType) -> JSONSchema {
        switch type {
        case .text: JSONSchema(.kinds([.string, .number, .boolean]))
        case .number: .number
        case .flag: .flag
        case .date:
            JSONSchema(
                .anyOf([
                    .text, .number,
                    .object([JSONSchema.Member("reference", .number, "seconds since 2001")], isClosed: true),
                ]))
        case .color: .text(offering: ColorWords.roles)
        case .choice(let words): .words(words)
        case .words(let words): JSONSchema(.anyOf([.words(words), .list(of: .words(words))]))
        case .length: length
        case .font: .text(offering: DocumentWords.fonts)
        case .binding: JSONSchema(.kinds([.string, .number, .boolean, .object]))
        case .sides:
            JSONSchema(
                .anyOf([
                    length,
                    .object(SideWords.all.map { JSONSchema.Member($0, length, "points") }, isClosed: true),
                ]))
        case .object: .object
        case .anything: .anything
        }
    }

    private static let length = JSONSchema(.kinds([.number, .string]))

    // MARK: - Themes

    private static let styles = JSONSchema.map(of: .reference("style"))

    private static var theme: JSONSchema {
        object(
            DocumentWords.theme,
            [
                "colors": .map(
                    of: JSONSchema(
                        .anyOf([
                            .text(offering: ColorWords.roles),
                            JSONSchema.object(
                                [
                                    JSONSchema.Member("light", .text, "the colour in light surroundings"),
                                    JSONSchema.Member("dark", .text, "the colour in dark surroundings"),
                                ], isClosed: true
                            ).with(.required(["light", "dark"])),
                        ]))),
                "fonts": .map(
                    of: JSONSchema(
                        .anyOf([
                            .text(offering: DocumentWords.fonts),
                            object(
                                DocumentWords.font,
                                [
                                    "style": .text(offering: DocumentWords.fonts), "size": .number, "weight": .number,
                                    "bold": .flag, "italic": .flag,
                                ], []),
                        ]))),
                "numbers": .map(of: .number), "styles": styles,
            ], [])
    }

    // MARK: - Actions and scenes

    private static var action: JSONSchema {
        JSONSchema(
            .kinds([.object]), .required(["do"]),
            .members([JSONSchema.Member("do", .words(DocumentWords.actions.map { $0.name }), "the action")]),
            .allOf(
                DocumentWords.actions.map { spec in
                    let required = spec.members.filter { $0.isRequired }.map { $0.name }
                    var form = JSONSchema.object(
                        [JSONSchema.Member("do", .anything), JSONSchema.Member("comment", .anything)]
                            + spec.members.map { member in
                                if member.name == "actions" {
                                    return JSONSchema.Member(member.name, .reference("buttons"), member.about)
                                }
                                return ["then", "else", "result"].contains(member.name)
                                    ? JSONSchema.Member(member.name, .reference("actions"), member.about)
                                    : members([member])[0]
                            }, isClosed: true
                    ).described(spec.about)
                    if !required.isEmpty { form = form.with(.required(required)) }
                    return JSONSchema(
                        .when(JSONSchema.object([JSONSchema.Member("do", .words([spec.name]))]), then: form))
                }))
    }

    /// The members by which a scene makes statements about the widget.
    private static var terms: [String: JSONSchema] {
        let link = members(TermWords.link).map { member in
            switch member.name {
            case "reveal":
                JSONSchema.Member(
                    member.name,
                    JSONSchema.object(members(TermWords.reveal), isClosed: true).with(.required(["list", "key"])),
                    "the row that it leads to")
            case "parameters": JSONSchema.Member(member.name, .map(of: .text), "the parameters that parts are")
            default: member
            }
        }
        let condition = JSONSchema(.anyOf([path, expression, .flag]))
        return [
            "modes": names(TermWords.modes), "needs": names(TermWords.abilities), "groups": texts,
            "visible": condition, "watch": value,
            "insets": .object(members(TermWords.insets), isClosed: true),
            "update": .object(members(TermWords.update), isClosed: true),
            "links": .map(
                of: JSONSchema(
                    .anyOf([.text, JSONSchema.object(link, isClosed: true).with(.required(["pattern"]))]))),
        ]
    }

    /// One word or a list of them.
    private static func names(_ words: [String]) -> JSONSchema {
        JSONSchema(.anyOf([.words(words), .list(of: .words(words))]))
    }

    private static let texts = JSONSchema(.anyOf([.text, .list(of: .text)]))

    private static var scene: JSONSchema {
        object(
            DocumentWords.scene,
            [
                "schema": JSONSchema(.constant(.number(DocumentWords.schemaVersion))), "$schema": .text, "id": .text,
                "title": JSONSchema(.kinds([.string, .object])), "persist": texts, "bar": .flag, "parameters": .object,
                "state": .object,
                "sources": .map(of: .reference("source")),
                "components": .map(of: .reference("component")), "theme": .reference("theme"), "styles": styles,
                "on": .object(
                    DocumentWords.sceneEvents.map { JSONSchema.Member($0.name, .reference("actions"), $0.about) },
                    isClosed: true),
                "root": JSONSchema(.anyOf([.list(of: .reference("element")), .reference("element")])),
            ].merging(terms) { first, _ in first }, ["schema", "root"])
    }
}
