import JSONText
import Testing
import WidgetBuild
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

/// A file that an author wrote, and the schema for it.
struct AuthoredSpecimen: CustomTestStringConvertible {
    var schema: AuthoredSchema
    var path: String
    /// As it was written; of a part of a file, what is left of it.
    var text: String

    var testDescription: String { path }

    init(_ schema: AuthoredSchema, _ path: String, _ text: String) {
        (self.schema, self.path, self.text) = (schema, path, text)
    }

    /// The schemes and services of a bundle. Other files are data.
    static func files(_ files: [String: [UInt8]], in folder: String) -> [AuthoredSpecimen] {
        files.sorted { $0.key < $1.key }.compactMap { path, bytes in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard name.hasSuffix(".json"), !path.contains(".xcassets/") else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            if ["Service.json", "Service.dev.json", "StubService.json"].contains(name) {
                return AuthoredSpecimen(.service, "\(folder)/\(path)", text)
            }
            let isScheme = (try? PlainJSON(bytes))?[String(name.dropLast(5))] != nil
            return isScheme ? AuthoredSpecimen(.scheme, "\(folder)/\(path)", text) : nil
        }
    }

    /// The scheme and the service that a file of the corpus has side by side.
    private static func parts(_ file: Corpus) -> [AuthoredSpecimen] {
        guard let root = (try? JSONValue(parsing: file.bytes))?.object else { return [] }
        let service: Set<String> = ["defaults", "actions", "options", "auth"]
        func text(_ isWanted: (String) -> Bool) -> String {
            var writer = JSONWriter()
            writer.object { writer in
                for member in root.members where isWanted(member.name) { writer.member(member.name, member.value) }
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        return [
            AuthoredSpecimen(.scheme, file.name, text { !service.contains($0) }),
            AuthoredSpecimen(.service, "\(file.name), service", text(service.contains)),
        ]
    }

    /// All schemes, services and scripts of the repository, and those of a new bundle.
    static let own: [AuthoredSpecimen] = {
        let starter = Starter(named: "Fresh")?.files ?? []
        let scripts = (Corpus.files(in: "scripts") + Corpus.files(in: "samples")).filter { $0.name.hasSuffix(".json") }
        return files(Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles"), in: "Bundles")
            + files(Dictionary(starter.map { ($0.path, $0.bytes) }) { first, _ in first }, in: "Fresh")
            + Corpus.files(in: "schemes").flatMap(parts)
            + scripts.map { AuthoredSpecimen(.script, $0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    }()
}

/// A mistake that an editor shows, and the JSON Pointer of the place where it does.
struct AuthoredMistake: CustomTestStringConvertible {
    var schema: AuthoredSchema
    var about: String
    var json: String
    var pointer: String

    var testDescription: String { about }

    /// In the scheme of a screen called `Main`.
    private static func scheme(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        AuthoredMistake(schema: .scheme, about: about, json: "{\"Main\": {\(members)}}", pointer: "/Main\(pointer)")
    }

    private static func object(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        scheme(about, "\"objects\": {\"x\": {\(members)}}", at: "/objects/x\(pointer)")
    }

    private static func element(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        scheme(about, "\"elements\": {\"name\": {\(members)}}", at: "/elements/name\(pointer)")
    }

    private static func action(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        AuthoredMistake(
            schema: .service, about: about,
            json: "{\"actions\": {\"go\": {\"response\": {}, \(members)}}}", pointer: "/actions/go\(pointer)")
    }

    private static func service(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        AuthoredMistake(schema: .service, about: about, json: "{\(members)}", pointer: pointer)
    }

    private static func step(_ about: String, _ step: String, at pointer: String = "") -> AuthoredMistake {
        AuthoredMistake(schema: .script, about: about, json: "[{\"wait\": 1}, \(step)]", pointer: "/1\(pointer)")
    }

    static let all = schemes + services + scripts + manifests

    private static let provider = #""type": "ManagedObjectsProvider""#
    private static let table = #""type": "TableDisplayController""#

    static let schemes = [
        scheme("object for objects", #""object": {}"#, at: "/object"),
        scheme("objects as an array", #""objects": []"#, at: "/objects"),
        scheme("elements as a text", #""elements": "name""#, at: "/elements"),
        scheme("settings as an array", #""defaults": [1]"#, at: "/defaults"),
        scheme("an object that is a text", #""objects": {"x": "ManagedObjectsProvider"}"#, at: "/objects/x"),
        object("no type", #""attrs": {}"#, at: ""),
        object("a misspelt class", #""type": "TableDisplayControler""#, at: "/type"),
        object("a class without objects", #""type": "CustomIBObject""#, at: "/type"),
        object("a type that is a number", #""type": 1"#, at: "/type"),
        object("a key that objects do not have", #"\#(provider), "attributes": {}"#, at: "/attributes"),
        object("attributes as an array", #"\#(provider), "attrs": []"#, at: "/attrs"),
        object("a misspelt attribute", #"\#(provider), "attrs": {"entityNam": "Note"}"#, at: "/attrs/entityNam"),
        object(
            "sortByField", #"\#(provider), "attrs": {"entityName": "Note", "sortByField": "a"}"#,
            at: "/attrs/sortByField"),
        object(
            "an attribute of another class", #"\#(table), "attrs": {"entityName": "Note"}"#, at: "/attrs/entityName"),
        object("a number to sort by", #"\#(provider), "attrs": {"sortByFields": 7}"#, at: "/attrs/sortByFields"),
        object("an array to sort by", #"\#(provider), "attrs": {"sortByFields": ["a"]}"#, at: "/attrs/sortByFields"),
        object(
            "a word for a truth value", #"\#(provider), "attrs": {"sortAscending": "down"}"#, at: "/attrs/sortAscending"
        ),
        object(
            "a predicate that is an object", #"\#(provider), "attrs": {"predicateFormat": {}}"#,
            at: "/attrs/predicateFormat"),
        object("words for a number", #"\#(provider), "attrs": {"fetchLimit": "many"}"#, at: "/attrs/fetchLimit"),
        object("a chain that is a number", #"\#(provider), "attrs": {"resultChain": 1}"#, at: "/attrs/resultChain"),
        object("a misspelt outlet", #"\#(table), "outlets": {"tableVeiw": "list"}"#, at: "/outlets/tableVeiw"),
        object(
            "an outlet that leads to a number", #"\#(table), "outlets": {"tableView": 3}"#, at: "/outlets/tableView"),
        object(
            "a list of outlets with a number", #"\#(table), "outlets": {"elements": ["name", 3]}"#,
            at: "/outlets/elements/1"),
        object(
            "an outlet of a provider that displays have", #"\#(provider), "outlets": {"tableView": "list"}"#,
            at: "/outlets/tableView"),
        object(
            "an expression for another attribute", #"\#(table), "evals": {"maxHeight": {"from": "content"}}"#,
            at: "/evals/maxHeight"),
        object(
            "a misspelt key in an expression", #"\#(table), "evals": {"cellIdentifier": {"form": "content"}}"#,
            at: "/evals/cellIdentifier/form"),
        element("bindings as an object", #""bindings": {"from": "content.name"}"#, at: "/bindings"),
        element("a binding that is a text", #""bindings": ["content.name"]"#, at: "/bindings/0"),
        element(
            "placehoder", #""bindings": [{"from": "content.name", "placehoder": "?"}]"#, at: "/bindings/0/placehoder"),
        element("a way that is an array", #""bindings": [{"from": ["content", "name"]}]"#, at: "/bindings/0/from"),
        element(
            "a transformer that is an object", #""bindings": [{"transformer": {}}]"#, at: "/bindings/0/transformer"),
        element("binding for bindings", #""binding": []"#, at: "/binding"),
        element("an action without a selector", #""action": {"target": "@self"}"#, at: "/action"),
        element("an action that is a text", #""action": "dismissAction:""#, at: "/action"),
        element(
            "an outlet that leads to an object", #""outlets": {"mandatoryFields": {}}"#, at: "/outlets/mandatoryFields"),
        scheme(
            "a screen's misspelt attribute", #""elements": {"@self": {"attrs": {"titel": "x"}}}"#,
            at: "/elements/@self/attrs/titel"),
        scheme(
            "a screen's provider that is a number",
            #""elements": {"@self": {"attrs": {"serviceProviderClassName": 1}}}"#,
            at: "/elements/@self/attrs/serviceProviderClassName"),
        scheme(
            "a screen's unknown outlet", #""elements": {"@self": {"outlets": {"table": "list"}}}"#,
            at: "/elements/@self/outlets/table"),
        scheme(
            "a screen's binding to nothing it has",
            #""elements": {"@self": {"bindings": [{"to": "wx_value", "from": "content"}]}}"#,
            at: "/elements/@self/bindings/0/to"),
    ]

    static let services = [
        service("action for actions", #""action": {}"#, at: "/action"),
        service("actions as an array", #""actions": []"#, at: "/actions"),
        service("baseURL", #""defaults": {"baseURL": "https://x.example"}"#, at: "/defaults/baseURL"),
        service("a delay in words", #""options": {"debugDelay": "short"}"#, at: "/options/debugDelay"),
        service(
            "a style of dates that does not exist",
            #""options": {"transformers": {"date": {"d": {"dateStyle": "tiny"}}}}"#,
            at: "/options/transformers/date/d/dateStyle"),
        service(
            "a transformer that is a text", #""options": {"transformers": {"date": {"d": "yyyy"}}}"#,
            at: "/options/transformers/date/d"),
        service("an authorization with a token", #""auth": {"token": "secret"}"#, at: "/auth/token"),
        action("afterwards", #""clearPolicy": "afterwards""#, at: "/clearPolicy"),
        action("FETCH", #""httpMethod": "FETCH""#, at: "/httpMethod"),
        action("method", #""method": "GET""#, at: "/method"),
        action("a path that is a list", #""path": ["a"]"#, at: "/path"),
        action("half a bracket", #""resultType": "[Note""#, at: "/resultType"),
        action("headers as a list", #""headers": ["A: b"]"#, at: "/headers"),
        action("parameters in the address", #""parametersIn": "address""#, at: "/parametersIn"),
        action("later", #""offline": "later""#, at: "/offline"),
        action("a part that is a number", #""multipart": {"media": 1}"#, at: "/multipart/media"),
        action("changes as an object", #""records": {"delete": "Note"}"#, at: "/records"),
        action("a change of nothing", #""records": [{"where": "a = 1"}]"#, at: "/records/0"),
        action(
            "a change that deletes too", #""records": [{"delete": "Note", "change": "Note", "set": {"a": 1}}]"#,
            at: "/records/0"),
        action("a change without values", #""records": [{"change": "Note"}]"#, at: "/records/0"),
        action(
            "a change with a misspelt condition", #""records": [{"delete": "Note", "were": "a = 1"}]"#,
            at: "/records/0/were"),
    ]

    static let scripts = [
        AuthoredMistake(schema: .script, about: "a step without its list", json: #"{"tap": "a"}"#, pointer: ""),
        step("an unknown step", #"{"tpa": "save"}"#),
        step("a step that is a text", #""back""#),
        step("two verbs in one step", #"{"tap": "a", "expect": "b"}"#),
        step("an input without a value", #"{"input": "field"}"#),
        step("a row that is a text", #"{"select": "list", "row": "1"}"#, at: "/row"),
        step("a row below the first", #"{"select": "list", "row": -1}"#, at: "/row"),
        step("no row", #"{"delete": "list", "section": 0}"#),
        step("a wait that is a text", #"{"wait": "1"}"#, at: "/wait"),
        step("a wait into the past", #"{"wait": -1}"#, at: "/wait"),
        step("back to no screen", #"{"back": false}"#, at: "/back"),
        step("no way to scroll", #"{"scroll": "list", "to": "middle"}"#, at: "/to"),
        step("a picture without a file", #"{"pick": "add"}"#),
    ]

    static let manifests = [
        manifest("no identifier", #""CFBundleName": "A""#, at: ""),
        manifest("an identifier of one label", #""CFBundleIdentifier": "Sample""#, at: "/CFBundleIdentifier"),
        manifest(
            "a version that is a number", #""CFBundleIdentifier": "a.b", "CFBundleVersion": 1"#, at: "/CFBundleVersion"),
        manifest(
            "a version in words", #""CFBundleIdentifier": "a.b", "CFBundleVersion": "the first""#,
            at: "/CFBundleVersion"),
        manifest(
            "a name with a line break", #""CFBundleIdentifier": "a.b", "CFBundleName": "a\nb""#, at: "/CFBundleName"),
    ]

    private static func manifest(_ about: String, _ members: String, at pointer: String) -> AuthoredMistake {
        AuthoredMistake(schema: .manifest, about: about, json: "{\(members)}", pointer: pointer)
    }
}
