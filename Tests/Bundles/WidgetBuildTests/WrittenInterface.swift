import Testing
import WidgetBuild
import WidgetNib

/// A separate interface with one view around others, in the form that Xcode writes.
struct WrittenInterface {
    let interface: NibInterface
    let notes: [String]

    /// - Parameters:
    ///   - parts: the parts of the view: its subviews, constraints and others.
    ///   - document: further elements of the document.
    init(
        _ parts: String, attributes: String = "", document: String = "", path: String = "Card.xib",
        colors: CatalogColors = CatalogColors()
    ) throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0" toolsVersion="21507" targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" useTraitCollections="YES" useSafeAreas="YES" colorMatched="YES">
            <device id="retina4_7" orientation="portrait" appearance="light"/>
            <dependencies><deployment identifier="iOS"/></dependencies>\(document)
            <objects>
            <placeholder placeholderIdentifier="IBFilesOwner" id="-1" userLabel="File's Owner"/>
            <placeholder placeholderIdentifier="IBFirstResponder" id="-2" customClass="UIResponder"/>
            <view contentMode="scaleToFill" id="root"\(attributes)>
            <rect key="frame" x="0.0" y="0.0" width="320" height="480"/>
            \(parts)
            <point key="canvasLocation" x="53" y="375"/>
            </view></objects></document>
            """
        let compiled = try InterfaceCompiler.compile(Array(text.utf8), path: path, colors: colors)
        interface = NibInterface(try NibDocument(parsing: try #require(compiled.files.first).bytes).graph)
        notes = compiled.notes
    }

    var root: NibElement {
        get throws { try #require(interface.topLevelObjects.first) }
    }

    /// The first subview.
    var first: NibElement {
        get throws { try #require(try root.subviews.first) }
    }

    var accessibility: [NibElement] {
        interface.graph.rootElement.elements("UINibAccessibilityConfigurationsKey")
    }
}
