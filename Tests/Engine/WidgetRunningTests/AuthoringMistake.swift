import Testing

/// A mistake that an author makes in one place of a source, and its report.
struct AuthoringMistake: Sendable, CustomTestStringConvertible {
    var name: String
    var file: String
    var wrong: (old: String, new: String)
    var code: String
    var message: String
    /// The text that the reported place is the beginning of; `nil` for a file without lines.
    var at: String?
    /// A part of the hint; `nil` without a hint.
    var hint: String?
    /// True if the message itself says what belongs there.
    var saysWhat = false
    var reportedFile: String

    init(
        _ name: String, _ file: String, _ old: String, _ new: String, _ code: String, _ message: String,
        at: String? = nil, hint: String? = nil, saysWhat: Bool = false, in reportedFile: String? = nil
    ) {
        self.name = name
        self.file = file
        wrong = (old, new)
        self.code = code
        self.message = message
        self.at = at
        self.hint = hint
        self.saysWhat = saysWhat
        self.reportedFile = reportedFile ?? file
    }

    var testDescription: String { name }

    /// 2 for what and where, 3 with what to do next.
    var score: Int { hint != nil || saysWhat ? 3 : 2 }

    /// Sources with the mistake. Without a text to replace, the file gets another name or only its first half stays.
    func applied(to sources: [String: String]) throws -> [String: String] {
        var sources = sources
        let text = try #require(sources[file])
        switch wrong.old {
        case "name":
            sources[file] = nil
            sources[wrong.new] = text
        case "half": sources[file] = String(text.prefix(text.count / 2))
        default:
            try #require(text.contains(wrong.old), "\(name)")
            sources[file] = text.replacing(wrong.old, with: wrong.new, maxReplacements: 1)
        }
        return sources
    }

    private static let (list, detail, service) = ("List.json", "Detail.json", "StubService.json")
    private static let (board, plist) = ("Main.storyboard", "Info.plist")
    private static let model = "Model.xcdatamodeld/Model.xcdatamodel/contents"

    static let all = trial + more

