/// A type that one value of a property list can be turned into.
package protocol PlistDecodable {
    init(plist: PlistCursor) throws(PlistError)
}

extension PlistValue: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) { self = plist.value }
}

extension PlistDictionary: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.dictionary else { throw plist.wrongType(.dictionary) }
        self = value
    }
}

extension PlistDate: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.date else { throw plist.wrongType(.date) }
        self = value
    }
}

extension String: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.string else { throw plist.wrongType(.string) }
        self = value
    }
}

extension Bool: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.boolean else { throw plist.wrongType(.boolean) }
        self = value
    }
}

extension Int64: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        switch plist.value {
        case .integer(let value): self = value
        case .largeInteger: throw plist.error(.numberNotRepresentable)
        default: throw plist.wrongType(.integer)
        }
    }
}

extension Int: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = Int(exactly: try Int64(plist: plist)) else { throw plist.error(.numberNotRepresentable) }
        self = value
    }
}

extension Double: PlistDecodable {
    /// Any number; whole ones are rounded to the nearest double.
    package init(plist: PlistCursor) throws(PlistError) {
        guard let value = plist.value.double else { throw plist.wrongType(.real) }
        self = value
    }
}

extension Array: PlistDecodable where Element: PlistDecodable {
    package init(plist: PlistCursor) throws(PlistError) {
        self = []
        for element in try plist.elements() { append(try Element(plist: element)) }
    }
}
