import Testing
import WidgetBuild
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetRunning

/// A bundle of ours that does what the framework's sample does, under other names throughout: other ids, another model,
/// other keys in its answers, other texts. Compiled from its source in the test.
enum RenamedBundle {
    static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="14460.32" systemVersion="17G65" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="1">
        <entity name="Zettel" representedClassName="Zettel" syncable="YES">
            <attribute name="nummer" optional="YES" attributeType="String" syncable="YES"><userInfo><entry key="JSONKeyPath" value="n"/></userInfo></attribute>
            <attribute name="lob" optional="YES" attributeType="Integer 32" defaultValueString="0" syncable="YES"><userInfo><entry key="JSONKeyPath" value="zahlen.lob"/></userInfo></attribute>
            <attribute name="wortlaut" optional="YES" attributeType="String" syncable="YES"><userInfo><entry key="JSONKeyPath" value="wort"/></userInfo></attribute>
            <attribute name="zeit" optional="YES" attributeType="Date" syncable="YES"><userInfo><entry key="JSONKeyPath" value="wann"/><entry key="JSONTransformerName" value="tag"/></userInfo></attribute>
            <relationship name="verfasser" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Mensch" inverseName="zettel" inverseEntity="Mensch" syncable="YES"><userInfo><entry key="JSONKeyPath" value="wer"/></userInfo></relationship>
            <userInfo><entry key="identityAttribute" value="nummer"/><entry key="ownerRelationship" value="verfasser"/></userInfo>
        </entity>
        <entity name="Mensch" representedClassName="Mensch" syncable="YES">
            <attribute name="kennung" optional="YES" attributeType="String" syncable="YES"><userInfo><entry key="JSONKeyPath" value="id"/></userInfo></attribute>
            <attribute name="vorname" optional="YES" attributeType="String" syncable="YES"><userInfo><entry key="JSONKeyPath" value="vorname"/></userInfo></attribute>
            <attribute name="bild" optional="YES" attributeType="String" syncable="YES"><userInfo><entry key="JSONKeyPath" value="bild"/></userInfo></attribute>
            <relationship name="zettel" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Zettel" inverseName="verfasser" inverseEntity="Zettel" syncable="YES"/>
            <userInfo><entry key="identityAttribute" value="kennung"/></userInfo>
        </entity>
        <entity name="Ich" representedClassName="Ich" parentEntity="Mensch" syncable="YES"><userInfo><entry key="isOwnerEntity" value="1"/></userInfo></entity>
        <elements/>
        </model>
        """

    static let list = #"""
        "Liste": {"objects": {
          "ich": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Ich", "resultChainTxt": "wx_first"}},
          "zettel": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Zettel", "predicateFormat": "lob > 0", "sortByFields": "zeit", "sortAscending": false}},
          "kopf": {"type": "ContentDisplayController", "outlets": {"mainContentProvider": "ich"}},
          "tafel": {"type": "TableDisplayController", "attrs": {"cellIdentifier": "Zeile"},
            "outlets": {"mainContentProvider": "zettel", "searchController": "suche", "emptyDataView": "leer", "tableView": "brett"}},
          "anfang": {"type": "OnLoadActionController", "attrs": {"actionName": "wer"}},
          "stand": {"alias": "s", "type": "ActionStatusController", "attrs": {"actionName": "alle", "errorTitle": "Schade", "errorMessage": "Keine Zettel."}},
          "suche": {"type": "SearchActionController", "attrs": {"actionName": "frage", "filterFormat": "wortlaut CONTAINS[cd] $input"}, "outlets": {"sender": "feld"}}},
        "elements": {"@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}},
          "titel": {"bindings": [{"predicateFormat": "content == nil", "ifTrue": "", "ifFalse": "$content.vorname"}]},
          "rad": {"bindings": [{"predicateFormat": "anfang.status.inProgress == 1 OR s.inProgress == 1"}]},
          "kopfbild": {"bindings": [{"to": "wx_imageName", "from": "content.verfasser.bild"}]},
          "worte": {"bindings": [{"from": "content.wortlaut", "placeholder": "<leer>"}]},
          "name": {"bindings": [{"from": "content.verfasser.vorname", "placeholder": "<jemand>"}]},
          "alter": {"bindings": [{"from": "content.zeit", "transformer": "ago", "placeholder": "--"}]}}}
        """#

    static let form = #"""
        "Neu": {"objects": {
          "senden": {"type": "BarButtonActionController", "attrs": {"actionName": "schreib"}, "outlets": {"form": "bogen", "sender": "los"}},
          "lage": {"type": "ActionStatusController", "attrs": {"actionName": "schreib", "errorTitle": "Schade", "errorMessage": "Nicht gesendet."}, "outlets": {"elements": ["los", "schrift"]}}},
        "elements": {"@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}, "bindings": [{"to": "wx_dismissed", "from": "lage.isSuccess"}]},
          "los": {"bindings": [{"to": "wx_disabled", "from": "lage.inProgress"}]},
          "schrift": {"bindings": [{"to": "wx_readOnly", "from": "lage.inProgress"}, {"predicateFormat": "lage.isSuccess = 1", "ifTrue": "", "ifFalse": "$schrift.text"}]},
          "bogen": {"outlets": {"mandatoryFields": ["schrift"]}}}}
        """#

    /// Two, three, four, five, six and eight hours before eight in the evening.
    static var service: String {
        let people = [
            #"{"id": "ich"}"#, #"{"id": "b", "vorname": "Berta", "bild": "birne"}"#,
            #"{"id": "c", "vorname": "Cäsar", "bild": "kirsche"}"#,
            #"{"id": "d", "vorname": "Dora & Co", "bild": "dattel"}"#,
            #"{"id": "e", "vorname": "Emil", "bild": "erbse"}"#, #"{"id": "f", "vorname": "Fritz", "bild": "feige"}"#,
        ]
        let words = ["Der erste, zu 100% frei", "Der zweite", "Drei Äpfel", "Vier Apfel im Korb", "Fünf", "Der letzte"]
        let hours = [18, 17, 16, 15, 14, 12]
        let notes = people.indices.map {
            #"{"n": "\#($0 + 1)", "zahlen": {"lob": \#($0 + 3)}, "wort": "\#(words[$0])", "wann": "20.06.2018 \#(hours[$0]):00 +0000", "wer": \#(people[$0])}"#
        }
        return #"""
            {"defaults": {"baseUrl": "https://zettel.example"}, "options": {"debugDelay": 0.25, "transformers": {"date": {"tag": {"format": "dd.MM.yyyy HH:mm Z"}}}},
             "actions": {
              "wer": {"resultType": "Ich", "nextAction": "alle", "response": {"id": "ich", "vorname": "Anna", "bild": "apfel"}},
              "alle": {"resultType": "[Zettel]", "clearPolicy": "after", "resultKeyPath": "", "response": [\#(notes.joined(separator: ", "))]},
              "schreib": {"httpMethod": "POST", "resultType": "Zettel", "parameters": {"wort": "$wort"},
                "response": {"n": "7", "zahlen": {"lob": 7}, "wort": "$wort", "wann": "20.06.2018 19:00 +0000", "wer": {"id": "ich"}}}}}
            """#
    }

    static var screens: [TestStoryboard.Screen] {
        typealias S = TestStoryboard
        let row = S.cell(
            "Zeile", labels: ["name", "alter", "worte"],
            connections: #"<segue destination="Einzeln-controller" kind="show" id="einzeln"/>"#
        ).replacing(
            "<subviews><label", with: "<subviews>\(S.element("imageView", "kopfbild", y: 0, x: 310, width: 40))<label",
            maxReplacements: 1)
        let table = S.table("brett", cells: [row]).replacing(
            "<prototypes>",
            with: S.element(
                "searchBar", "feld", height: 44, attributes: #"key="tableHeaderView" placeholder="Suchen""#)
                + S.element(
                    "view", "fuss", y: 50, attributes: #"key="tableFooterView""#,
                    inside:
                        "<subviews>\(S.element("activityIndicatorView", "rad", attributes: #"hidden="YES" hidesWhenStopped="YES" style="white""#))</subviews>"
                )
                + "<prototypes>")
        let empty = S.element(
            "view", "leer", y: 300, inside: "<subviews>\(S.label("leertext", "Noch nichts da"))</subviews>")
        let add = S.button(
            "plus", "Schreiben", y: 600, connections: #"<segue destination="Neu-stack" kind="show" id="neu"/>"#)
        let title = S.element(
            "view", "titelflaeche", attributes: #"key="titleView""#,
            inside: "<subviews>\(S.label("titel", "Titel"))</subviews>")
        func bound(_ name: String, _ binding: String, y: Int) -> String {
            let text = binding.replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
            return S.element("label", name, y: y, attributes: #"text="?""#, runtime: [("wx.addBinding", text)])
        }
        var first = S.Screen(name: "Liste", views: empty + table + add, bar: title)
        first.connections = #"<outlet property="tableView" destination="brett" id="liste-brett"/>"#
        let form = S.element(
            "view", "bogen", height: 600, class: "FormDisplayView", runtime: [("dublicateKeyPolicy", "join")],
            inside:
                "<subviews>\(S.element("textView", "schrift", height: 128, runtime: [("wx_fieldName", "wort")], inside: #"<string key="text"></string>"#))</subviews>"
        )
        var second = S.Screen(name: "Neu", views: form, title: "Neuer Zettel", controller: "ContentViewController")
        second.bar = """
            <barButtonItem key="leftBarButtonItem" title="Zurück" id="weg"><connections><action selector="dismissAction:" destination="Neu-controller" id="weg-action"/></connections></barButtonItem>
            <barButtonItem key="rightBarButtonItem" title="Los" style="done" id="los"><userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="los"/></userDefinedRuntimeAttributes></barButtonItem>
            """
        let third = S.Screen(
            name: "Einzeln",
            views: bound("e1", #""from": "content.verfasser.vorname", "placeholder": "<jemand>""#, y: 0)
                + bound(
                    "e2", #""from": "content.verfasser.kennung", "format": "@%@", "placeholder": "<jemand>""#, y: 30)
                + bound("e3", #""from": "content.wortlaut""#, y: 60) + bound("e4", #""from": "content.zeit""#, y: 90)
                + bound("e5", #""from": "content.lob""#, y: 120),
            title: "Zettel", controller: "ContentViewController")
        return [first, second, third]
    }

    static func widget(store: Store? = nil, changing: (inout [String: String]) -> Void = { _ in }) throws
        -> DrivenWidget
    {
        var texts = [
            "Main.storyboard": TestStoryboard.text(screens, presented: ["Neu"]), "Liste.json": "{\(list)}",
            "Neu.json": "{\(form)}", "StubService.json": service,
            "Zettel.xcdatamodeld/Zettel.xcdatamodel/contents": model,
            "Info.plist":
                #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>test.zettel</string></dict></plist>"#,
        ]
        changing(&texts)
        let compiled = try BundleCompiler(texts.mapValues { Array($0.utf8) }, folder: "Zettel")
        let files = BundleFiles(Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first })
        let program = try WidgetKitReader.program(files, identifier: "test.zettel")
        return DrivenWidget(
            WidgetInstance(program, store: store, environment: Environment(now: DemoBundle.evening)))
    }
}
