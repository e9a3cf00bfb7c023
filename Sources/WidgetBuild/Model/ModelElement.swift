internal import Bytes
internal import XMLText

/// An element of a model's source whose attributes are all asked for, or known to mean nothing here.
struct ModelElement {
    let element: XMLElement
    let path: String

    /// Refuses attributes that are neither read nor of the editor alone.
    init(_ element: XMLElement, path: String, reads: Set<String>) throws(BuildError) {
        (self.element, self.path) = (element, path)
        for attribute in element.attributes
        where !reads.contains(attribute.name) && !Self.withoutMeaning.contains(attribute.name) {
            throw BuildError(
                "the attribute \(ShownText.name(attribute.name)) of \(element.name) cannot be compiled", path: path,
                at: element.position(of: attribute))
        }
    }

    /// What editors and generators of code keep there, and what concerns synchronising with Apple's services.
    private static let withoutMeaning: Set = [
        "syncable", "codeGenerationType", "usesScalarValueType", "customClassName", "usedWithCloudKit",
        "usedWithSwiftData", "storedInTruthFile", "preserveAfterDeletion", "customTypeName",
    ]

    subscript(_ attribute: String) -> String? { element[attribute] }

    func error(_ sentence: String, at attribute: String? = nil) -> BuildError {
        let place = element.attributes.first { $0.name == attribute }
        return BuildError(
            sentence, path: path, at: place.map { element.position(of: $0) } ?? element.position)
    }

    func require(_ attribute: String) throws(BuildError) -> String {
        guard let value = element[attribute], !value.isEmpty else {
            throw error("\(element.name) has no \(attribute)")
        }
        return value
    }

    func flag(_ attribute: String) throws(BuildError) -> Bool {
        switch element[attribute] {
        case nil, "NO": return false
        case "YES": return true
        default: throw error("\(attribute) must be YES or NO", at: attribute)
        }
    }

    func integer(_ attribute: String) throws(BuildError) -> Int64? {
        guard let text = element[attribute] else { return nil }
        guard let value = Int64(text) else { throw error("\(attribute) must be a whole number", at: attribute) }
        return value
    }

    func number(_ attribute: String) throws(BuildError) -> Double? {
        guard let text = element[attribute] else { return nil }
        guard let value = Double(text), value.isFinite else {
            throw error("\(attribute) must be a number", at: attribute)
        }
        return value
    }

    /// The elements in it, with what reads each; others cannot be compiled.
    func children(_ names: Set<String>) throws(BuildError) -> [XMLElement] {
        for child in element.children where !names.contains(child.name) {
            throw BuildError(
                "the element \(ShownText.name(child.name)) in \(element.name) cannot be compiled", path: path,
                at: child.position)
        }
        return element.children
    }
}
