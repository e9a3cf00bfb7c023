import Testing
import WidgetCore

@testable import WidgetFormats

/// A mistake in a scheme or a service, with the sentence about it, and the same without the mistake.
struct SchemeMistake: Sendable, CustomTestStringConvertible {
    var about: String
    var code: Finding.Code
    var views: [(class: String, name: String)] = []
    /// The members of the scheme, with `WRONG` where the mistake is.
    var scheme = ""
    var wrong: String
    var right: String
    /// Parts of the description of the finding.
    var says: [String]
    var files = ["Service.json": SchemeMistake.service]

    /// What the screens of this list are to do.
    private static let service =
        #"{"defaults": {"baseUrl": "https://api.example.com"}, "actions": {"save": {"path": "save"}, "tell": {"path": "tell"}}}"#

    var testDescription: String { about }

    func findings(_ written: String) throws -> [Finding] {
        func filled(_ text: String) -> String { text.replacing("WRONG", with: written) }
        let files = Dictionary(uniqueKeysWithValues: files.map { (filled($0.key), Array(filled($0.value).utf8)) })
        return try TestInterface.program(views, scheme: filled(scheme), files: files).diagnostics
    }
}

/// Goal: slips of authors that nothing else shows are reported with their place and the right name. Method: screens with one
/// mistake, each beside the same without it, about which nothing is said.
@Suite struct `Mistakes in schemes and services` {
    private static let status =
        #""objects": {"saving": {"type": "ActionStatusController", "attrs": {"actionName": "save"}}, "save": {"type": "ActionController", "attrs": {"actionName": "save"}}, "items": {"type": "ItemsCollection"}}, "#

    private static func label(_ bindings: String, _ objects: String = status) -> String {
        #"\#(objects)"elements": {"text": {"bindings": [\#(bindings)]}}"#
    }

    private static let text = [(class: "UILabel", name: "text")]

