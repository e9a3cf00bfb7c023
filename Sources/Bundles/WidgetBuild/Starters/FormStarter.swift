/// A form, and a list of what was saved.
extension Starter {
    static let formTexts: [(path: String, text: String)] = [
        (
            "Main.screens",
            """
            # A form, and a list of what was saved. Lines are explained in docs/screens.md.
            screen GuestsViewController "Guests" in stack
                right addButton system add spoken "New guest" -> GuestViewController
                table tableView
                    cell Guest
                        label nameLabel "Name" bold
                        label detailLabel "Detail" size 15 color secondaryLabel
                label emptyLabel "No guests yet" color secondaryLabel align center centered

            screen GuestViewController "New guest" in stack
                left cancelButton "Cancel" -> dismiss
                right saveButton "Save" done
                form guestForm
                    textField nameField placeholder "Name" field name capitals words return next
                    textField emailField placeholder "E-mail" field email keyboard email correction no
                    row
                        label "Vegetarian"
                        switch vegetarianSwitch field vegetarian spoken "Vegetarian"
                    segmented daySegments field day segments "Friday" "Saturday" "Sunday" spoken "Day"
                    textView noteField field note height 100 spoken "Note"

            """
        ),
        (
            "GuestViewController.json",
            """
            {
                "GuestViewController": {
                    "objects": {
                        "save": {
                            "type": "BarButtonActionController",
                            "attrs": { "actionName": "saveGuest" },
                            "outlets": { "sender": "saveButton", "form": "guestForm" }
                        },
                        "saveStatus": {
                            "type": "ActionStatusController",
                            "attrs": { "actionName": "saveGuest", "errorTitle": "Not saved" },
                            "outlets": { "elements": [ "saveButton" ] }
                        }
                    },
                    "elements": {
                        "@self": {
                            "attrs": { "serviceProviderClassName": "StubServiceProvider" },
                            "bindings": [ { "to": "wx_dismissed", "from": "saveStatus.isSuccess" } ]
                        },
                        "guestForm": {
                            "outlets": {
                                "mandatoryFields": [ "nameField", "emailField" ],
                                "optionalFields": [ "vegetarianSwitch", "daySegments", "noteField" ]
                            }
                        },
                        "emailField": {
                            "validation": { "pattern": ".+@.+", "message": "An e-mail address has an @" }
                        },
                        "noteField": { "validation": { "maximumLength": 200 } },
                        "saveButton": { "bindings": [ { "to": "wx_disabled", "from": "saveStatus.inProgress" } ] }
                    }
                }
            }

            """
        ),
        (
            "GuestsViewController.json",
            """
            {
                "GuestsViewController": {
                    "objects": {
                        "guests": {
                            "type": "ManagedObjectsProvider",
                            "attrs": { "entityName": "Guest", "sortByFields": "name" }
                        },
                        "list": {
                            "type": "TableDisplayController",
                            "attrs": { "cellIdentifier": "Guest" },
                            "outlets": {
                                "mainContentProvider": "guests",
                                "emptyDataView": "emptyLabel",
                                "tableView": "tableView"
                            }
                        }
                    },
                    "elements": {
                        "@self": { "attrs": { "serviceProviderClassName": "StubServiceProvider" } },
                        "nameLabel": { "bindings": [ { "from": "content.name", "placeholder": "No name" } ] },
                        "detailLabel": { "bindings": [ { "from": "content.email" } ] }
                    }
                }
            }

            """
        ),
        (
            "StubService.json",
            """
            {
                "defaults": { "baseUrl": "https://guests.example.com" },
                "actions": {
                    "saveGuest": {
                        "path": "guests",
                        "httpMethod": "POST",
                        "resultType": "Guest",
                        "parameters": {
                            "name": "$name", "email": "$email", "vegetarian": "$vegetarian", "day": "$day", "note": "$note"
                        },
                        "response": { "id": "$email", "name": "$name", "email": "$email", "note": "$note" }
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
                { "expect": "No guests yet" },
                { "tap": "addButton" },
                { "expect": "Vegetarian" },
                { "input": "emailField", "value": "ada" },
                { "tap": "saveButton", "refused": true },
                { "expect": "Name is required" },
                { "expect": "An e-mail address has an @" },
                { "input": "nameField", "value": "Ada" },
                { "input": "emailField", "value": "ada@example.com" },
                { "tap": "saveButton" },
                { "wait": 1 },
                { "expect": "ada@example.com" },
                { "expectNot": "No guests yet" }
            ]

            """
        ),
        (
            "Model.xcdatamodeld/Model.xcdatamodel/contents",
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
                <entity name="Guest" representedClassName="Guest" syncable="YES">
                    <attribute name="guestId" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="id"/></userInfo>
                    </attribute>
                    <attribute name="name" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="name"/></userInfo>
                    </attribute>
                    <attribute name="email" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="email"/></userInfo>
                    </attribute>
                    <attribute name="note" optional="YES" attributeType="String">
                        <userInfo><entry key="JSONKeyPath" value="note"/></userInfo>
                    </attribute>
                    <userInfo><entry key="identityAttribute" value="guestId"/></userInfo>
                </entity>
            </model>

            """
        ),
    ]
}
