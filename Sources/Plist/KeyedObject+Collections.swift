extension KeyedObject {
    /// The elements of an array or a set, in the order of the file.
    package func elements() throws(PlistError) -> [KeyedObject] {
        try references("NS.objects", orNumbered: "NS.object.")
    }

    /// The keys of a dictionary and what they stand for, in the order of the file.
    package func entries() throws(PlistError) -> [(key: KeyedObject, value: KeyedObject)] {
        let keys = try references("NS.keys", orNumbered: "NS.key.")
        let values = try elements()
        guard keys.count == values.count else {
            throw error(.unequalCounts(keys: keys.count, values: values.count), "NS.keys")
        }
        return zip(keys, values).map { ($0, $1) }
    }

    /// The entries of a dictionary whose keys are text.
    package func namedEntries() throws(PlistError) -> [(key: String, value: KeyedObject)] {
        var result: [(key: String, value: KeyedObject)] = []
        for (key, value) in try entries() {
            guard let text = key.scalar.string else {
                throw error(.keyNotString(key.scalar.typeName), "NS.keys")
            }
            result.append((text, value))
        }
        return result
    }

    /// A list of references: in one array, or, as old archivers wrote it, one key for each.
    private func references(_ key: String, orNumbered prefix: String) throws(PlistError) -> [KeyedObject] {
        var result: [KeyedObject] = []
        guard let list = value[key] else {
            while let reference = value["\(prefix)\(result.count)"] {
                result.append(try element(reference, "\(prefix)\(result.count)"))
            }
            return result
        }
        guard let references = list.array else {
            throw error(.wrongType(expected: .array, found: list.typeName), key)
        }
        result.reserveCapacity(references.count)
        for reference in references { result.append(try element(reference, key)) }
        return result
    }

    private func element(_ field: PlistValue, _ key: String) throws(PlistError) -> KeyedObject {
        guard let number = field.archiveReference else {
            throw error(.wrongType(expected: .uid, found: field.typeName), key)
        }
        guard Int(number) < archive.objects.count else { throw error(.danglingReference(number), key) }
        return KeyedObject(archive: archive, number: number)
    }
}
