/// The sources of a new bundle: a searchable list, and a screen for the tapped row.
package struct Starter: Sendable {
    package let files: [BundleCompiler.File]

    /// Fails when the name is not suitable: letters, digits, hyphens and underscores, a letter first.
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

extension Starter {
    static let storyboard = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="14460" targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" useTraitCollections="YES" initialViewController="nav-00-001">
            <device id="retina4_7" orientation="portrait">
                <adaptation id="fullscreen"/>
            </device>
            <dependencies>
                <deployment identifier="iOS"/>
                <plugIn identifier="com.apple.InterfaceBuilder.IBCocoaTouchPlugin" version="14460"/>
            </dependencies>
            <scenes>
                <!--The stack of screens-->
                <scene sceneID="sce-00-001">
                    <objects>
                        <navigationController id="nav-00-001" sceneMemberID="viewController">
                            <navigationBar key="navigationBar" contentMode="scaleToFill" id="bar-00-001">
                                <autoresizingMask key="autoresizingMask"/>
                            </navigationBar>
                            <connections>
                                <segue destination="vcn-00-001" kind="relationship" relationship="rootViewController" id="seg-00-001"/>
                            </connections>
                        </navigationController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fir-00-001" sceneMemberID="firstResponder"/>
                    </objects>
                    <point key="canvasLocation" x="-800" y="0.0"/>
                </scene>
                <!--Notes-->
                <scene sceneID="sce-00-002">
                    <objects>
                        <viewController restorationIdentifier="NotesViewController" storyboardIdentifier="NotesViewController" id="vcn-00-001" customClass="StandardViewController" customModule="WidgetKit" sceneMemberID="viewController">
                            <view key="view" contentMode="scaleToFill" id="viw-00-001">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                <subviews>
                                    <tableView clipsSubviews="YES" contentMode="scaleToFill" alwaysBounceVertical="YES" keyboardDismissMode="onDrag" dataMode="prototypes" style="plain" separatorStyle="default" rowHeight="64" sectionHeaderHeight="28" sectionFooterHeight="28" id="tab-00-001">
                                        <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                        <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                        <color key="backgroundColor" white="1" alpha="1" colorSpace="custom" customColorSpace="genericGamma22GrayColorSpace"/>
                                        <searchBar key="tableHeaderView" contentMode="redraw" searchBarStyle="minimal" placeholder="Search" id="sea-00-001">
                                            <rect key="frame" x="0.0" y="0.0" width="375" height="56"/>
                                            <autoresizingMask key="autoresizingMask" widthSizable="YES" flexibleMaxY="YES"/>
                                            <userDefinedRuntimeAttributes>
                                                <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="searchBar"/>
                                            </userDefinedRuntimeAttributes>
                                        </searchBar>
                                        <prototypes>
                                            <tableViewCell clipsSubviews="YES" contentMode="scaleToFill" selectionStyle="default" accessoryType="disclosureIndicator" indentationWidth="10" reuseIdentifier="Cell" rowHeight="64" id="cel-00-001" customClass="ContentTableViewCell" customModule="WidgetKit">
                                                <rect key="frame" x="0.0" y="84" width="375" height="64"/>
                                                <autoresizingMask key="autoresizingMask"/>
                                                <tableViewCellContentView key="contentView" opaque="NO" clipsSubviews="YES" multipleTouchEnabled="YES" contentMode="center" tableViewCell="cel-00-001" id="con-00-001">
                                                    <rect key="frame" x="0.0" y="0.0" width="341" height="63.5"/>
                                                    <autoresizingMask key="autoresizingMask"/>
                                                    <subviews>
                                                        <view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="dis-00-001" customClass="ContentDisplayView" customModule="WidgetKit">
                                                            <rect key="frame" x="0.0" y="0.0" width="341" height="63.5"/>
                                                            <subviews>
                                                                <label opaque="NO" userInteractionEnabled="NO" contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Title" textAlignment="natural" lineBreakMode="tailTruncation" baselineAdjustment="alignBaselines" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="lab-00-001">
                                                                    <rect key="frame" x="16" y="10" width="309" height="20.5"/>
                                                                    <fontDescription key="fontDescription" type="boldSystem" pointSize="17"/>
                                                                    <userDefinedRuntimeAttributes>
                                                                        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="titleLabel"/>
                                                                    </userDefinedRuntimeAttributes>
                                                                </label>
                                                                <label opaque="NO" userInteractionEnabled="NO" contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Text" textAlignment="natural" lineBreakMode="tailTruncation" baselineAdjustment="alignBaselines" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="lab-00-002">
                                                                    <rect key="frame" x="16" y="34.5" width="309" height="18"/>
                                                                    <fontDescription key="fontDescription" type="system" pointSize="15"/>
                                                                    <color key="textColor" white="0.33333333333333331" alpha="1" colorSpace="custom" customColorSpace="genericGamma22GrayColorSpace"/>
                                                                    <userDefinedRuntimeAttributes>
                                                                        <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="textLabel"/>
                                                                    </userDefinedRuntimeAttributes>
                                                                </label>
                                                            </subviews>
                                                            <constraints>
                                                                <constraint firstItem="lab-00-001" firstAttribute="top" secondItem="dis-00-001" secondAttribute="top" constant="10" id="cst-00-001"/>
                                                                <constraint firstItem="lab-00-001" firstAttribute="leading" secondItem="dis-00-001" secondAttribute="leading" constant="16" id="cst-00-002"/>
                                                                <constraint firstAttribute="trailing" secondItem="lab-00-001" secondAttribute="trailing" constant="16" id="cst-00-003"/>
                                                                <constraint firstItem="lab-00-002" firstAttribute="top" secondItem="lab-00-001" secondAttribute="bottom" constant="4" id="cst-00-004"/>
                                                                <constraint firstItem="lab-00-002" firstAttribute="leading" secondItem="lab-00-001" secondAttribute="leading" id="cst-00-005"/>
                                                                <constraint firstAttribute="trailing" secondItem="lab-00-002" secondAttribute="trailing" constant="16" id="cst-00-006"/>
                                                            </constraints>
                                                        </view>
                                                    </subviews>
                                                    <constraints>
                                                        <constraint firstItem="dis-00-001" firstAttribute="top" secondItem="con-00-001" secondAttribute="top" id="cst-00-007"/>
                                                        <constraint firstItem="dis-00-001" firstAttribute="leading" secondItem="con-00-001" secondAttribute="leading" id="cst-00-008"/>
                                                        <constraint firstAttribute="trailing" secondItem="dis-00-001" secondAttribute="trailing" id="cst-00-009"/>
                                                        <constraint firstAttribute="bottom" secondItem="dis-00-001" secondAttribute="bottom" id="cst-00-010"/>
                                                    </constraints>
                                                </tableViewCellContentView>
                                                <connections>
                                                    <outlet property="contentDisplayView" destination="dis-00-001" id="out-00-001"/>
                                                    <segue destination="vcd-00-001" kind="show" id="seg-00-002"/>
                                                </connections>
                                            </tableViewCell>
                                        </prototypes>
                                        <userDefinedRuntimeAttributes>
                                            <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="tableView"/>
                                        </userDefinedRuntimeAttributes>
                                    </tableView>
                                </subviews>
                                <color key="backgroundColor" white="1" alpha="1" colorSpace="custom" customColorSpace="genericGamma22GrayColorSpace"/>
                            </view>
                            <navigationItem key="navigationItem" title="Notes" id="itm-00-001"/>
                            <connections>
                                <outlet property="tableView" destination="tab-00-001" id="out-00-002"/>
                            </connections>
                        </viewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fir-00-002" sceneMemberID="firstResponder"/>
                    </objects>
                    <point key="canvasLocation" x="0.0" y="0.0"/>
                </scene>
                <!--One note-->
                <scene sceneID="sce-00-003">
                    <objects>
                        <viewController restorationIdentifier="NoteViewController" storyboardIdentifier="NoteViewController" id="vcd-00-001" customClass="ContentViewController" customModule="WidgetKit" sceneMemberID="viewController">
                            <layoutGuides>
                                <viewControllerLayoutGuide type="top" id="tlg-00-001"/>
                                <viewControllerLayoutGuide type="bottom" id="blg-00-001"/>
                            </layoutGuides>
                            <view key="view" contentMode="scaleToFill" id="viw-00-002">
                                <rect key="frame" x="0.0" y="0.0" width="375" height="667"/>
                                <autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/>
                                <subviews>
                                    <label opaque="NO" userInteractionEnabled="NO" contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Title" textAlignment="natural" lineBreakMode="tailTruncation" numberOfLines="0" baselineAdjustment="alignBaselines" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="lab-00-003">
                                        <rect key="frame" x="16" y="84" width="343" height="28"/>
                                        <fontDescription key="fontDescription" type="boldSystem" pointSize="23"/>
                                        <userDefinedRuntimeAttributes>
                                            <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="titleLabel"/>
                                        </userDefinedRuntimeAttributes>
                                    </label>
                                    <label opaque="NO" userInteractionEnabled="NO" contentMode="left" horizontalHuggingPriority="251" verticalHuggingPriority="251" text="Text" textAlignment="natural" lineBreakMode="tailTruncation" numberOfLines="0" baselineAdjustment="alignBaselines" adjustsFontSizeToFit="NO" translatesAutoresizingMaskIntoConstraints="NO" id="lab-00-004">
                                        <rect key="frame" x="16" y="124" width="343" height="20.5"/>
                                        <fontDescription key="fontDescription" type="system" pointSize="17"/>
                                        <userDefinedRuntimeAttributes>
                                            <userDefinedRuntimeAttribute type="string" keyPath="wx.identifier" value="textLabel"/>
                                        </userDefinedRuntimeAttributes>
                                    </label>
                                </subviews>
                                <color key="backgroundColor" white="1" alpha="1" colorSpace="custom" customColorSpace="genericGamma22GrayColorSpace"/>
                                <constraints>
                                    <constraint firstItem="lab-00-003" firstAttribute="top" secondItem="tlg-00-001" secondAttribute="bottom" constant="20" id="cst-00-011"/>
                                    <constraint firstItem="lab-00-003" firstAttribute="leading" secondItem="viw-00-002" secondAttribute="leading" constant="16" id="cst-00-012"/>
                                    <constraint firstAttribute="trailing" secondItem="lab-00-003" secondAttribute="trailing" constant="16" id="cst-00-013"/>
                                    <constraint firstItem="lab-00-004" firstAttribute="top" secondItem="lab-00-003" secondAttribute="bottom" constant="12" id="cst-00-014"/>
                                    <constraint firstItem="lab-00-004" firstAttribute="leading" secondItem="lab-00-003" secondAttribute="leading" id="cst-00-015"/>
                                    <constraint firstAttribute="trailing" secondItem="lab-00-004" secondAttribute="trailing" constant="16" id="cst-00-016"/>
                                </constraints>
                            </view>
                            <navigationItem key="navigationItem" title="Note" id="itm-00-002"/>
                        </viewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="fir-00-003" sceneMemberID="firstResponder"/>
                    </objects>
                    <point key="canvasLocation" x="800" y="0.0"/>
                </scene>
            </scenes>
        </document>

        """
}
