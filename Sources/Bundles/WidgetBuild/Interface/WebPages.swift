internal import WidgetNib
internal import XMLText

/// Views that show pages of the web, and the kinds of text that become links.
extension NibCompiler {
    /// Kinds of text that become links, in the order of their bits.
    static let detectors = [
        "phoneNumber", "link", "address", "calendarEvent", "shipmentTrackingNumber", "flightNumber",
        "lookupSuggestion", "money", "physicalValue",
    ]

    /// Returns a bit for each kind of text that becomes a link.
    func dataDetectors(_ element: XMLElement) -> Int {
        if element["all"] == "YES" { return -1 }
        var bits = 0
        for (position, name) in NibCompiler.detectors.enumerated() where element[name] == "YES" {
            bits |= 1 << position
        }
        return bits
    }

    /// Writes the settings of a web page, which have no id and belong to one view.
    mutating func writeWebConfiguration(_ element: XMLElement, of view: Int) throws(BuildError) {
        guard element["key"] == "configuration" else {
            throw source.fault("\(element.name) for \(element["key"] ?? "nothing") cannot be compiled", element)
        }
        let configuration = draft.add("WKWebViewConfiguration")
        for name in [
            "allowsInlineMediaPlayback", "suppressesIncrementalRendering", "allowsPictureInPictureMediaPlayback",
            "ignoresViewportScaleLimits", "limitsNavigationsToAppBoundDomains",
        ] where element[name] == "YES" {
            draft.set(name, true, of: configuration)
        }
        if element["allowsAirPlayForMediaPlayback"] == "NO" {
            draft.set("allowsAirPlayForMediaPlayback", false, of: configuration)
        }
        if let name = element["applicationNameForUserAgent"] {
            draft.set("applicationNameForUserAgent", text: name, of: configuration)
        }
        if element["selectionGranularity"] == "character" {
            draft.set("selectionGranularity", integer: 1, of: configuration)
        }
        for child in element.children {
            switch (child.name, child["key"]) {
            case ("audiovisualMediaTypes", "mediaTypesRequiringUserActionForPlayback"):
                let bits = (child["audio"] == "YES" ? 1 : 0) | (child["video"] == "YES" ? 2 : 0)
                draft.set("mediaTypesRequiringUserActionForPlayback", integer: bits, of: configuration)
            case ("wkPreferences", "preferences"):
                let preferences = draft.add("WKPreferences")
                if child["minimumFontSize"] != nil {
                    let size = try number("minimumFontSize", of: child)
                    draft.set("minimumFontSize", .content(.double(size)), of: preferences)
                }
                if child["javaScriptEnabled"] == "NO" { draft.set("javaScriptEnabled", false, of: preferences) }
                if child["javaScriptCanOpenWindowsAutomatically"] == "YES" {
                    draft.set("javaScriptCanOpenWindowsAutomatically", true, of: preferences)
                }
                draft.set("preferences", .object(preferences), of: configuration)
            case ("dataDetectorType", "dataDetectorTypes"):
                draft.set("dataDetectorTypes", integer: dataDetectors(child), of: configuration)
            case ("wkWebpagePreferences", "defaultWebpagePreferences"):
                if child["allowsContentJavaScript"] == "NO" {
                    let preferences = draft.add("WKWebpagePreferences")
                    draft.set("allowsContentJavaScript", false, of: preferences)
                    draft.set("defaultWebpagePreferences", .object(preferences), of: configuration)
                }
            default: try notes.leaveOut(child, of: element, knowing: [], path: source.path)
            }
        }
        draft.set("configuration", .object(configuration), of: view)
    }
}