    /// The 39 mistakes of a first trial.
    static let trial = [
        AuthoringMistake(
            "comma missing in a scheme", list, #""Memo", "sort"#, #""Memo" "sort"#, "bad-file", "expected ','",
            at: #""sortByFields""#, saysWhat: true),
        AuthoringMistake(
            "comma missing in a service", service, #""memos", "http"#, #""memos" "http"#, "bad-file", "expected ','",
            at: #""httpMethod""#, saysWhat: true),
        AuthoringMistake(
            "key twice", list, #""people": {"#, #""memos": {}, "people": {"#, "bad-file", "already has a member memos",
            at: #""memos": {}"#),
        AuthoringMistake(
            "attribute", list, #""entityName": "Memo""#, #""entityNam": "Memo""#, "unknown-key",
            "ManagedObjectsProvider has no entityNam", at: #""entityNam""#, hint: "did you mean entityName?"),
        AuthoringMistake(
            "another attribute", list, "sortByFields", "sortByField", "unknown-key", "has no sortByField",
            at: #""sortByField""#, hint: "sortByFields"),
        AuthoringMistake(
            "outlet", list, #""tableView": "#, #""tableVeiw": "#, "unknown-outlet", "has no outlet tableVeiw",
            at: #""tableVeiw""#, hint: "tableView"),
        AuthoringMistake(
            "outlet to an unknown object", list, #"Provider": "memos""#, #"Provider": "memoz""#, "unknown-object",
            "leads to memoz, which is not on the screen", at: #""mainContentProvider""#, hint: "did you mean memos?"),
        AuthoringMistake(
            "outlet to an unknown element", list, #": "table""#, #": "tabel""#, "unknown-object", "leads to tabel",
            at: #""tableView""#, hint: "did you mean table?"),
        AuthoringMistake(
            "key path", list, "content.title", "content.titel", "unknown-key", "Memo has no titel",
            at: #"{ "from": "content.titel""#, hint: "did you mean title?"),
        AuthoringMistake(
            "sort field", list, #"Fields": "title""#, #"Fields": "titel""#, "unknown-key", "Memo has no titel",
            at: #""sortByFields""#, hint: "did you mean title?"),
        AuthoringMistake(
            "class of an object", list, "TableDisplayController", "TableDisplayControler", "unknown-class",
            "Unknown mediator TableDisplayControler", at: #""display""#, hint: "did you mean TableDisplayController?"),
        AuthoringMistake(
            "entity", list, #""entityName": "Memo""#, #""entityName": "Memoo""#, "unknown-entity", "memos shows Memoo",
            at: #""entityName""#, hint: "did you mean Memo?"),
        AuthoringMistake(
            "entity of a result", service, "[Memo]", "[Memoo]", "unknown-entity", "memos gives Memoo",
            at: #""[Memoo]""#,
            hint: "did you mean Memo?"),
        AuthoringMistake(
            "operator", list, "CONTAINS", "CONTANS", "bad-predicate", "CONTANS is not an operator",
            at: #""filterFormat""#,
            hint: "CONTAINS"),
        AuthoringMistake(
            "parenthesis", list, "title CONTAINS", "(title CONTAINS", "bad-predicate", "never closed",
            at: #""filterFormat""#, saysWhat: true),
        AuthoringMistake(
            "variable", list, "$input", "$inptu", "bad-predicate", "Nothing gives $inptu a value", at: "$inptu",
            hint: "$input"),
        AuthoringMistake(
            "action", list, #""actionName": "memos""#, #""actionName": "memoz""#, "unknown-action",
            "StubServiceProvider has no action memoz", at: #""actionName""#, hint: "did you mean memos?"),
        AuthoringMistake(
            "element", list, #""titleText""#, #""titelText""#, "unknown-object",
            "No element of this screen is called titelText", at: #""titelText""#, hint: "did you mean titleText?"),
        AuthoringMistake(
            "key of a binding", list, "placeholder", "placehoder", "unknown-key", "has no use for placehoder",
            at: #""placehoder""#, hint: "did you mean placeholder?"),
        AuthoringMistake(
            "name of a scheme's file", list, "name", "Lisst.json", "missing-file", "The screen List has no scheme",
            hint: "call the file List.json", in: "Lisst.json"),
        AuthoringMistake(
            "name of a scheme", list, #""List""#, #""Lisst""#, "scheme-name", "no scheme under the name List",
            at: #""Lisst""#, hint: "call Lisst List"),
        AuthoringMistake(
            "picture", list, #""ifTrue": "star""#, #""ifTrue": "stra""#, "unknown-image", "no picture called stra",
            at: #"{ "to": "image""#, hint: "did you mean star?"),
        AuthoringMistake(
            "segue to nowhere", board, "Detail-controller\" kind", "Details\" kind", "build",
            "the segue leads to no screen",
            at: "<segue destination=\"Details\""),
        AuthoringMistake("id twice", board, #"id="reload""#, #"id="table""#, "build", "table", at: nil),
        AuthoringMistake(
            "elements not nested", board, "</tableView>", "</tableVeiw>", "build", "expected the end of tableView",
            at: "</tableVeiw>", saysWhat: true),
        AuthoringMistake(
            "element without a meaning", board, "</subviews></view>\n<navigationItem",
            "<lable/></subviews></view>\n<navigationItem", "build", "lable", at: "<lable/>"),
        AuthoringMistake(
            "class in the storyboard", board, "StandardViewController", "StandardViewControler", "unknown-class",
            "no class StandardViewControler", hint: "did you mean StandardViewController?"),
        AuthoringMistake(
            "no identifier", plist, "<key>CFBundleIdentifier</key><string>com.example.Mistakes</string>", "", "build",
            "CFBundleIdentifier is missing", hint: "com.example"),
        AuthoringMistake(
            "broken manifest", plist, "</dict>", "", "build", "expected the end of dict", at: "</plist>", saysWhat: true
        ),
        AuthoringMistake(
            "type of an attribute", model, #""String""#, #""Text""#, "build", "the type Text is unknown", at: nil),
        AuthoringMistake("model cut", model, "half", "", "build", "", at: nil),
        AuthoringMistake(
            "no screen to begin with", board, #" initialViewController="stack""#, "", "format",
            "names no screen to begin with"),
        AuthoringMistake(
            "policy", service, #""after""#, #""afterwards""#, "bad-value", "The clear policy afterwards does not exist",
            at: #""memos""#, hint: "none, before or after"),
        AuthoringMistake(
            "number for a text", list, #""sortByFields": "title""#, #""sortByFields": 7"#, "bad-value",
            "sortByFields is a number", at: #""sortByFields""#, hint: "field names"),
        AuthoringMistake(
            "own master", list, #""Person" } }"#, #""Person" }, "outlets": { "masterObject": "people" } }"#,
            "binding-cycle",
            "people is its own master", at: #""masterObject""#, hint: "leads to content"),
        AuthoringMistake(
            "transformer", detail, "toString", "toSting", "unknown-transformer", "Unknown transformer toSting",
            at: #"{ "from""#, hint: "did you mean toString?"),
        AuthoringMistake(
            "object for objects", list, #""objects""#, #""object""#, "unknown-key", "A scheme has no use for object",
            at: #""object""#, hint: "did you mean objects?"),
        AuthoringMistake(
            "no type", list, #""type": "OnLoadActionController", "#, "", "unknown-class",
            "Unknown mediator without a type",
            at: #""load""#, hint: "type names its class"),
        AuthoringMistake(
            "bindings an object", detail, #"[ { "from": "content.author.name", "transformer": "toString" } ]"#,
            #"{ "from": "content.author.name" }"#, "bad-value", "bindings is an object", at: #""bindings""#,
            hint: "an array of objects"),
    ]

    static let more = [
        AuthoringMistake(
            "objects an array", list, #"{ "List": {"#, #"{ "List": { "elements": [],"#, "bad-file",
            "already has a member",
            at: #""elements": {"#),
        AuthoringMistake(
            "group field", list, #""sortByFields": "title""#, #""groupByField": "titel""#, "unknown-key",
            "Memo has no titel",
            at: #""groupByField""#, hint: "did you mean title?"),
        AuthoringMistake(
            "selector", detail, "backAction:", "bakcAction:", "unknown-selector",
            "close sends bakcAction: to the screen",
            at: #"{ "target""#, hint: "did you mean backAction?"),
        AuthoringMistake(
            "target", detail, #""target": "@self", "selector": "backAction:""#,
            #""target": "bdy", "selector": "performAction""#, "unknown-object", "bdy, which is not on the screen",
            at: #"{ "target""#, hint: "did you mean body?"),
        AuthoringMistake(
            "action without a selector", detail, #", "selector": "backAction:""#, "", "bad-value", "has no selector",
            at: #"{ "target""#, hint: "dismissAction:"),
        AuthoringMistake(
            "outlet of another kind of value", list, #""tableView": "table""#, #""tableView": 1"#, "bad-value",
            "tableView is a number", at: #""tableView""#, hint: "a name"),
        AuthoringMistake(
            "outlet to an object of another kind", list, #"Provider": "memos""#, #"Provider": "load""#,
            "unknown-object", "load, which is not a content provider", at: #""mainContentProvider""#,
            hint: "the screen has memos, people"),
        AuthoringMistake(
            "text for a number", list, "likes >= 0", "likes CONTAINS 'x'", "bad-predicate", "CONTAINS compares texts",
            at: "likes CONTAINS", hint: "likes is a number"),
        AuthoringMistake(
            "number for a text in a predicate", list, "likes >= 0", "title = 5", "bad-predicate", "This is never true",
            at: "title = 5", hint: "title is a text"),
        AuthoringMistake(
            "key of a filter", list, "title CONTAINS", "titel CONTAINS", "unknown-key", "Memo has no titel",
            at: #""filterFormat""#, hint: "did you mean title?"),
        AuthoringMistake(
            "variable in a predicate", list, "likes >= 0", "likes >= $least", "bad-predicate", "Nothing gives $least",
            at: "$least", hint: "$input"),
        AuthoringMistake(
            "key of a related record", detail, "author.name", "author.nmae", "unknown-key", "Person has no nmae",
            at: #"{ "from""#, hint: "did you mean name?"),
        AuthoringMistake(
            "key of an action", service, #""path""#, #""pth""#, "unknown-key", "An action has no use for pth",
            at: #""pth""#,
            hint: "did you mean path?"),
        AuthoringMistake(
            "action for actions", service, #""actions""#, #""action""#, "unknown-key",
            "A service has no use for action",
            at: #""action""#, hint: "did you mean actions?"),
        AuthoringMistake(
            "action that follows", service, #""nextAction": "memos""#, #""nextAction": "memoz""#, "unknown-action",
            "people is to be followed by memoz", at: #""memoz""#, hint: "did you mean memos?"),
        AuthoringMistake(
            "method", service, #""GET""#, #""GTE""#, "bad-value", "The httpMethod GTE does not exist", at: #""memos""#,
            hint: "did you mean GET?"),
        AuthoringMistake(
            "text for an action", service, #""actions": {"#, #""actions": { "more": "memos","#, "bad-value",
            "An action must be an object, and more is a text", at: #""more""#, saysWhat: true),
        AuthoringMistake(
            "property that an action sets", service, #""nextAction": "memos""#, #""set": { "nmae": "x" }"#,
            "unknown-key",
            "people sets nmae, which Person does not have", at: #""people""#, hint: "did you mean name?"),
        AuthoringMistake(
            "stub without a response", service, #", "response": []"#, "", "bad-response", "people has no response",
            at: #""people""#, hint: "response is its answer"),
        AuthoringMistake(
            "style of a date", service, #""medium""#, #""meduim""#, "bad-value", "The dateStyle meduim does not exist",
            at: #""day""#, hint: "did you mean medium?"),
        AuthoringMistake(
            "cell", list, #""performSegueForCells": 1"#, #""cellIdentifier": "Cel""#, "unknown-identifier",
            "display shows cells called Cel", at: #""cellIdentifier""#, hint: "did you mean Cell?"),
        AuthoringMistake(
            "attribute of the screen", list, "serviceProviderClassName", "serviceProvidrClassName", "unknown-key",
            "A screen has no use for serviceProvidrClassName", at: #""serviceProvidrClassName""#,
            hint: "did you mean serviceProviderClassName?"),
        AuthoringMistake(
            "service class", list, "StubServiceProvider", "StubServiceProvidr", "unknown-class",
            "The framework has no class StubServiceProvidr", at: #""serviceProviderClassName""#,
            hint: "did you mean StubServiceProvider?"),
        AuthoringMistake(
            "service without a description", list, "StubServiceProvider", "StandardServiceProvider", "unknown-service",
            "the bundle has no Service.json", at: #""actionName""#, hint: "StubServiceProvider"),
        AuthoringMistake(
            "screen that nothing leads to", board,
            #"<connections><segue destination="Detail-controller" kind="show" identifier="Cell" id="to-detail"/></connections>"#,
            "", "unknown-screen", "No segue leads to Detail", hint: "draw a segue"),
        AuthoringMistake(
            "masters of each other", list,
            #""Person" } },"#,
            #""Person" }, "outlets": { "masterObject": "other" } }, "other": { "type": "ItemsCollection", "outlets": { "masterObject": "people" } },"#,
            "binding-cycle", "people, other are masters of each other", at: #""masterObject": "other""#,
            hint: "leads to content"),
        AuthoringMistake(
            "status of an unknown action", list, #""ActionStatusController", "attrs": { "actionName": "memos" }"#,
            #""ActionStatusController", "attrs": { "actionName": "memoz" }"#, "unknown-action",
            "status follows memoz, which no service has", at: #""actionName": "memoz""#, hint: "did you mean memos?"),
        AuthoringMistake(
            "number for a key path", detail, #""content.author.name""#, "7", "bad-value", "from is a number",
            at: #""from""#, hint: "key path"),
        AuthoringMistake(
            "word for a number", list, #""performSegueForCells": 1"#, #""performSegueForCells": "always""#, "bad-value",
            "performSegueForCells is a text", at: #""performSegueForCells""#, hint: "a number"),
        AuthoringMistake(
            "target of the screen's binding", list, #""@self": {"#, #""@self": { "bindings": [ { "to": "tilte" } ],"#,
            "unknown-key", "A screen has no tilte to bind to", at: #"{ "to": "tilte""#, hint: "did you mean title?"),
        AuthoringMistake(
            "first name of a binding", detail, #""content.author.name""#, #""contents.author.name""#, "unknown-key",
            "Nothing is called contents here, so contents.author.name has no value", at: #"{ "from""#,
            hint: "did you mean content?"),
        AuthoringMistake(
            "first name of a predicate", list, "status.success = TRUE", "statu.success = TRUE", "unknown-key",
            "Nothing is called statu here", at: #"{ "to": "image""#, hint: "did you mean status?"),
    ]
}
