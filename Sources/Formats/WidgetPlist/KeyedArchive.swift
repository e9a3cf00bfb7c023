internal import WidgetBytes

/// A graph of objects that a keyed archiver wrote: a list of objects that name each other by number.
///
/// Readers follow numbers one at a time, so an archive that refers to itself is ordinary data.
package struct KeyedArchive: Sendable {
    /// One object holds everything, so that handing the archive on costs little.
    final class Contents: Sendable {
        let table: PlistTable
        /// The place of each object in the table.
        let objects: ArraySlice<UInt32>
        let top: Int
        let archiver: String
        let version: Int64
        let keys: KeyNumbers
        /// By the entry that describes the class.
        let classNames: [UInt32: [String]]

        /// No class has so many ancestors.
        private static let longestLineage = 32

        init(_ table: PlistTable) throws(PlistError) {
            self.table = table
            let keys = try KeyNumbers(of: table)
            func member(_ key: String, _ type: PlistTypeName) throws(PlistError) -> Int {
                guard let entry = keys.member(key, of: table.top, in: table) else {
                    throw PlistError(.missingMember(key))
                }
                guard table.typeName(entry) == type else {
                    throw PlistError(
                        .wrongType(expected: type, found: table.typeName(entry)), path: KeyedArchive.path(key))
                }
                return entry
            }
            guard case .dictionary = table.entries[table.top] else {
                throw PlistError(.wrongType(expected: .dictionary, found: table.typeName(table.top)))
            }
            archiver = table.scalar(try member("$archiver", .string))?.string ?? ""
            let version = keys.member("$version", of: table.top, in: table).flatMap { table.scalar($0)?.integer }
            self.version = version ?? 100_000
            top = try member("$top", .dictionary)
            guard case .array(let list) = table.entries[try member("$objects", .array)] else {
                throw PlistError(.missingMember("$objects"))
            }
            objects = table.numbers(list)
            self.keys = keys
            classNames = Self.classNames(objects, keys, table)
        }

        /// The names of a class, from the object of that number.
        func classNames(_ number: UInt32) -> [String]? {
            Int(bounded: number) < objects.count ? classNames[objects[objects.startIndex + Int(bounded: number)]] : nil
        }

        /// The entry of an object; the caller has checked that there is one of this number.
        func entry(_ number: UInt32) -> Int { Int(bounded: objects[objects.startIndex + Int(bounded: number)]) }

        private static func classNames(
            _ objects: ArraySlice<UInt32>, _ keys: KeyNumbers, _ table: PlistTable
        ) -> [UInt32: [String]] {
            var result: [UInt32: [String]] = [:]
            guard let classKey = keys.number(of: "$class") else { return result }
            for object in objects {
                guard let entry = keys.member(classKey, of: Int(bounded: object), in: table),
                    let number = table.scalar(entry)?.uid, Int(bounded: number) < objects.count,
                    case let described = objects[objects.startIndex + Int(bounded: number)], result[described] == nil
                else { continue }
                let description = Int(bounded: described)
                var names: [String] = []
                if let list = keys.member("$classes", of: description, in: table),
                    case .array(let elements) = table.entries[list]
                {
                    names = table.numbers(elements).prefix(longestLineage).compactMap {
                        table.scalar(Int(bounded: $0))?.string
                    }
                }
                if names.isEmpty, let name = keys.member("$classname", of: description, in: table) {
                    names = [table.scalar(name)?.string].compactMap { $0 }
                }
                result[described] = names
            }
            return result
        }
    }

    let contents: Contents

    package init(parsing bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        try self.init(try PlistFile(parsing: bytes.span, limits: limits).table)
    }

    package init(_ table: PlistTable) throws(PlistError) {
        contents = try Contents(table)
    }

    package var archiver: String { contents.archiver }

    package var version: Int64 { contents.version }

    /// The text of a key by its number, which begin at 1.
    package func key(_ number: UInt32) -> String { contents.keys.texts[Int(bounded: number) - 1] }

    package var keyCount: Int { contents.keys.texts.count }

    package var objectCount: Int { contents.objects.count }

    /// The object of that name among the roots; most archives have one root, called `root`.
    package func root(_ name: String = "root") throws(PlistError) -> KeyedObject {
        let table = contents.table
        guard let entry = contents.keys.member(name, of: contents.top, in: table) else {
            throw PlistError(.missingMember(name), path: Self.path("$top"))
        }
        guard let number = table.scalar(entry)?.uid else {
            throw PlistError(
                .wrongType(expected: .uid, found: table.typeName(entry)), path: Self.path("$top").appending(key: name))
        }
        return try object(number)
    }

    /// The object of that number.
    package func object(_ number: UInt32) throws(PlistError) -> KeyedObject {
        guard Int(bounded: number) < objectCount else {
            throw PlistError(.danglingReference(number), path: Self.path("$objects"))
        }
        return KeyedObject(archive: self, number: number)
    }

    static func path(_ key: String) -> ValuePath { ValuePath([.key(key)]) }
}

