internal import Bytes

extension InterfaceOutline: CustomStringConvertible {
    /// For people; what the bundle says is made harmless to a terminal.
    package var description: String {
        var text = "interface \(BundleOutline.safe(path))\n"
        for screen in screens {
            text += "  screen \(BundleOutline.safe(screen.identifier))\(screen.isEntry ? ", the first" : "")\n"
            for part in screen.parts { text += part.lines }
        }
        for fault in faults { text += "  unreadable: \(BundleOutline.safe(fault))\n" }
        return text
    }
}

extension InterfaceOutline.Part {
    fileprivate var lines: String {
        let indent = String(repeating: "  ", count: min(depth, 20) + 2)
        var text = "\(indent)\(BundleOutline.safe(className))"
        if let title { text += " \(ShownText.quoted(title))" }
        if let restorationIdentifier { text += ", restored as \(BundleOutline.safe(restorationIdentifier))" }
        text += "\n"
        for view in views { text += "\(indent)  \(view.line)\n" }
        for attribute in attributes { text += "\(indent)  \(attribute.line)\n" }
        for segue in segues {
            let name = segue.identifier.map { " \(BundleOutline.safe($0))" } ?? ""
            let destination = segue.destination.map { " to \(BundleOutline.safe($0))" } ?? ""
            text += "\(indent)  segue\(name)\(destination): \(BundleOutline.safe(segue.kind))\n"
        }
        for outlet in outlets { text += "\(indent)  outlet \(outlet.line)\n" }
        for event in events { text += "\(indent)  event \(event.line)\n" }
        return text
    }
}

extension InterfaceOutline.View {
    fileprivate var line: String {
        var words = [String(repeating: "  ", count: min(depth, 20)) + "- \(BundleOutline.safe(className))"]
        if let reuseIdentifier { words.append("for \(BundleOutline.safe(reuseIdentifier))") }
        if let frame { words.append("(" + frame.map { BundleOutline.shown($0) }.joined(separator: ", ") + ")") }
        if let text { words.append(ShownText.quoted(text)) }
        words += attributes.map(\.line)
        return words.joined(separator: " ")
    }
}

extension InterfaceOutline.Attribute {
    fileprivate var line: String { "\(BundleOutline.safe(keyPath))=\(BundleOutline.safe(value))" }
}

extension InterfaceOutline.Connection {
    fileprivate var line: String {
        "\(BundleOutline.safe(source)).\(BundleOutline.safe(name)) = \(BundleOutline.safe(destination))"
    }
}
