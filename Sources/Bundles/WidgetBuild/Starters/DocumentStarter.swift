/// A list that is narrowed by typing, and a screen for each row, as documents: no storyboard, no schemes.
extension Starter {
    static let documentTexts: [(path: String, text: String)] = [
        (
            "Main.widgets.json",
            """
            {
                "schema": 1,
                "title": "Places",
                "state": {
                    "typed": "",
                    "places": [
                        { "id": 1, "name": "Harbour", "region": "West coast", "about": "Boats come in with the tide." },
                        { "id": 2, "name": "Mill", "region": "North", "about": "It grinds on windy days alone." },
                        { "id": 3, "name": "Lighthouse", "region": "West coast", "about": "207 steps, and one lamp." }
                    ]
                },
                "root": [
                    {
                        "kind": "textfield", "id": "filter", "payload": { "value": "$typed", "placeholder": "Name or region" },
                        "style": { "margin": { "horizontal": 16, "top": 8 } }
                    },
                    {
                        "kind": "table", "id": "places",
                        "items": {
                            "in": { "$": "SUBQUERY(places, $p, typed == '' OR $p.name CONTAINS[cd] typed OR $p.region CONTAINS[cd] typed)" },
                            "as": "place", "key": "$place.id"
                        },
                        "slots": { "empty": { "kind": "label", "payload": { "text": { "$": ["No place has ", "$typed", "."] } } } },
                        "children": [
                            {
                                "kind": "cell",
                                "payload": { "title": "$place.name", "subtitle": "$place.region", "accessory": "disclosure" },
                                "on": { "select": { "do": "push", "scene": "Place", "with": { "place": "$place" } } }
                            }
                        ]
                    }
                ]
            }

            """
        ),
        (
            "Place.widgets.json",
            """
            {
                "schema": 1,
                "title": "$place.name",
                "parameters": { "place": {} },
                "state": { "visits": 0 },
                "root": [
                    { "kind": "label", "payload": { "text": "$place.about" }, "style": { "font": "title3" } },
                    { "kind": "fact", "payload": { "name": "Region", "value": "$place.region" } },
                    { "kind": "fact", "payload": { "name": "Visits", "value": "$visits" } },
                    {
                        "kind": "button", "id": "visit", "payload": { "text": "I was here", "role": "prominent" },
                        "on": { "tap": { "do": "set", "state": "visits", "to": { "$": "visits + 1" } } }
                    },
                    {
                        "kind": "label", "if": { "$": "visits > 0" },
                        "payload": { "text": { "$": ["Thank you for coming to the ", "$place.name", "."] } },
                        "style": { "color": "quiet" }
                    }
                ]
            }

            """
        ),
        (
            "components/fact.json",
            """
            {
                "comment": "A name and its value in one line; documents use it as a kind.",
                "parameters": { "name": "", "value": "" },
                "body": {
                    "kind": "hstack",
                    "children": [
                        { "kind": "label", "payload": { "text": "$name" }, "style": { "color": "quiet" } },
                        { "kind": "spacer" },
                        { "kind": "label", "payload": { "text": "$value" } }
                    ]
                }
            }

            """
        ),
        (
            "story.json",
            """
            [
                { "expect": "Harbour" },
                { "input": "filter", "value": "west" },
                { "expectNot": "Mill" },
                { "select": "places", "row": 1 },
                { "expect": "207 steps, and one lamp." },
                { "tap": "visit" },
                { "expect": "Thank you for coming to the Lighthouse." },
                { "back": true },
                { "input": "filter", "value": "desert" },
                { "expect": "No place has desert." }
            ]

            """
        ),
    ]
}
