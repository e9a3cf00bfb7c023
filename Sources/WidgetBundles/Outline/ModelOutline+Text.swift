extension ModelOutline: CustomStringConvertible {
    /// For people; what the bundle says is made harmless to a terminal.
    package var description: String {
        var text = "model   \(BundleOutline.safe(path))"
        if versions.count > 1, let current {
            text += ", version \(BundleOutline.safe(current)) of \(versions.count)"
        }
        text += "\n"
        if let fault { text += "  unreadable: \(BundleOutline.safe(fault))\n" }
        for entity in entities { text += entity.lines }
        return text
    }
}

extension ModelOutline.Entity {
    fileprivate var lines: String {
        var text = "  entity \(BundleOutline.safe(name))"
        if let superentity { text += " of \(BundleOutline.safe(superentity))" }
        if isAbstract { text += ", abstract" }
        text += ModelOutline.shown(notes) + "\n"
        for attribute in attributes {
            text += "    \(BundleOutline.safe(attribute.name)): \(BundleOutline.safe(attribute.type))"
            if let value = attribute.defaultValue { text += " = \(BundleOutline.safe(value))" }
            text += ModelOutline.shown(attribute.notes) + "\n"
        }
        for relationship in relationships {
            let kind = relationship.isToMany ? "many" : "one"
            text +=
                "    \(BundleOutline.safe(relationship.name)): \(kind) \(BundleOutline.safe(relationship.destination))"
            if let inverse = relationship.inverse { text += ", back by \(BundleOutline.safe(inverse))" }
            text += ModelOutline.shown(relationship.notes) + "\n"
        }
        return text
    }
}

extension ModelOutline {
    fileprivate static func shown(_ notes: [Note]) -> String {
        guard !notes.isEmpty else { return "" }
        let pairs = notes.map { "\(BundleOutline.safe($0.key))=\(BundleOutline.safe($0.value))" }
        return " (\(pairs.joined(separator: ", ")))"
    }
}
