/// A feed that is pulled to refresh, and loads more at its end.
extension Starter {
    static let feedTexts: [(path: String, text: String)] = [
        (
            "Main.screens",
            """
            # A feed: pull to refresh, and more at the end of the list. Lines are explained in docs/screens.md.
            screen FeedViewController "Feed" in stack
                table tableView
                    cell Post -> PostViewController
                        label authorLabel "Author" bold
                        label textLabel "Text" lines 3
                        label placeLabel "Place" size 13 color gray
                    footer
                        activity moreIndicator
                label emptyLabel "Nothing here yet" color gray align center centered

            screen PostViewController "Post"
                label authorLabel "Author" size 23 bold
                label textLabel "Text" lines 0

            """
        ),
        (
            "FeedViewController.json",
            """
            {
                "FeedViewController": {
                    "objects": {
                        "posts": {
                            "type": "ManagedObjectsProvider",
                            "attrs": { "entityName": "Post", "sortByFields": "place" }
                        },
                        "list": {
                            "type": "TableInfiniteScrollController",
                            "attrs": { "cellIdentifier": "Post", "scrollUpThreshhold": 0 },
                            "outlets": {
                                "mainContentProvider": "posts",
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
                        "authorLabel": { "bindings": [ { "from": "content.author" } ] },
                        "textLabel": { "bindings": [ { "from": "content.text" } ] },
                        "placeLabel": { "bindings": [ { "from": "content.place", "format": "Post %@" } ] },
                        "moreIndicator": { "bindings": [ { "from": "status.inProgress" } ] }
                    }
                }
            }

            """
        ),
        (
            "PostViewController.json",
            """
            {
                "PostViewController": {
                    "elements": {
                        "authorLabel": { "bindings": [ { "from": "content.author" } ] },
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
                "defaults": { "baseUrl": "https://feed.example.com", "resultKeyPath": "posts" },
                "actions": {
                    "newest": {
                        "path": "posts",
                        "resultType": "[Post]",
                        "clearPolicy": "after",
                        "response": {
                            "posts": [
                                { "id": "1", "author": "Ada", "text": "The ferry is late." },
                                { "id": "2", "author": "Ben", "text": "A gull took the biscuits." },
                                { "id": "3", "author": "Cleo", "text": "Fog, and nothing else." }
                            ]
                        }
                    },
                    "older": {
                        "path": "posts?after=$place",
                        "resultType": "[Post]",
                        "response": {
                            "posts": [
                                { "id": "$place-1", "author": "Ada", "text": "Written before post $place." },
                                { "id": "$place-2", "author": "Ben", "text": "And this one, too." }
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
                { "expectNot": "Written before post 3." },
                { "scroll": "tableView", "to": "end" },
                { "wait": 1 },
                { "expect": "Written before post 3." },
                { "select": "tableView", "row": 1 },
                { "expectNot": "Fog, and nothing else." },
                { "back": true },
                { "refresh": "tableView" },
                { "wait": 1 },
                { "expectNot": "Written before post 3." }
            ]

            """
        ),
        (
            "Model.xcdatamodeld/Model.xcdatamodel/contents",
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                <entity name="Post" representedClassName="Post" syncable="YES">
                    <attribute name="place" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="id"/></userInfo>
                    </attribute>
                    <attribute name="author" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="author"/></userInfo>
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
