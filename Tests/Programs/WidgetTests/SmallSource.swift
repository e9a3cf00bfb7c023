/// The source of a bundle without warnings: a list of notes with a field for searching.
///
/// Tests know its lines, so it is not what `widget new` writes.
enum SmallSource {
    static let scheme = "NotesViewController.json"

    /// Writes it into a folder of that name.
    static func write(_ name: String, to folder: Folder) throws {
        for (path, text) in files { try folder.write("\(name)/\(path)", Array((text + "\n").utf8)) }
    }

    /// Writes the same source, whose screen places an order when it opens, at an address that nothing gives a value for.
    static func writeOrdering(_ name: String, to folder: Folder) throws {
        try write(name, to: folder)
        let text = String(decoding: try folder.bytes("\(name)/\(scheme)"), as: UTF8.self)
        try folder.write("\(name)/\(scheme)", Array(text.replacing("StubService", with: "StandardService").utf8))
        try folder.write(
            "\(name)/Service.json",
            Array(
                #"{"defaults": {"baseUrl": "https://notes.example.com"}, "actions": {"notes": {"httpMethod": "POST", "path": "notes/$id"}}}"#
                    .utf8))
    }

    private static let files = [
        "Info.plist": """
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.example.Notes</string>
        <key>CFBundleName</key><string>Notes</string>
        <key>CFBundleShortVersionString</key><string>1.0</string>
        <key>CFBundleVersion</key><string>1</string>
        </dict></plist>
        """,
        "README.md": "A list of notes.",
        "Model.xcdatamodeld/Model.xcdatamodel/contents": """
        <model><entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="text" optional="YES" attributeType="String"/></entity></model>
        """,
        "StubService.json": """
        {
          "defaults": { "baseUrl": "https://notes.example.com" },
          "actions": {
            "notes": {
              "resultType": "[Note]", "clearPolicy": "before",
              "response": [ { "title": "One", "text": "First" }, { "title": "Two", "text": "Second" } ]
            }
          }
        }
        """,
        scheme: """
        {
          "NotesViewController": {
            "objects": {
              "notesProvider": { "type": "ManagedObjectsProvider", "attrs": { "entityName": "Note", "sortByFields": "title" } },
              "notesTable": {
                "type": "TableDisplayController",
                "outlets": {
                  "mainContentProvider": "notesProvider", "searchController": "searchController", "tableView": "tableView"
                }
              },
              "loadAction": { "type": "OnLoadActionController", "attrs": { "actionName": "notes" } },
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
        """,
        "Base.lproj/Main.storyboard": """
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="nav">
        <scenes>
        <scene sceneID="s1"><objects>
        <navigationController id="nav" sceneMemberID="viewController">
        <navigationBar key="navigationBar" id="bar"/>
        <connections><segue destination="notes" kind="relationship" relationship="rootViewController" id="root"/></connections>
        </navigationController>
        </objects></scene>
        <scene sceneID="s2"><objects>
        <viewController restorationIdentifier="NotesViewController" storyboardIdentifier="NotesViewController" \
        id="notes" customClass="StandardViewController" customModule="WidgetKit" sceneMemberID="viewController">
        <view key="view" id="view">
        <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
        <subviews>
        <tableView dataMode="prototypes" rowHeight="64" id="table">
        <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
        <searchBar key="tableHeaderView" placeholder="Search" id="search">
        <rect key="frame" x="0.0" y="0.0" width="375" height="56"/>
        <userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="searchBar"/>
        </userDefinedRuntimeAttributes>
        </searchBar>
        <prototypes>
        <tableViewCell reuseIdentifier="Cell" rowHeight="64" id="cell" customClass="ContentTableViewCell" \
        customModule="WidgetKit">
        <tableViewCellContentView key="contentView" tableViewCell="cell" id="content">
        <subviews>
        <view id="display" customClass="ContentDisplayView" customModule="WidgetKit">
        <subviews>
        <label text="Title" id="title">
        <userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="titleLabel"/>
        </userDefinedRuntimeAttributes>
        </label>
        <label text="Text" id="text">
        <userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="textLabel"/>
        </userDefinedRuntimeAttributes>
        </label>
        </subviews>
        </view>
        </subviews>
        </tableViewCellContentView>
        <connections><outlet property="contentDisplayView" destination="display" id="out1"/></connections>
        </tableViewCell>
        </prototypes>
        <userDefinedRuntimeAttributes>
        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="tableView"/>
        </userDefinedRuntimeAttributes>
        </tableView>
        </subviews>
        </view>
        <navigationItem key="navigationItem" title="Notes" id="item"/>
        <connections><outlet property="tableView" destination="table" id="out2"/></connections>
        </viewController>
        </objects></scene>
        </scenes>
        </document>
        """,
    ]
}