    private static func read(
        _ about: String, _ path: String, _ wrong: String, _ right: String, _ says: String
    ) -> SchemeMistake {
        SchemeMistake(
            about: about, code: .unknownKey, views: text, scheme: label(#"{"from": "\#(path)WRONG"}"#), wrong: wrong,
            right: right, says: ["Main.json:1:", says, "did you mean \(right)?"])
    }

    private static func read(_ about: String, _ path: String, _ wrong: String, _ right: String) -> SchemeMistake {
        SchemeMistake(
            about: about, code: .unknownKey, views: text, scheme: label(#"{"from": "\#(path)WRONG"}"#), wrong: wrong,
            right: right,
            says: ["Main.json:1:", "\(path.dropLast()) has no member \(wrong)", "did you mean \(right)?"])
    }

    private static let members: [SchemeMistake] = [
        read("a member of a status", "saving.", "isSucces", "isSuccess"),
        read("a member of an action", "save.", "statuss", "status"),
        read("a member of the status of an action", "save.status.", "inProgres", "inProgress"),
        read("a member of a provider", "items.", "totalCont", "totalCount"),
        read("a property of an element", "text.", "texts", "text"),
        SchemeMistake(
            about: "a setting", code: .unknownKey, views: text,
            scheme: #""defaults": {"volume": 1}, "# + label(#"{"from": "defaults.WRONG"}"#), wrong: "volum",
            right: "volume", says: ["defaults has no member volum", "did you mean volume?"]),
        SchemeMistake(
            about: "a setting that nothing gives a value", code: .unknownKey, views: text,
            scheme: #"WRONG"# + label(#"{"from": "defaults.volume"}"#), wrong: "",
            right: #""defaults": {"volume": 1}, "#,
            says: ["defaults has no member volume", #"no scheme has it in its "defaults""#]),
        SchemeMistake(
            about: "a first value that a switch cannot show", code: .badValue, views: [("UISwitch", "switch")],
            scheme:
                #""defaults": {"loud": WRONG}, "elements": {"switch": {"bindings": [{"from": "defaults.loud"}]}}"#,
            wrong: #""very much""#, right: #""yes""#,
            says: ["\"very much\" is neither true nor false, and the switch switch shows it", "Main.json:1:"]),
    ]

    private static let lists: [SchemeMistake] = [
        read(
            "a name of iOS's status", "save.status.", "isInProgress", "inProgress", "on iOS isInProgress does not exist"
        ),
        read("a name of iOS's provider", "items.", "count", "totalCount", "on iOS count does not exist"),
        SchemeMistake(
            about: "a selector of another thing", code: .unknownSelector, views: [("UIButton", "go")],
            scheme:
                #"\#(status)"elements": {"go": {"action": {"target": "save", "selector": "WRONG"}}}"#,
            wrong: "nextPage", right: "performAction",
            says: ["go sends nextPage to save, which does not answer it here", "it answers performAction"]),
        SchemeMistake(
            about: "the name of an action in place of its performer", code: .unknownObject, views: [("UIButton", "go")],
            scheme:
                #""objects": {"teller": {"type": "ActionController", "attrs": {"actionName": "tell"}}}, "elements": {"go": {"action": {"target": "WRONG", "selector": "performAction"}}}"#,
            wrong: "tell", right: "teller", says: ["go sends performAction to tell", "did you mean teller?"]),
        SchemeMistake(
            about: "an action without a sender", code: .unknownOutlet, views: [("UIButton", "go")],
            scheme:
                #""objects": {"save": {"type": "ButtonActionController", "attrs": {"actionName": "save"}WRONG}}"#,
            wrong: "", right: #", "outlets": {"sender": "go"}"#,
            says: ["save has no sender", #""outlets": {"sender": "go"}"#]),
        SchemeMistake(
            about: "the class for buttons of a bar", code: .unknownObject, views: [("UIButton", "go")],
            scheme:
                #""objects": {"save": {"type": "WRONG", "attrs": {"actionName": "save"}, "outlets": {"sender": "go"}}}"#,
            wrong: "BarButtonActionController", right: "ButtonActionController",
            says: [
                "save.sender leads to go, which is a button outside of bars", "did you mean ButtonActionController?",
            ]),
        SchemeMistake(
            about: "a first value that a slider cannot show", code: .outOfRange, views: [("UISlider", "slider")],
            scheme:
                #""defaults": {"size": WRONG}, "elements": {"slider": {"attrs": {"minimumValue": 2, "maximumValue": 5}, "bindings": [{"from": "defaults.size"}]}}"#,
            wrong: "9", right: "3",
            says: ["9 cannot be a value of the slider slider, which goes from 2 to 5", "it begins with 5"]),
        SchemeMistake(
            about: "an element that has no description yet", code: .unknownObject,
            views: [("UILabel", "nameText"), ("UILabel", "timeText")],
            scheme: #""elements": {"nameText": {"attrs": {"alpha": 1}}, "WRONG": {"attrs": {"alpha": 1}}}"#,
            wrong: "dateText", right: "timeText",
            says: ["No element of this screen is called dateText", "without a description are timeText"]),
    ]

    private static let properties: [SchemeMistake] = [
        SchemeMistake(
            about: "the target of a binding", code: .unknownKey, views: [("UIButton", "go")],
            scheme: #""elements": {"go": {"bindings": [{"to": "WRONG", "from": "content"}]}}"#, wrong: "wx_disbled",
            right: "wx_disabled",
            says: [
                "A button has no wx_disbled, so go shows nothing of it", "did you mean wx_disabled?", "Main.json:1:",
            ]),
        SchemeMistake(
            about: "an attribute that no view has", code: .unknownKey, views: text,
            scheme: #""elements": {"text": {"attrs": {"WRONG": "red"}}}"#, wrong: "colourOfText", right: "textColor",
            says: ["A label has no colourOfText", "on iOS, setting a property that a view lacks ends the app"]),
        SchemeMistake(
            about: "an attribute of another kind of view", code: .unknownKey, views: text,
            scheme: #""elements": {"text": {"attrs": {"WRONG": 1}}}"#, wrong: "selectedSegmentIndex", right: "alpha",
            says: ["text is a label, which has no selectedSegmentIndex", "it is a property of: segmented control"]),
        SchemeMistake(
            about: "a value of another kind", code: .badValue, views: [("UISwitch", "switch")],
            scheme: #""elements": {"switch": {"attrs": {"on": WRONG}}}"#, wrong: #""please""#, right: #""YES""#,
            says: ["on is a text, and has no effect"]),
        SchemeMistake(
            about: "a field that no interface has", code: .unknownIdentifier,
            views: [("FormDisplayView", "form"), ("UITextField", "name")],
            scheme:
                #""elements": {"name": {"attrs": {"wx_fieldName": "name"}}, "form": {"outlets": {"mandatoryFields": ["WRONG"]}}}"#,
            wrong: "nane", right: "name",
            says: ["form.mandatoryFields leads to nane, which is not on the screen", "did you mean name?"]),
    ]

    private static func limit(
        _ about: String, _ kind: String, _ wrong: String, _ right: String, _ says: String...
    ) -> SchemeMistake {
        SchemeMistake(
            about: about, code: .outOfRange, views: [(kind, "it")],
            scheme: #""elements": {"it": {"attrs": {WRONG}}}"#, wrong: wrong, right: right, says: says)
    }

    private static let limits: [SchemeMistake] = [
        limit(
            "limits that leave no value", "UISlider", #""minimumValue": 5, "maximumValue": 1"#,
            #""minimumValue": 1, "maximumValue": 5"#, "The slider it has values from 5 to 1", "Main.json:1:"),
        limit(
            "a value above its limits", "UISlider", #""value": 50, "maximumValue": 10"#,
            #""value": 5, "maximumValue": 10"#, "The slider it is 50 at first", "it begins with 10"),
        limit(
            "a step of nothing", "UIStepper", #""stepValue": 0"#, #""stepValue": 2"#,
            "The stepper it has the step 0, so a touch changes nothing"),
        limit(
            "a share above one", "UIProgressView", #""progress": 50"#, #""progress": 0.5"#,
            "The progress view it is 50 at first", "write the part that is done"),
        limit(
            "a picker without titles", "UIPickerView", #""alpha": 1"#, #""titles": ["A", "B"]"#,
            "The picker it has no titles, so nothing can be chosen", #""titles": ["One", "Two"]"#),
        limit(
            "segments in one text", "UISegmentedControl", #""titles": ["A|B|C"]"#, #""titles": ["A", "B"]"#,
            #"The segmented control it has one segment, "A|B|C""#, "3 segments are 3 titles"),
        limit(
            "a segment that is not there", "UISegmentedControl", #""titles": ["A", "B"], "selectedSegmentIndex": 2"#,
            #""titles": ["A", "B"], "selectedSegmentIndex": 1"#, "has segment 2 chosen, and 2 segments"),
        limit(
            "a page that is not there", "UIPageControl", #""numberOfPages": 2, "currentPage": 2"#,
            #""numberOfPages": 2, "currentPage": 1"#, "shows page 2 at first, and has 2", "pages count from 0"),
    ]

    private static func service(
        _ about: String, _ code: Finding.Code, _ name: String, _ text: String, _ wrong: String, _ right: String,
        _ says: String...
    ) -> SchemeMistake {
        SchemeMistake(about: about, code: code, wrong: wrong, right: right, says: says, files: [name: text])
    }

    private static let services: [SchemeMistake] = [
        service(
            "an address without a scheme", .badValue, "Service.json",
            #"{"defaults": {"baseUrl": "WRONGapi.example.com"}, "actions": {"list": {"path": "list"}}}"#, "",
            "https://",
            "Service.json:1:", "error: api.example.com has no scheme, so no request can be sent",
            "did you mean https://api.example.com?"),
        service(
            "no address", .badValue, "Service.json",
            #"{WRONG"actions": {"list": {"path": "list"}, "more": {"path": "more"}}}"#,
            "", #""defaults": {"baseUrl": "https://api.example.com"}, "#,
            "list and 1 other actions have no address: the defaults have no baseUrl"),
        service(
            "a name in braces", .badValue, "Service.json",
            #"{"defaults": {"baseUrl": "https://api.example.com"}, "actions": {"list": {"path": "WRONG/list"}}}"#,
            "{lang}", "$lang", "{lang} in the path is sent as it is written", "did you mean $lang?"),
        service(
            "the way to the result of a stub", .unknownKey, "StubService.json",
            #"{"actions": {"list": {"resultKeyPath": "WRONG", "response": {"notices": [1]}}}}"#, "notises", "notices",
            "The answer of list has no notises, so it has no result", "did you mean notices?"),
        service(
            "a longer way to the result of a stub", .unknownKey, "StubService.json",
            #"{"actions": {"list": {"resultKeyPath": "WRONG", "response": {"notices": [1]}}}}"#, "data.notices",
            "notices",
            "The answer of list has no data.notices, so it has no result", "did you mean notices?"),
        service(
            "a file that is not read", .missingFile, "WRONG",
            #"{"actions": {"list": {"response": [1]}}}"#, "stubservice.json", "StubService.json",
            "Nothing reads stubservice.json", "did you mean StubService.json?"),
    ]

    @Test(arguments: members + lists + properties + limits + services)
    func `A mistake is reported, and its neighbour is left alone`(_ mistake: SchemeMistake) throws {
        let found = try mistake.findings(mistake.wrong)
        let reported = found.filter { $0.code == mistake.code }
        #expect(reported.count == 1 && found.count == 1, "\(found)")
        let said = reported.first?.description ?? ""
        for part in mistake.says {
            #expect(said.contains(part), "\(found) lacks \(part)")
        }
        let sound = try mistake.findings(mistake.right)
        #expect(sound.isEmpty, "\(sound)")
    }

    @Test func `A place of a request that no field of its form has the name of is reported`() throws {
        func found(_ field: String) throws -> [Finding] {
            try TestInterface.program(
                [("FormDisplayView", "form"), ("UITextField", "name")],
                scheme: #"""
                    "objects": {"save": {"type": "ActionController", "attrs": {"actionName": "save"}, "outlets": {"form": "form"}}},
                    "elements": {"name": {"attrs": {"wx_fieldName": "\#(field)"}}, "form": {"outlets": {"mandatoryFields": ["name"]}}}
                    """#,
                files: [
                    "Service.json": Array(
                        #"{"defaults": {"baseUrl": "https://a.example"}, "actions": {"save": {"httpMethod": "POST", "parameters": {"name": "$name"}}}}"#
                            .utf8)
                ]
            ).diagnostics
        }
        let reported = try found("nmae")
        #expect(
            reported.map(\.code) == [.unfilled] && reported.first?.message == "save gives save no value for $name",
            "\(reported)")
        #expect(reported.first?.hint == "did you mean $nmae?" && reported.first?.place?.file == "Service.json")
        #expect(try found("name").isEmpty)
    }

    @Test func `Two fields of a form with one name are reported, unless the form joins their values`() throws {
        func found(_ name: String, _ lists: String = #""optionalFields": ["a", "b"]"#, _ policy: String = "") throws
            -> [Finding]
        {
            try TestInterface.program(
                [("FormDisplayView", "form"), ("UITextField", "a"), ("UITextField", "b")],
                scheme: #"""
                    "objects": {"save": {"type": "ActionController", "attrs": {"actionName": "save"}, "outlets": {"form": "form"}}},
                    "elements": {"a": {"attrs": {"wx_fieldName": "name"}}, "b": {"attrs": {"wx_fieldName": "\#(name)"}}, "form": {"outlets": {\#(lists)}\#(policy)}}
                    """#,
                files: [
                    "Service.json": Array(
                        #"{"defaults": {"baseUrl": "https://a.example"}, "actions": {"save": {"httpMethod": "POST", "parameters": {"name": "$name"}}}}"#
                            .utf8)
                ]
            ).diagnostics
        }
        let reported = try found("name")
        #expect(reported.map(\.code) == [.duplicateIdentifier], "\(reported)")
        #expect(reported.first?.message.contains("are called name, so the value of one is lost") ?? false)
        #expect(reported.first?.value == "b")
        #expect(try found("other").isEmpty)
        let joins = #", "attrs": {"dublicateKeyPolicy": "array"}"#
        #expect(try found("name", #""optionalFields": ["a", "b"]"#, joins).isEmpty)
        for lists in [#""mandatoryFields": ["a", "b"]"#, #""mandatoryFields": ["a"], "optionalFields": ["b"]"#] {
            let kept = try found("name", lists, joins)
            #expect(kept.map(\.code) == [.duplicateIdentifier], "\(lists): \(kept)")
        }
    }

    @Test func `A row that shows an item of its provider is reported, and one that shows its own is not`() throws {
        func found(_ path: String) throws -> [Finding] {
            try TestInterface.program(
                [("UITableView", "list")],
                scheme: #"""
                    "objects": {"items": {"type": "ItemsCollection"}, "show": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Row", "cellNibNames": ["Row"]}, "outlets": {"tableView": "list", "mainContentProvider": "items"}}},
                    "elements": {"text": {"bindings": [{"from": "\#(path)"}]}}
                    """#,
                files: ["Row.nib": TestInterface.row(label: "text")]
            ).diagnostics
        }
        let reported = try found("items.first.name")
        #expect(reported.map(\.message) == ["items.first.name is the same in each row"])
        #expect(reported.first?.hint == "did you mean content.name?")
        #expect(try found("content.name").isEmpty && found("items.totalCount").isEmpty)
    }

    @Test func `A class of a host may have any property, and slips of the framework's words are reported`() throws {
        func found(_ name: String) throws -> [Finding] {
            try TestInterface.program(
                [("GaugeView", "gauge")], scheme: #""elements": {"gauge": {"attrs": {"\#(name)": 1}}}"#
            ).diagnostics
        }
        #expect(try found("needleLength").isEmpty)
        #expect(try found("wx_needle").map(\.code) == [.unknownKey])
        #expect(try found("alhpa").first?.hint == "did you mean alpha?")
    }
}
