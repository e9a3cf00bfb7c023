/// One record with a picture, and a button that changes it.
extension Starter {
    static let detailTexts: [(path: String, text: String)] = [
        (
            "Main.screens",
            """
            # One record: a picture, a few values, and a button. Lines are explained in docs/screens.md.
            screen PlaceViewController "Place" in stack
                scroll
                    image pictureView scale fill height 160 background #CFE8F5 spoken "Picture"
                    label nameLabel "Name" style title2 lines 0
                    row
                        label regionLabel "Region" color secondaryLabel
                        label visitsLabel "Visits" color secondaryLabel align right
                    label aboutLabel "About" lines 0
                    button visitButton "I was here"
                    activity busyIndicator

            """
        ),
        (
            "PlaceViewController.json",
            """
            {
                "PlaceViewController": {
                    "objects": {
                        "places": {
                            "type": "ManagedObjectsProvider",
                            "attrs": { "entityName": "Place", "resultChain": [ "wx_first" ] }
                        },
                        "place": { "type": "ContentDisplayController", "outlets": { "mainContentProvider": "places" } },
                        "load": { "type": "OnLoadActionController", "attrs": { "actionName": "place" } },
                        "visit": {
                            "type": "ButtonActionController",
                            "attrs": { "actionName": "visit" },
                            "outlets": { "sender": "visitButton" }
                        }
                    },
                    "elements": {
                        "@self": {
                            "attrs": { "serviceProviderClassName": "StubServiceProvider" },
                            "bindings": [ { "to": "title", "from": "content.name", "placeholder": "Place" } ]
                        },
                        "pictureView": { "bindings": [ { "to": "wx_imageName", "from": "content.picture" } ] },
                        "nameLabel": { "bindings": [ { "from": "content.name", "placeholder": "No place" } ] },
                        "regionLabel": { "bindings": [ { "from": "content.region" } ] },
                        "visitsLabel": { "bindings": [ { "from": "content.visits", "format": "%@ visits" } ] },
                        "aboutLabel": { "bindings": [ { "from": "content.about" } ] },
                        "visitButton": { "bindings": [ { "to": "wx_disabled", "from": "visit.status.inProgress" } ] },
                        "busyIndicator": { "bindings": [ { "from": "visit.status.inProgress" } ] }
                    }
                }
            }

            """
        ),
        (
            "StubService.json",
            """
            {
                "defaults": { "baseUrl": "https://places.example.com" },
                "actions": {
                    "place": {
                        "path": "places/1",
                        "resultType": "Place",
                        "response": {
                            "id": "1", "name": "Harbour", "region": "West coast", "visits": 41, "picture": "harbour",
                            "about": "Boats come in with the evening tide. The kiosk on the pier is open until they do."
                        }
                    },
                    "visit": {
                        "path": "places/$placeId/visits",
                        "httpMethod": "POST",
                        "resultType": "Place",
                        "response": { "id": "$placeId", "visits": 42 }
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
                { "expect": "Harbour" },
                { "expect": "41 visits" },
                { "tap": "visitButton" },
                { "wait": 1 },
                { "expect": "42 visits" },
                { "expect": "West coast" }
            ]

            """
        ),
        (
            "Model.xcdatamodeld/Model.xcdatamodel/contents",
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                <entity name="Place" representedClassName="Place" syncable="YES">
                    <attribute name="placeId" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="id"/></userInfo>
                    </attribute>
                    <attribute name="name" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="name"/></userInfo>
                    </attribute>
                    <attribute name="region" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="region"/></userInfo>
                    </attribute>
                    <attribute name="visits" optional="YES" attributeType="Integer 32">
                        <userInfo><entry key="JSONKeyPath" value="visits"/></userInfo>
                    </attribute>
                    <attribute name="picture" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="picture"/></userInfo>
                    </attribute>
                    <attribute name="about" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="about"/></userInfo>
                    </attribute>
                    <userInfo><entry key="identityAttribute" value="placeId"/></userInfo>
                </entity>
            </model>

            """
        ),
    ]

    /// A picture of a harbour: a PNG of 48 by 32 points in four colours.
    static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00,
        0x00, 0x00, 0x30, 0x00, 0x00, 0x00, 0x20, 0x02, 0x03, 0x00, 0x00, 0x00, 0x29, 0xBA, 0x13, 0x8F, 0x00,
        0x00, 0x00, 0x0C, 0x50, 0x4C, 0x54, 0x45, 0xCF, 0xE8, 0xF5, 0xF5, 0xC5, 0x42, 0x2E, 0x6F, 0x9E, 0x4F,
        0x93, 0xC2, 0x6E, 0x62, 0x7C, 0xEB, 0x00, 0x00, 0x00, 0x55, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63,
        0x60, 0xA0, 0x12, 0x60, 0x0C, 0x0D, 0x40, 0x70, 0x58, 0x43, 0x43, 0x10, 0x1C, 0xD1, 0xD0, 0x50, 0x5A,
        0x71, 0x50, 0xEC, 0x41, 0x71, 0x01, 0x95, 0xC0, 0xBF, 0x55, 0xAB, 0x7F, 0xAD, 0x5A, 0xFF, 0x6A, 0xD5,
        0xFE, 0x55, 0xAB, 0xFE, 0x31, 0x00, 0x31, 0x9C, 0xCB, 0x00, 0x16, 0x82, 0x72, 0x19, 0xA0, 0x2A, 0xC0,
        0x5C, 0x06, 0xB8, 0x06, 0x20, 0x97, 0x01, 0x49, 0x3F, 0x50, 0x0F, 0x92, 0x71, 0x0C, 0x48, 0xFA, 0xF7,
        0x33, 0x20, 0xE9, 0x7F, 0xC5, 0x80, 0xA4, 0x7F, 0x15, 0x00, 0x91, 0x7B, 0x62, 0x86, 0x16, 0xCA, 0x17,
        0xE2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}
