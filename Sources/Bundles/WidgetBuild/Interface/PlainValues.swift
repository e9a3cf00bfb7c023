internal import XMLText

/// The values of attributes of elements other than objects: a word where YES or NO belongs, or where a number belongs, is
/// an error, and is not taken for the usual value.
extension InterfaceSource {
    /// Elements whose attributes are all YES or NO, besides their key.
    private static let flags: Set<String> = [
        "accessibilityTraits", "autoresizingMask", "audiovisualMediaTypes", "bool", "dataDetectorType", "extendedEdge",
        "popoverArrowDirection",
    ]

    /// Attributes that are YES or NO, of elements that have others as well.
    private static let truths: [String: Set<String>] = [
        "string": ["base64-UTF8"], "mutableString": ["base64-UTF8"],
        "wkPreferences": [
            "javaScriptEnabled", "javaScriptCanOpenWindowsAutomatically", "fraudulentWebsiteWarningEnabled",
            "tabFocusesLinks", "textInteractionEnabled", "elementFullscreenEnabled",
            "siteSpecificQuirksModeEnabled",
        ],
        "wkWebpagePreferences": ["allowsContentJavaScript"],
        "wkWebViewConfiguration": [
            "allowsInlineMediaPlayback", "suppressesIncrementalRendering", "allowsAirPlayForMediaPlayback",
            "allowsPictureInPictureMediaPlayback", "ignoresViewportScaleLimits",
            "limitsNavigationsToAppBoundDomains", "upgradeKnownHostsToHTTPS",
        ],
    ]

    private static let sides: Set<String> = ["x", "y", "width", "height"]

    /// Records the attributes of an element, and of the parts that only its compilation reads, with a wrong word.
    func checkValues(_ element: XMLElement) throws(BuildError) {
        let truths = InterfaceSource.truths[element.name] ?? []
        for attribute in element.attributes where attribute.name != "key" {
            if InterfaceSource.flags.contains(element.name) || truths.contains(attribute.name) {
                guard NibCompiler.truth(attribute.value) == nil else { continue }
                // Attributes that nothing is known about are left out with a note.
                if let known = InterfaceSource.leaves[element.name], !known.contains(attribute.name) { continue }
                try errors.record(wrong(attribute, of: element, "YES or NO"))
            } else if element.name == "rect", element["key"] == "frame",
                InterfaceSource.sides.contains(attribute.name), Double(attribute.value)?.isFinite != true
            {
                try errors.record(wrong(attribute, of: element, "a number"))
            }
        }
    }

    private func wrong(_ attribute: XMLAttribute, of element: XMLElement, _ expected: String) -> BuildError {
        BuildError(
            "\(attribute.name) is \"\(attribute.value)\", but has to be \(expected)", path: path,
            at: element.position(of: attribute))
    }
}

extension NibCompiler {
    /// Returns the value of an attribute that is YES or NO.
    func truth(_ attribute: XMLAttribute, of element: XMLElement) throws(BuildError) -> Bool {
        if let flag = NibCompiler.truth(attribute.value) { return flag }
        throw BuildError(
            "\(attribute.name) is \"\(attribute.value)\", but has to be YES or NO", path: source.path,
            at: element.position(of: attribute))
    }
}
