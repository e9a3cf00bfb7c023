package import WidgetBytes

/// One object of a keyed archive.
package struct KeyedObject: Sendable {
    package let archive: KeyedArchive
    package let number: UInt32

    private var contents: KeyedArchive.Contents { archive.contents }

    private var entry: Int { contents.entry(number) }

    package var path: ValuePath { KeyedArchive.path("$objects").appending(index: Int(bounded: number)) }

    /// Nothing is object 0, a string that no archiver writes otherwise.
    package var isNull: Bool {
        guard number != 0 else { return true }
        if case .scalar(.string("$null")) = contents.table.entries[entry] { return true }
        return false
    }

    package var typeName: PlistTypeName { contents.table.typeName(entry) }

    /// The number of the object that describes this one's class.
    package var classNumber: UInt32? { self["$class"]?.uid }

    /// The object's class and those it inherits from, the class itself first; none for scalars.
    package var classNames: [String] { classNumber.flatMap { contents.classNames($0) } ?? [] }

    package var className: String? { classNames.first }

    /// The scalar stored directly under the key; references are not followed.
    package subscript(_ key: String) -> PlistValue? { member(key).flatMap { contents.table.scalar($0) } }

    /// The numbers of the object's own keys, in the order of the file; equal texts have one number in all objects.
    package var keyNumbers: [UInt32] {
        guard case .dictionary(let list) = contents.table.entries[entry] else { return [] }
        let classKey = contents.keys.number(of: "$class")
        return contents.table.keys(list).map { contents.keys.number(ofEntry: $0) }.filter { $0 != classKey }
    }

    /// The object's own keys, in the order of the file.
    package var keys: [String] { keyNumbers.map { archive.key($0) } }

    /// The number of the collection's elements or keys.
    package var count: Int {
        if let list = member("NS.objects"), case .array(let elements) = contents.table.entries[list] {
            return elements.count
        }
        if case .dictionary(let list) = contents.table.entries[entry] { return list.keyCount }
        return 0
    }

    private func member(_ key: String) -> Int? { contents.keys.member(key, of: entry, in: contents.table) }

    /// The object behind a key; `nil` if the key is absent or has the null reference.
    package func object(_ key: String) throws(PlistError) -> KeyedObject? {
        guard let field = member(key) else { return nil }
        guard let reference = contents.table.scalar(field)?.uid else {
            throw error(.wrongType(expected: .uid, found: contents.table.typeName(field)), key)
        }
        return try follow(reference, key)
    }

    /// The scalar of a key, stored directly or by reference; `nil` for other objects and missing keys.
    package func scalar(_ key: String) throws(PlistError) -> PlistValue? {
        guard let field = member(key), let value = contents.table.scalar(field) else { return nil }
        guard let reference = value.uid else { return value }
        return try follow(reference, key)?.scalar
    }

    /// The object as a plain value: a number, text, data or date. Archivers wrap text, data and dates in objects, which are
    /// unwrapped.
    package var scalar: PlistValue? {
        guard case .dictionary = contents.table.entries[entry] else { return contents.table.scalar(entry) }
        for key in ["NS.string", "NS.bytes", "NS.data", "NS.uuidbytes"] {
            guard let content = self[key] else { continue }
            guard let reference = content.uid else { return content }
            guard Int(bounded: reference) < archive.objectCount else { return nil }
            return contents.table.scalar(contents.entry(reference))
        }
        if let seconds = self["NS.time"]?.double, let date = PlistDate(secondsSince2001: seconds) {
            return .date(date)
        }
        return nil
    }

    package func string(_ key: String) throws(PlistError) -> String? {
        try typed(key, .string) { $0.string }
    }

    package func integer(_ key: String) throws(PlistError) -> Int64? {
        try typed(key, .integer) { value in value.integer ?? value.boolean.map { $0 ? 1 : 0 } }
    }

    /// Archivers write flags as booleans, and some as whole numbers.
    package func boolean(_ key: String) throws(PlistError) -> Bool? {
        try typed(key, .boolean) { value in value.boolean ?? value.integer.map { $0 != 0 } }
    }

    private func typed<T>(
        _ key: String, _ expected: PlistTypeName, _ convert: (PlistValue) -> T?
    ) throws(PlistError) -> T? {
        guard let field = member(key) else { return nil }
        var found = contents.table.typeName(field)
        var value = contents.table.scalar(field)
        if let reference = value?.uid {
            guard let object = try follow(reference, key) else { return nil }
            value = object.scalar
            found = value?.typeName ?? object.typeName
        }
        guard let value, let converted = convert(value) else {
            throw error(.wrongType(expected: expected, found: found), key)
        }
        return converted
    }

    private func follow(_ reference: UInt32, _ key: String) throws(PlistError) -> KeyedObject? {
        guard Int(bounded: reference) < archive.objectCount else { throw error(.danglingReference(reference), key) }
        let object = KeyedObject(archive: archive, number: reference)
        return object.isNull ? nil : object
    }

    /// An error about the value of that key.
    package func error(_ reason: PlistError.Reason, _ key: String) -> PlistError {
        PlistError(reason, path: path.appending(key: key))
    }
}

extension KeyedObject {
    /// The elements of an array or a set, in the order of the file.
    package func elements() throws(PlistError) -> [KeyedObject] {
        try references("NS.objects", orNumbered: "NS.object.")
    }

    /// The keys of a dictionary with their values, in the order of the file.
    package func entries() throws(PlistError) -> [(key: KeyedObject, value: KeyedObject)] {
        let keys = try references("NS.keys", orNumbered: "NS.key.")
        let values = try elements()
        guard keys.count == values.count else {
            throw error(.unequalCounts(keys: keys.count, values: values.count), "NS.keys")
        }
        return zip(keys, values).map { ($0, $1) }
    }

    /// The entries of a dictionary with text keys.
    package func namedEntries() throws(PlistError) -> [(key: String, value: KeyedObject)] {
        var result: [(key: String, value: KeyedObject)] = []
        for (key, value) in try entries() {
            guard let text = key.scalar?.string else {
                throw error(.keyNotString(key.scalar?.typeName ?? key.typeName), "NS.keys")
            }
            result.append((text, value))
        }
        return result
    }

    /// A list of references: in one array, or, as old archivers wrote it, one key for each.
    private func references(_ key: String, orNumbered prefix: String) throws(PlistError) -> [KeyedObject] {
        var result: [KeyedObject] = []
        guard let list = member(key) else {
            while let reference = member("\(prefix)\(result.count)") {
                result.append(try element(reference, "\(prefix)\(result.count)"))
            }
            return result
        }
        guard case .array(let references) = contents.table.entries[list] else {
            throw error(.wrongType(expected: .array, found: contents.table.typeName(list)), key)
        }
        result.reserveCapacity(references.count)
        for reference in contents.table.numbers(references) { result.append(try element(Int(bounded: reference), key)) }
        return result
    }

    private func element(_ field: Int, _ key: String) throws(PlistError) -> KeyedObject {
        guard let number = contents.table.scalar(field)?.uid else {
            throw error(.wrongType(expected: .uid, found: contents.table.typeName(field)), key)
        }
        guard Int(bounded: number) < archive.objectCount else { throw error(.danglingReference(number), key) }
        return KeyedObject(archive: archive, number: number)
    }
}
