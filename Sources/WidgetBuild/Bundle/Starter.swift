/// A bundle in source form to begin with: a list that can be searched, and a screen for what is tapped in it.
package struct Starter: Sendable {
    package let files: [BundleCompiler.File]

    /// Nothing when the name is not fit for one: letters, digits, hyphens and underscores, a letter first.
    package init?(named name: String) {
        guard let first = name.utf8.first, Starter.isLetter(first), name.utf8.count <= 64,
            name.utf8.allSatisfy({ Starter.isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F })
        else { return nil }
        let identifier = String(decoding: name.utf8.map { $0 == 0x5F ? 0x2D : $0 }, as: UTF8.self)
        let texts = [
            ("Info.plist", Starter.manifest(name: name, identifier: "com.example.\(identifier)")),
            ("Base.lproj/Main.storyboard", Starter.storyboard),
            ("NotesViewController.json", Starter.notesScheme),
            ("NoteViewController.json", Starter.noteScheme),
            ("StubService.json", Starter.service),
            ("Model.xcdatamodeld/Model.xcdatamodel/contents", Starter.model),
            ("README.md", Starter.readme(name)),
        ]
        files = texts.map { BundleCompiler.File(path: $0.0, bytes: Array($0.1.utf8)) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func manifest(name: String, identifier: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>\(identifier)</string>
            <key>CFBundleName</key>
            <string>\(name)</string>
            <key>CFBundleShortVersionString</key>
            <string>1.0</string>
            <key>CFBundleVersion</key>
            <string>1</string>
        </dict>
        </plist>

        """
    }

    private static let notesScheme = """
        {
            "NotesViewController": {
                "objects": {
                    "notesProvider": {
                        "type": "ManagedObjectsProvider",
                        "attrs": { "entityName": "Note", "sortByFields": "title" }
                    },
                    "notesTable": {
                        "type": "TableDisplayController",
                        "outlets": {
                            "mainContentProvider": "notesProvider",
                            "searchController": "searchController",
                            "tableView": "tableView"
                        }
                    },
                    "loadAction": {
                        "type": "OnLoadActionController",
                        "attrs": { "actionName": "notes" }
                    },
                    "searchController": {
                        "type": "SearchActionController",
                        "attrs": { "filterFormat": "title CONTAINS[cd] $input OR text CONTAINS[cd] $input" },
                        "outlets": { "sender": "searchBar" }
                    }
                },
                "elements": {
                    "@self": { "attrs": { "serviceProviderClassName": "StubServiceProvider" } },
                    "titleLabel": { "bindings": [ { "from": "content.title", "placeholder": "Untitled" } ] },
                    "textLabel": { "bindings": [ { "from": "content.text", "placeholder": "Empty" } ] }
                }
            }
        }

        """

    private static let noteScheme = """
        {
            "NoteViewController": {
                "elements": {
                    "titleLabel": { "bindings": [ { "from": "content.title", "placeholder": "Untitled" } ] },
                    "textLabel": { "bindings": [ { "from": "content.text", "placeholder": "Empty" } ] }
                }
            }
        }

        """

    private static let service = """
        {
            "defaults": { "baseUrl": "https://notes.example.com" },
            "actions": {
                "notes": {
                    "resultType": "[Note]",
                    "clearPolicy": "after",
                    "response": [
                        { "id": "1", "title": "Begin", "text": "Change Main.storyboard, then build again." },
                        { "id": "2", "title": "Look", "text": "widget inspect shows what became of it." },
                        { "id": "3", "title": "Publish", "text": "widget pack makes what a registry takes." }
                    ]
                }
            }
        }

        """

    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
            <entity name="Note" representedClassName="Note" syncable="YES">
                <attribute name="noteId" optional="YES" attributeType="String">
                    <userInfo><entry key="JSONKeyPath" value="id"/></userInfo>
                </attribute>
                <attribute name="title" optional="YES" attributeType="String">
                    <userInfo><entry key="JSONKeyPath" value="title"/></userInfo>
                </attribute>
                <attribute name="text" optional="YES" attributeType="String">
                    <userInfo><entry key="JSONKeyPath" value="text"/></userInfo>
                </attribute>
                <userInfo><entry key="identityAttribute" value="noteId"/></userInfo>
            </entity>
        </model>

        """

    private static func readme(_ name: String) -> String {
        """
        # \(name)

        A list of notes that can be searched, and a screen for each. What it shows comes from `StubService.json`.

            widget build \(name) -o \(name).zip
            widget inspect \(name).zip

        * `Base.lproj/Main.storyboard`: the screens, their views and the ways between them
        * `NotesViewController.json`, `NoteViewController.json`: what each screen does, by its restoration identifier
        * `Model.xcdatamodeld`: what is kept between starts
        * `Info.plist`: identifier, name and version

        """
    }
}
