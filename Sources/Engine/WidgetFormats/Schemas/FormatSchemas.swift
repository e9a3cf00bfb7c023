package import JSONText
internal import WidgetCore

/// The descriptions of schemes and service descriptions for editors, made of the tables that the readers use.
package enum FormatSchemas {
    private static let plain = KindSchema(absent: AuthoredDefaults.services)
    private static let coercing = KindSchema(coerces: true, absent: AuthoredDefaults.attributes)

    // MARK: - Services

    package static let service = JSONSchemaDocument(
        "Service description of a widget",
        plain.object(
            ServiceKeys.file,
            changing: [
                "defaults": .reference("defaults"),
                "actions": plain.object([], named: .reference("action")),
                "options": .reference("options"), "auth": .reference("auth"),
            ]
        ).described("the actions of a widget, and the requests that they send"),
        definitions: [
            JSONSchema.Member(
                "defaults", plain.object(ServiceKeys.defaults, changing: ["httpMethod": method]),
                "members that all actions have"),
            JSONSchema.Member(
                "action",
                plain.object(
                    ServiceKeys.action, changing: ["httpMethod": method, "records": .list(of: .reference("change"))]),
                "an action"),
            JSONSchema.Member("change", change, "a change of stored records"),
            JSONSchema.Member("options", plain.object(ServiceKeys.options), "settings of the service"),
            JSONSchema.Member("auth", plain.object(ServiceKeys.authorization), "the authorization of actions"),
        ])

    /// A method in letters of either case.
    private static let method: JSONSchema = {
        let patterns = ServiceKeys.methods.map { name in name.map { "[\($0)\($0.lowercased())]" }.joined() }
        return plain.schema(of: .text).with(
            .suggestions(ServiceKeys.methods), .pattern("^(\(patterns.joined(separator: "|")))$"))
    }()

    /// A change deletes the records of an entity, or sets attributes of them.
    private static let change = plain.object(ServiceKeys.change).with(
        .oneOf([JSONSchema(.required(["delete"])), JSONSchema(.required(["change", "set"]))]))

    // MARK: - Schemes

    package static let scheme = JSONSchemaDocument(
        "Schemes of a widget's screens",
        JSONSchema.object.with(
            .members(plain.members([SchemeKeys.schema])),
            .others(JSONSchema(.when(.object, then: .reference("scheme"))))
        ).described("schemes by the restoration identifiers of their screens; other members are comments"),
        definitions: [
            JSONSchema.Member(
                "scheme",
                plain.object(
                    SchemeKeys.scheme,
                    changing: [
                        "objects": plain.object([], named: .reference("object")),
                        "elements": JSONSchema.object.with(
                            .members([JSONSchema.Member("@self", .reference("screen")), KindSchema.comment]),
                            .others(.reference("element"))),
                    ]), "the scheme of a screen"),
            JSONSchema.Member("object", object, "a mediator"),
            JSONSchema.Member("element", element, "what is added to an element of the screen or of its rows"),
            JSONSchema.Member("screen", screen, "what is added to the screen itself"),
            JSONSchema.Member(
                "binding", plain.object(SchemeKeys.binding, changing: ["to": property]),
                "a way from a value to a property"),
            JSONSchema.Member("evaluation", plain.object(SchemeKeys.evaluation), "an expression"),
            JSONSchema.Member("targets", plain.schema(of: .targets), "a name, or an array of names"),
        ] + classes)

    /// The members depend on the class.
    private static let object = plain.object(
        SchemeKeys.object,
        changing: [
            "type": JSONSchema(
                .anyOf(
                    SchemeKeys.types.map { name in
                        JSONSchema(.constant(.text(name)), about: MediatorClass.all[name]?.line)
                    })),
            "evals": .object(
                SchemeKeys.evaluated.map { JSONSchema.Member($0, .reference("evaluation")) } + [KindSchema.comment],
                isClosed: true),
        ]
    ).with(
        .required(["type"]),
        .allOf(
            SchemeKeys.types.map { name in
                let isOfClass = JSONSchema(
                    .members([JSONSchema.Member("type", JSONSchema(.constant(.text(name))))]), .required(["type"]))
                let owner = describing(name)
                let members = [
                    JSONSchema.Member("attrs", .reference("\(owner).attrs")),
                    JSONSchema.Member("outlets", .reference("\(owner).outlets")),
                ]
                return JSONSchema(.when(isOfClass, then: JSONSchema(.members(members))))
            }))

    /// The class whose definition describes a class: the nearest of its lineage that adds something.
    private static func describing(_ name: String) -> String {
        MediatorClass.lineage(of: name).first(where: adds) ?? MediatorClass.root
    }

    private static func adds(_ name: String) -> Bool {
        MediatorClass.all[name].map { !$0.attributes.isEmpty || !$0.outlets.isEmpty } ?? false
    }

    /// The attributes and outlets of the classes. An attribute's name may be a key path through an outlet.
    private static let classes: [JSONSchema.Member] = Set(SchemeKeys.types.map(describing)).sorted().flatMap { name in
        let outlets = MediatorClass.outlets(of: name)
        let paths = outlets.map { $0.name }.joined(separator: "|")
        let attributes = coercing.object(MediatorClass.attributes(of: name))
        return [
            JSONSchema.Member(
                "\(name).attrs",
                paths.isEmpty ? attributes : attributes.with(.membersLike("^(\(paths))\\.", .anything)),
                "attributes of \(name)"),
            JSONSchema.Member(
                "\(name).outlets",
                .object(
                    outlets.map { JSONSchema.Member($0.name, plain.schema(of: .targets), $0.line) }
                        + [KindSchema.comment],
                    isClosed: true),
                "outlets of \(name)"),
        ]
    }

    /// The target of a binding. Elements have more properties than those that are offered.
    private static let property = plain.schema(of: .keyPath).with(
        .suggestions([WidgetKitVocabulary.valueKey] + ElementAttributes.all.map { $0.name }),
        .initial(.text(WidgetKitVocabulary.valueKey)))

    private static let element = plain.object(
        SchemeKeys.element,
        changing: [
            "attrs": JSONSchema.object.with(.members(coercing.members(ElementAttributes.all))),
            "bindings": .list(of: .reference("binding")),
            "outlets": plain.object([], named: .reference("targets")),
            "action": plain.object(SchemeKeys.action).with(
                .anyOf([
                    JSONSchema(.required(["target", "selector"])), JSONSchema(.required([SchemeKeys.document])),
                ])),
        ])

    private static let screen: JSONSchema = {
        let plainNames = SchemeKeys.plainScreenNames.sorted().map {
            JSONSchema.Member($0, .anything, "accepted, and of no effect here")
        }
        let attributes = JSONSchema.object(coercing.members(SchemeKeys.screen) + plainNames, isClosed: true)
        let outlets = JSONSchema.object(
            SchemeKeys.screenOutlets.map {
                JSONSchema.Member($0, plain.schema(of: .targets), "an element of the screen")
            }
                + [KindSchema.comment],
            isClosed: true)
        let patterns = SchemeKeys.screenTargets.map { $0.hasSuffix(".") ? "\($0.dropLast())\\..+" : $0 }
        let target = JSONSchema.text.with(
            .pattern("^(\(patterns.joined(separator: "|")))$"),
            .suggestions(SchemeKeys.screenTargets.filter { !$0.hasSuffix(".") }))
        let binding = plain.object(SchemeKeys.binding, changing: ["to": target]).with(.required(["to"]))
        // A screen has no value to check, and documents fill views.
        let notOfScreens = [SceneAssembly.validationKey, SchemeKeys.document, SchemeKeys.documentValues]
        return plain.object(
            SchemeKeys.element.filter { !notOfScreens.contains($0.name) },
            changing: ["attrs": attributes, "outlets": outlets, "bindings": .list(of: binding)])
    }()
}
