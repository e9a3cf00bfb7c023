/// The next tides as a document for an overview of widgets: one in the compact form, all in the expanded one.
extension Starter {
    static let todayTexts: [(path: String, text: String)] = [
        (
            "Main.widgets.json",
            """
            {
                "schema": 1,
                "modes": ["compact", "expanded"],
                "update": { "interval": 1800 },
                "watch": "$tides",
                "visible": { "$": "NOT (tides.status.empty == YES)" },
                "links": {
                    "tide": {
                        "pattern": "tides://tide/{id:integer}", "scene": "Main",
                        "reveal": { "list": "table", "key": "id" }
                    }
                },
                "sources": { "tides": { "action": "tides", "part": "tides" } },
                "root": {
                    "kind": "table", "id": "table", "payload": { "separators": false, "refresh": "tides" },
                    "items": {
                        "in": { "$": "TERNARY(environment.display.mode == 'compact', SUBQUERY(tides, $t, $t.id == tides[FIRST].id), tides)" },
                        "as": "tide", "key": "$tide.id"
                    },
                    "slots": { "empty": { "kind": "label", "payload": { "text": "$tides.status.error", "placeholder": "No tides yet." } } },
                    "children": [
                        {
                            "kind": "cell",
                            "on": { "select": { "do": "open", "link": "tide", "with": { "id": "$tide.id" } } },
                            "children": [
                                { "kind": "label", "payload": { "text": "$tide.sign" }, "style": { "font": "title2" } },
                                { "kind": "label", "payload": { "text": { "$": ["$tide.name", " at ", "$tide.time"] } } },
                                { "kind": "spacer" },
                                { "kind": "label", "payload": { "text": { "$": ["$tide.height", " m"] } }, "style": { "color": "quiet" } }
                            ]
                        }
                    ]
                }
            }

            """
        ),
        (
            "StubService.json",
            """
            {
                "defaults": { "baseUrl": "https://tides.example.com" },
                "actions": {
                    "tides": {
                        "path": "tides/today",
                        "response": {
                            "tides": [
                                { "id": 1, "sign": "▲", "name": "High water", "time": "04:12", "height": 3.1 },
                                { "id": 2, "sign": "▼", "name": "Low water", "time": "10:31", "height": 0.4 },
                                { "id": 3, "sign": "▲", "name": "High water", "time": "16:40", "height": 2.9 }
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
                { "expect": "High water at 04:12" },
                { "expect": "High water at 16:40" },
                { "select": "table", "row": 1 }
            ]

            """
        ),
    ]
}
