package import Bytes

/// One object of a keyed archive.
package struct KeyedObject: Sendable {
    package let archive: KeyedArchive
    package let number: UInt32

    /// What the archive holds there: a scalar, or a dictionary with the object's keys.
    package var value: PlistValue { archive.objects[Int(number)] }

    package var path: ValuePath { KeyedArchive.path("$objects").appending(index: Int(number)) }

    /// Nothing is object 0, a string that no archiver writes otherwise.
    package var isNull: Bool { number == 0 || value.string == "$null" }

    /// The object's class and those it inherits from, the class itself first; none for scalars.
    package var classNames: [String] {
        guard let number = value["$class"]?.archiveReference, Int(number) < archive.objects.count else { return [] }
        let description = archive.objects[Int(number)]
        let names = description["$classes"]?.array?.compactMap(\.string) ?? []
        return names.isEmpty ? [description["$classname"]?.string].compactMap { $0 } : names
    }

    package var className: String? { classNames.first }

    /// The object's own keys and values, references not followed, in the order of the file.
    package var fields: [(key: String, value: PlistValue)] {
        value.dictionary?.members.filter { key, _ in key != "$class" }.map { ($0, $1) } ?? []
    }

    /// The object behind a key; `nil` when the key is absent or refers to nothing.
    package func object(_ key: String) throws(PlistError) -> KeyedObject? {
        guard let field = value[key] else { return nil }
        guard let reference = field.archiveReference else {
            throw error(.wrongType(expected: .uid, found: field.typeName), key)
        }
        return try follow(reference, key)
    }

    /// The scalar of a key, whether it stands there or is referred to.
    package func scalar(_ key: String) throws(PlistError) -> PlistValue? {
        guard let field = value[key] else { return nil }
        guard let reference = field.archiveReference else { return field }
        return try follow(reference, key)?.scalar
    }

    /// The object as a value of its own: a number, text, data or date, unwrapped from the objects that
    /// archivers wrap text, data and dates in.
    package var scalar: PlistValue {
        for key in ["NS.string", "NS.bytes", "NS.data", "NS.uuidbytes"] {
            guard let content = value[key] else { continue }
            guard let reference = content.archiveReference else { return content }
            return Int(reference) < archive.objects.count ? archive.objects[Int(reference)] : value
        }
        if let seconds = value["NS.time"]?.double, let date = PlistDate(secondsSince2001: seconds) {
            return .date(date)
        }
        return value
    }

    package func string(_ key: String) throws(PlistError) -> String? {
        guard let value = try scalar(key) else { return nil }
        guard let text = value.string else { throw error(.wrongType(expected: .string, found: value.typeName), key) }
        return text
    }

    package func integer(_ key: String) throws(PlistError) -> Int64? {
        guard let value = try scalar(key) else { return nil }
        if let number = value.integer { return number }
        if let flag = value.boolean { return flag ? 1 : 0 }
        throw error(.wrongType(expected: .integer, found: value.typeName), key)
    }

    /// Archivers write flags as booleans, and some as whole numbers.
    package func boolean(_ key: String) throws(PlistError) -> Bool? {
        guard let value = try scalar(key) else { return nil }
        if let flag = value.boolean { return flag }
        if let number = value.integer { return number != 0 }
        throw error(.wrongType(expected: .boolean, found: value.typeName), key)
    }

    private func follow(_ reference: UInt32, _ key: String) throws(PlistError) -> KeyedObject? {
        guard Int(reference) < archive.objects.count else { throw error(.danglingReference(reference), key) }
        let object = KeyedObject(archive: archive, number: reference)
        return object.isNull ? nil : object
    }

    /// A reason about what stands at that key.
    package func error(_ reason: PlistError.Reason, _ key: String) -> PlistError {
        PlistError(reason, path: path.appending(key: key))
    }
}
