/// A list that can be searched, and a screen for the tapped row.
extension Starter {
    static let listTexts: [(path: String, text: String)] = [
        (
            "Main.screens",
            """
            # Notes that can be searched, and a screen for each. Lines are explained in docs/screens.md.
            screen NotesViewController "Notes" in stack
                table tableView
                    search searchBar placeholder "Search"
                    cell Note accessory arrow -> NoteViewController
                        label titleLabel "Title" bold
                        label textLabel "Text" size 15 color secondaryLabel lines 2
                label emptyLabel "No notes" color secondaryLabel align center centered

            screen NoteViewController "Note"
                label titleLabel "Title" size 23 bold lines 0
                label textLabel "Text" lines 0

            """
        ),
        (
            "NoteViewController.json",
            """
            {
                "NoteViewController": {
                    "elements": {
                        "titleLabel": { "bindings": [ { "from": "content.title", "placeholder": "Untitled" } ] },
                        "textLabel": { "bindings": [ { "from": "content.text", "placeholder": "Empty" } ] }
                    }
                }
            }

            """
        ),
        (
            "NotesViewController.json",
            """
            {
                "NotesViewController": {
                    "objects": {
                        "notes": {
                            "type": "ManagedObjectsProvider",
                            "attrs": { "entityName": "Note", "sortByFields": "title" }
                        },
                        "list": {
                            "type": "TableDisplayController",
                            "attrs": { "cellIdentifier": "Note" },
                            "outlets": {
                                "mainContentProvider": "notes",
                                "searchController": "search",
                                "emptyDataView": "emptyLabel",
                                "tableView": "tableView"
                            }
                        },
                        "search": {
                            "type": "SearchActionController",
                            "attrs": { "filterFormat": "title CONTAINS[cd] $input OR text CONTAINS[cd] $input" },
                            "outlets": { "sender": "searchBar", "contentProvider": "notes" }
                        },
                        "load": { "type": "OnLoadActionController", "attrs": { "actionName": "notes" } },
                        "refresh": {
                            "type": "TableRefreshActionController",
                            "attrs": { "actionName": "notes" },
                            "outlets": { "sender": "tableView" }
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
        ),
        (
            "StubService.json",
            """
            {
                "defaults": { "baseUrl": "https://notes.example.com" },
                "actions": {
                    "notes": {
                        "path": "notes",
                        "resultType": "[Note]",
                        "clearPolicy": "after",
                        "response": [
                            { "id": "1", "title": "Begin", "text": "Change Main.screens and save it: what runs is replaced." },
                            { "id": "2", "title": "Look", "text": "widget render --explain says where each value is from." },
                            { "id": "3", "title": "Publish", "text": "widget publish sends it to a registry." }
                        ]
                    }
                }
            }

            """
        ),
        (
            "story.json",
            """
            [
                { "expect": "Begin" },
                { "expect": "Publish" },
                { "input": "searchBar", "value": "registry" },
                { "wait": 1 },
                { "expectNot": "Begin" },
                { "select": "tableView", "row": 0 },
                { "expect": "Publish" },
                { "expectNot": "Look" },
                { "back": true },
                { "input": "searchBar", "value": "" },
                { "wait": 1 },
                { "refresh": "tableView" },
                { "expect": "Look" }
            ]

            """
        ),
        (
            "Model.xcdatamodeld/Model.xcdatamodel/contents",
            """
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
        ),
    ]
}
