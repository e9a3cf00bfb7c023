/// A feed that is pulled to refresh, and loads more at its end.
extension Starter {
    static let feedTexts: [(path: String, text: String)] = [
        (
            "Main.screens",
            """
            # A feed: pull to refresh, and more at the end of the list. Lines are explained in docs/screens.md.
            screen NoticesViewController "Feed" in stack
                table tableView
                    cell Notice -> NoticeViewController
                        label writerLabel "Writer" bold
                        label textLabel "Text" lines 3
                        label placeLabel "Place" size 13 color secondaryLabel
                    footer
                        activity moreIndicator
                label emptyLabel "Nothing here yet" color secondaryLabel align center centered

            screen NoticeViewController "Notice"
                label writerLabel "Writer" size 23 bold
                label textLabel "Text" lines 0

            """
        ),
        (
            "NoticesViewController.json",
            """
            {
                "NoticesViewController": {
                    "objects": {
                        "notices": {
                            "type": "ManagedObjectsProvider",
                            "attrs": { "entityName": "Notice", "sortByFields": "place" }
                        },
                        "list": {
                            "type": "TableInfiniteScrollController",
                            "attrs": { "cellIdentifier": "Notice", "scrollUpThreshhold": 0 },
                            "outlets": {
                                "mainContentProvider": "notices",
                                "emptyDataView": "emptyLabel",
                                "tableView": "tableView"
                            }
                        },
                        "load": { "type": "OnLoadActionController", "attrs": { "actionName": "newest" } },
                        "refresh": {
                            "type": "TableRefreshActionController",
                            "attrs": { "actionName": "newest" },
                            "outlets": { "sender": "tableView" }
                        },
                        "older": {
                            "type": "InfiniteScrollActionController",
                            "attrs": { "actionName": "older" },
                            "outlets": { "sender": "tableView" }
                        },
                        "status": {
                            "type": "ActionStatusController",
                            "attrs": { "actionName": "older" },
                            "outlets": { "elements": [ "moreIndicator" ] }
                        }
                    },
                    "elements": {
                        "@self": { "attrs": { "serviceProviderClassName": "StubServiceProvider" } },
                        "writerLabel": { "bindings": [ { "from": "content.writer" } ] },
                        "textLabel": { "bindings": [ { "from": "content.text" } ] },
                        "placeLabel": { "bindings": [ { "from": "content.place", "format": "Notice %@" } ] },
                        "moreIndicator": { "bindings": [ { "from": "status.inProgress" } ] }
                    }
                }
            }

            """
        ),
        (
            "NoticeViewController.json",
            """
            {
                "NoticeViewController": {
                    "elements": {
                        "writerLabel": { "bindings": [ { "from": "content.writer" } ] },
                        "textLabel": { "bindings": [ { "from": "content.text" } ] }
                    }
                }
            }

            """
        ),
        (
            "StubService.json",
            """
            {
                "defaults": { "baseUrl": "https://feed.example.com", "resultKeyPath": "notices" },
                "actions": {
                    "newest": {
                        "path": "notices",
                        "resultType": "[Notice]",
                        "clearPolicy": "after",
                        "response": {
                            "notices": [
                                { "id": "1", "writer": "Ada", "text": "The ferry is late." },
                                { "id": "2", "writer": "Ben", "text": "A gull took the biscuits." },
                                { "id": "3", "writer": "Cleo", "text": "Fog, and nothing else." }
                            ]
                        }
                    },
                    "older": {
                        "path": "notices?after=$place",
                        "resultType": "[Notice]",
                        "response": {
                            "notices": [
                                { "id": "$place-1", "writer": "Ada", "text": "Written before notice $place." },
                                { "id": "$place-2", "writer": "Ben", "text": "And this one, too." }
                            ]
                        }
                    }
                },
                "options": { "debugDelay": 0.4 }
            }

            """
        ),
        (
            "story.json",
            """
            [
                { "expect": "A gull took the biscuits." },
                { "expectNot": "Written before notice 3." },
                { "scroll": "tableView", "to": "end" },
                { "wait": 1 },
                { "expect": "Written before notice 3." },
                { "select": "tableView", "row": 1 },
                { "expectNot": "Fog, and nothing else." },
                { "back": true },
                { "refresh": "tableView" },
                { "wait": 1 },
                { "expectNot": "Written before notice 3." }
            ]

            """
        ),
        (
            "Model.xcdatamodeld/Model.xcdatamodel/contents",
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                <entity name="Notice" representedClassName="Notice" syncable="YES">
                    <attribute name="place" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="id"/></userInfo>
                    </attribute>
                    <attribute name="writer" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="writer"/></userInfo>
                    </attribute>
                    <attribute name="text" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="text"/></userInfo>
                    </attribute>
                    <userInfo><entry key="identityAttribute" value="place"/></userInfo>
                </entity>
            </model>

            """
        ),
    ]
}
