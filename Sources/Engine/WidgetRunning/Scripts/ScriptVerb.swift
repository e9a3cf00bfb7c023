package import JSONText

/// The kinds of steps in a script, as messages and editors name them.
enum ScriptVerb: String, CaseIterable, Sendable {
    case tap, input, submit, select, delete, scroll, refresh, pick, back, answer, link, wait, expect, expectNot,
        snapshot

    /// A member that a step has beside its verb.
    struct Companion: Sendable {
        var name: String
        var schema: JSONSchema
        var isRequired = false
    }

    /// The value of the verb.
    var schema: JSONSchema {
        switch self {
        case .tap: .text.described("touches the element of this name, such as a button")
        case .input: .text.described("types into the element of this name; value is the text")
        case .submit: .text.described("presses return in the element of this name")
        case .select: .text.described("touches a row of the list of this name; row counts from 0")
        case .delete: .text.described("deletes a row of the list of this name; row counts from 0")
        case .scroll: .text.described("scrolls the list of this name to its end, or to its start")
        case .refresh: .text.described("pulls the list of this name down")
        case .pick: .text.described("gives the button of this name a picture or a film; file is its path")
        case .back:
            JSONSchema(.constant(.flag(true)), about: "goes back to the screen before, or closes what was presented")
        case .answer: .text.described("taps the button of this title in the alert in front of the screen")
        case .link: .text.described("follows a link that the widget declares, or lets the host open the address")
        case .wait:
            JSONSchema.number.with(
                .range(atLeast: Int(ScriptStep.waits.lowerBound), atMost: Int(ScriptStep.waits.upperBound))
            ).described("lets this number of seconds pass")
        case .expect: .text.described("ends the script with an error unless the screen shows this text")
        case .expectNot: .text.described("ends the script with an error if the screen shows this text")
        case .snapshot: .text.described("prints the screen under this name")
        }
    }

    var companions: [Companion] {
        switch self {
        case .refresh, .back, .answer, .link, .wait, .expect, .expectNot, .snapshot: []
        case .tap, .submit:
            [Companion(name: "refused", schema: .flag.described("true if a form has to refuse it"))]
        case .input: [Companion(name: "value", schema: .text.described("the text that is typed"), isRequired: true)]
        case .select, .delete:
            [
                Companion(
                    name: "row", schema: ScriptVerb.place.described("the row in its section, counted from 0"),
                    isRequired: true),
                Companion(
                    name: "section",
                    schema: ScriptVerb.place.with(.initial(.number(0))).described("the section, counted from 0")),
            ]
        case .scroll:
            [
                Companion(
                    name: "to",
                    schema: JSONSchema.words(["end", "start"]).with(.initial(.text("end")))
                        .described("the end of the list, or its start"))
            ]
        case .pick:
            [Companion(name: "file", schema: .text.described("the path of a picture or a film"), isRequired: true)]
        }
    }

    private static let place = JSONSchema(.kinds([.integer]), .range(atLeast: 0))

    /// All verbs with what each needs, for messages.
    static let sentence: String = {
        let names = allCases.map { verb in
            let needed = verb.companions.filter { $0.isRequired }.map { $0.name }
            return needed.isEmpty ? verb.rawValue : "\(verb.rawValue) with \(needed.joined(separator: " and "))"
        }
        return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }()
}

extension EventScript {
    /// The description of scripts for editors.
    package static let schema: JSONSchemaDocument = {
        var members = ScriptVerb.allCases.map { JSONSchema.Member($0.rawValue, $0.schema) }
        var names = Set(members.map { $0.name })
        var needs: [String: [String]] = [:]
        for verb in ScriptVerb.allCases {
            for companion in verb.companions where names.insert(companion.name).inserted {
                members.append(JSONSchema.Member(companion.name, companion.schema))
            }
            let needed = verb.companions.filter { $0.isRequired }.map { $0.name }
            if !needed.isEmpty { needs[verb.rawValue] = needed }
        }
        let step = JSONSchema.object(members).with(
            .companions(needs), .oneOf(ScriptVerb.allCases.map { JSONSchema(.required([$0.rawValue])) })
        ).described("a step: one verb, and what it needs")
        return JSONSchemaDocument(
            "Event script of a widget",
            JSONSchema.list(of: .reference("step")).described("steps that are played one after the other"),
            definitions: [JSONSchema.Member("step", step)])
    }()
}
