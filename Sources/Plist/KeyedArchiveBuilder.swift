/// Makes a keyed archive, object by object.
///
/// A number can be had before its object is known, so that objects may refer to each other.
package struct KeyedArchiveBuilder {
    private var objects: [PlistValue] = [.string("$null")]
    private var strings: [String: UInt32] = [:]
    private var classes: [[String]: UInt32] = [:]

    /// Refers to nothing.
    package static let null = PlistValue.uid(0)

    package init() {}

    /// A number for an object that is defined later.
    package mutating func reserve() -> UInt32 {
        objects.append(.string("$null"))
        return UInt32(truncatingIfNeeded: objects.count - 1)
    }

    /// A reference to a scalar; equal strings are one object.
    package mutating func add(_ scalar: PlistValue) -> PlistValue {
        if let text = scalar.string {
            if let known = strings[text] { return .uid(known) }
            strings[text] = UInt32(truncatingIfNeeded: objects.count)
        }
        objects.append(scalar)
        return .uid(UInt32(truncatingIfNeeded: objects.count - 1))
    }

    /// A reference to the string, or to nothing.
    package mutating func add(_ text: String?) -> PlistValue { text.map { add(.string($0)) } ?? Self.null }

    /// Defines a reserved object of these classes, its own first.
    package mutating func define(_ number: UInt32, _ classNames: [String], _ fields: [(String, PlistValue)]) {
        let reference = reference(ofClass: classNames)
        // Of two fields with one name the first counts, as no caller writes two.
        objects[Int(number)] = .dictionary(PlistDictionary(fields + [("$class", reference)]) ?? PlistDictionary())
    }

    package mutating func add(_ classNames: [String], _ fields: [(String, PlistValue)]) -> PlistValue {
        let number = reserve()
        define(number, classNames, fields)
        return .uid(number)
    }

    package mutating func add(array elements: [PlistValue]) -> PlistValue {
        add(["NSArray", "NSObject"], [("NS.objects", .array(elements))])
    }

    package mutating func add(set elements: [PlistValue]) -> PlistValue {
        add(["NSSet", "NSObject"], [("NS.objects", .array(elements))])
    }

    package mutating func add(dictionary entries: [(String, PlistValue)]) -> PlistValue {
        let keys = entries.map { add(.string($0.0)) }
        return add(
            ["NSDictionary", "NSObject"], [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
    }

    private mutating func reference(ofClass names: [String]) -> PlistValue {
        if let known = classes[names] { return .uid(known) }
        let members: [(String, PlistValue)] = [
            ("$classname", .string(names.first ?? "NSObject")), ("$classes", .array(names.map { .string($0) })),
        ]
        objects.append(.dictionary(PlistDictionary(members) ?? PlistDictionary()))
        let number = UInt32(truncatingIfNeeded: objects.count - 1)
        classes[names] = number
        return .uid(number)
    }

    /// The archive with these roots, in the binary form.
    package func encoded(top: [(String, PlistValue)], archiver: String = "NSKeyedArchiver") -> [UInt8] {
        let members: [(String, PlistValue)] = [
            ("$version", .integer(100_000)), ("$archiver", .string(archiver)),
            ("$top", .dictionary(PlistDictionary(top) ?? PlistDictionary())), ("$objects", .array(objects)),
        ]
        return PlistValue.dictionary(PlistDictionary(members) ?? PlistDictionary()).encodedBinary()
    }
}