/// The keys of all dictionaries as numbers: a key is looked up by comparing numbers, not texts.
struct KeyNumbers: Sendable {
    private var numbers: [String: UInt32] = [:]
    private(set) var texts: [String] = []
    /// Of each entry that is a key; 0 for others.
    private var ofEntries: [UInt32]
    /// Indexes of dictionaries too large to scan for each question: the keys' numbers in order, with their places.
    private var sorted: [Int: [(number: UInt32, place: UInt32)]] = [:]

    private static let largestScanned = 24

    init(of table: PlistTable) throws(PlistError) {
        ofEntries = Array(repeating: 0, count: table.entries.count)
        // Which dictionary has had the key last.
        var lastOwner: [Int] = [-1]
        for (owner, entry) in table.entries.enumerated() {
            guard case .dictionary(let list) = entry else { continue }
            defer { if list.keyCount > Self.largestScanned { sort(list, of: owner, in: table) } }
            for key in table.keys(list) {
                if ofEntries[Int(bounded: key)] == 0 {
                    guard let text = table.scalar(Int(bounded: key))?.string else {
                        throw PlistError(.keyNotString(table.typeName(Int(bounded: key))))
                    }
                    let number = numbers[text] ?? UInt32(numbers.count + 1)
                    if numbers.updateValue(number, forKey: text) == nil {
                        lastOwner.append(-1)
                        texts.append(text)
                    }
                    ofEntries[Int(bounded: key)] = number
                }
                let number = Int(bounded: ofEntries[Int(bounded: key)])
                guard lastOwner[number] != owner else {
                    throw PlistError(.duplicateKey(table.scalar(Int(bounded: key))?.string ?? ""))
                }
                lastOwner[number] = owner
            }
        }
    }

    private mutating func sort(_ list: PlistTable.References, of owner: Int, in table: PlistTable) {
        var keys: [(number: UInt32, place: UInt32)] = []
        keys.reserveCapacity(list.keyCount)
        for (place, key) in table.keys(list).enumerated() { keys.append((ofEntries[Int(bounded: key)], UInt32(place))) }
        // Most files name keys in the order of their first use.
        if zip(keys, keys.dropFirst()).contains(where: { $0.number > $1.number }) {
            keys.sort { $0.number < $1.number }
        }
        sorted[owner] = keys
    }

    /// Above 0; `nil` if the text is not a key of any dictionary.
    func number(of key: String) -> UInt32? { numbers[key] }

    func number(ofEntry entry: UInt32) -> UInt32 { ofEntries[Int(bounded: entry)] }

    /// The value under a key of a dictionary.
    func member(_ key: String, of entry: Int, in table: PlistTable) -> Int? {
        number(of: key).flatMap { member($0, of: entry, in: table) }
    }

    func member(_ number: UInt32, of entry: Int, in table: PlistTable) -> Int? {
        guard case .dictionary(let list) = table.entries[entry] else { return nil }
        let all = table.numbers(list)
        if let sorted = sorted[entry] {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = low + (high - low) / 2
                if sorted[middle].number < number { low = middle + 1 } else { high = middle }
            }
            guard low < sorted.count, sorted[low].number == number else { return nil }
            return Int(bounded: all[all.startIndex + Int(bounded: sorted[low].place) + list.keyCount])
        }
        var place = all.startIndex
        for _ in 0..<list.keyCount {
            if ofEntries[Int(bounded: all[place])] == number { return Int(bounded: all[place + list.keyCount]) }
            place += 1
        }
        return nil
    }
}

/// Makes a keyed archive, object by object.
///
/// A number may be reserved before its object is known, so that objects can refer to each other.
package struct KeyedArchiveBuilder {
    private var objects: [PlistValue] = [.string("$null")]
    private var strings: [String: UInt32] = [:]
    private var classes: [[String]: UInt32] = [:]

    /// The null reference.
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

    /// A reference to the string, or the null reference.
    package mutating func add(_ text: String?) -> PlistValue { text.map { add(.string($0)) } ?? Self.null }

    /// Defines a reserved object of these classes, its own first.
    package mutating func define(_ number: UInt32, _ classNames: [String], _ fields: [(String, PlistValue)]) {
        let reference = reference(ofClass: classNames)
        // Of two fields with one name the first counts, as no caller writes two.
        objects[Int(bounded: number)] = .dictionary(
            PlistDictionary(fields + [("$class", reference)]) ?? PlistDictionary())
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
            ["NSDictionary", "NSObject"], [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map { $0.1 }))])
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
