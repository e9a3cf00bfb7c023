internal import WidgetBytes
internal import WidgetPlist

/// A compiled interface in the format of NSKeyedArchiver, a property list of either form: used by macOS, and by iOS
/// before version 6.
package struct KeyedNib: Sendable {
    /// The archive's objects at their positions in the archive; the dictionary at the top becomes the last object, the
    /// root.
    package let graph: NibGraph
    private let file: PlistFile

    package init(parsing bytes: Span<UInt8>, limits: NibLimits = NibLimits()) throws(NibError) {
        let isText = PlistFormat(of: bytes) == .xml
        do throws(PlistError) {
            file = try PlistFile(
                parsing: bytes,
                limits: PlistLimits(
                    byteCount: min(limits.byteCount, isText ? limits.textByteCount : limits.byteCount),
                    objectCount: min(limits.listedCount, isText ? limits.textListedCount : limits.listedCount),
                    visitCount: limits.valueCount))
        } catch {
            throw NibError(.propertyList("\(error.reason)"), at: error.offset)
        }
        var reader = KeyedGraphReader(file.table, limits: limits)
        graph = try reader.read()
    }

    package init(parsing bytes: [UInt8], limits: NibLimits = NibLimits()) throws(NibError) {
        try self.init(parsing: bytes.span, limits: limits)
    }

    /// Returns the same bytes that were parsed.
    package func encode() -> [UInt8] { file.encode() }
}

/// Makes the graph of a keyed archive.
///
/// An object of the archive is a dictionary. Its `$class` refers to a dictionary with the class's name; other values
/// refer to objects by number or are in place. Texts, numbers and data are objects too; they get the class and the key
/// that the other form uses for them. A list in place becomes one value for each element.
struct KeyedGraphReader {
    private let table: PlistTable
    private let limits: NibLimits
    private var graph = NibGraphBuilder()
    /// Positions of the archive's objects among the property list's.
    private var archived: ArraySlice<UInt32> = []
    /// Lists and dictionaries in place where only one value can be: they become separate objects behind the archive's.
    private var inPlace: [UInt32] = []
    private var positions: [UInt32: UInt32] = [:]
    // Many places may refer to one text of the file, so its index is cached.
    private var keyNames: [UInt32?]
    private var classKey: UInt32 = 0
    private var bytesKey: UInt32 = 0
    private var textClass: UInt32 = 0
    private var classNames: [UInt32: UInt32] = [:]
    private var pieces: [NibData?]
    /// The number of entries visited that are not values: one dictionary may be many objects.
    private var skippedCount = 0

    init(_ table: PlistTable, limits: NibLimits) {
        self.table = table
        self.limits = limits
        keyNames = Array(repeating: nil, count: table.entries.count)
        pieces = Array(repeating: nil, count: table.entries.count)
    }

    mutating func read() throws(NibError) -> NibGraph {
        guard let archiver = table.member("$archiver", of: table.top).flatMap({ table.scalar($0)?.string }),
            let objects = table.member("$objects", of: table.top), case .array(let list) = table.entries[objects],
            let top = table.member("$top", of: table.top), case .dictionary = table.entries[top]
        else { throw NibError(.notAnArchive, at: 0) }
        guard archiver.hasSuffix("KeyedArchiver") else { throw NibError(.unknownArchiver(archiver), at: 0) }
        archived = table.numbers(list)
        guard archived.count < limits.objectCount else { throw NibError(.objectCount, of: limits, at: 0) }
        classKey = graph.keyIndex("$class")
        bytesKey = graph.keyIndex(NibKey.bytes)
        textClass = graph.classIndex("NSString")
        for (entry, object) in table.entries.enumerated() {
            if case .scalar(.string("$class")) = object { keyNames[entry] = classKey }
        }
        for entry in archived { try addObject(entry) }
        var next = 0
        while next < inPlace.count {
            guard graph.objectCount < limits.objectCount else { throw NibError(.objectCount, of: limits, at: 0) }
            try addObject(inPlace[next])
            next += 1
        }
        let root = graph.objectCount
        try addObject(UInt32(top))
        return graph.finish(root: root)
    }

    private mutating func addObject(_ entry: UInt32) throws(NibError) {
        switch table.entries[Int(bounded: entry)] {
        case .dictionary(let list):
            let (keys, values) = (table.keys(list), table.values(list))
            graph.beginObject(classIndex(keys, values))
            for (key, value) in zip(keys, values) {
                let name = try keyName(key)
                if name == classKey, table.scalar(Int(bounded: value))?.uid != nil {
                    skippedCount += 1
                } else {
                    try addValue(name, value)
                }
            }
        case .array(let list):
            graph.beginObject(graph.classIndex("NSArray"))
            let key = graph.keyIndex(NibKey.element)
            for element in table.numbers(list) { try addElement(key, element) }
        case .scalar(let value):
            if case .string(let text) = value, text != NibKey.nullClass {
                // Most objects are texts.
                graph.beginObject(textClass)
                graph.add(bytesKey, try content(of: value, entry))
                break
            }
            let (name, key) = KeyedGraphReader.spelling(of: value)
            graph.beginObject(graph.classIndex(name))
            if let key { graph.add(key, try content(of: value, entry)) }
        }
        guard graph.valueCount + skippedCount <= limits.valueCount else {
            throw NibError(.valueCount, of: limits, at: 0)
        }
    }

    private mutating func addValue(_ key: UInt32, _ entry: UInt32) throws(NibError) {
        if let known = pieces[Int(bounded: entry)] { return graph.add(key, .data(known)) }
        switch table.entries[Int(bounded: entry)] {
        case .scalar(let value): graph.add(key, try content(of: value, entry))
        case .array(let list):
            for element in table.numbers(list) { try addElement(key, element) }
            guard graph.valueCount <= limits.valueCount else { throw NibError(.valueCount, of: limits, at: 0) }
        case .dictionary: graph.add(key, .object(try position(inPlace: entry)))
        }
    }

    private mutating func addElement(_ key: UInt32, _ element: UInt32) throws(NibError) {
        if let known = pieces[Int(bounded: element)] { return graph.add(key, .data(known)) }
        if let value = table.scalar(Int(bounded: element)) {
            graph.add(key, try content(of: value, element))
        } else {
            graph.add(key, .object(try position(inPlace: element)))
        }
    }

    private mutating func keyName(_ entry: UInt32) throws(NibError) -> UInt32 {
        if let known = keyNames[Int(bounded: entry)] { return known }
        guard let name = table.scalar(Int(bounded: entry))?.string else { throw NibError(.notAnArchive, at: 0) }
        let index = graph.keyIndex(name)
        keyNames[Int(bounded: entry)] = index
        return index
    }

    private mutating func piece(_ entry: UInt32, _ bytes: some Collection<UInt8>) -> NibData {
        if let known = pieces[Int(bounded: entry)] { return known }
        let data = graph.store(bytes)
        pieces[Int(bounded: entry)] = data
        return data
    }

    /// Returns the object for an entry in place: one object per entry, so that an entry that contains itself costs no
    /// more.
    private mutating func position(inPlace entry: UInt32) throws(NibError) -> UInt32 {
        if let known = positions[entry] { return known }
        let position = archived.count + inPlace.count
        guard position < limits.objectCount else { throw NibError(.objectCount, of: limits, at: 0) }
        inPlace.append(entry)
        positions[entry] = UInt32(position)
        return UInt32(position)
    }

    private mutating func content(of value: PlistValue, _ entry: UInt32) throws(NibError) -> NibContent {
        switch value {
        case .uid(let number):
            // Archives use the first object for nil.
            if number == 0 { return .null }
            guard Int(bounded: number) < archived.count else {
                throw NibError(.objectOutOfRange(Int(bounded: number)), at: 0)
            }
            return .object(number)
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .int64(number)
        case .largeInteger(let number): return .int64(Int64(bitPattern: number))
        case .real(let number): return .double(number)
        case .date(let date): return .double(date.secondsSince2001)
        case .string(let text): return .data(piece(entry, text.utf8))
        case .data(let bytes):
            // Readers of texts accept data; strings have been checked by their parser.
            guard CombiningMarks.offsetOfTooMany(in: bytes.span) == nil else {
                throw NibError(.markCount, of: limits, at: 0)
            }
            return .data(piece(entry, bytes))
        // The caller has handled everything but scalars.
        case .array, .dictionary: return .null
        }
    }

    /// Returns the class that such an object has in the other form, and the key of its contents.
    private static func spelling(of value: PlistValue) -> (class: String, key: String?) {
        switch value {
        case .string: (NibKey.nullClass, nil)
        case .data: ("NSData", NibKey.bytes)
        case .boolean: ("NSNumber", "NS.boolval")
        case .integer, .largeInteger: ("NSNumber", "NS.intval")
        case .real: ("NSNumber", "NS.dblval")
        case .date: ("NSDate", "NS.time")
        case .uid: ("NSObject", NibKey.element)
        case .array: ("NSArray", nil)
        case .dictionary: ("NSDictionary", nil)
        }
    }

    /// Returns an object's class. An object without one is a class itself, or a plain dictionary.
    private mutating func classIndex(_ keys: ArraySlice<UInt32>, _ values: ArraySlice<UInt32>) -> UInt32 {
        for (key, value) in zip(keys, values) where keyNames[Int(bounded: key)] == classKey {
            guard let number = table.scalar(Int(bounded: value))?.uid, Int(bounded: number) < archived.count else {
                break
            }
            // Many numbers may refer to one description.
            let described = archived[archived.startIndex + Int(bounded: number)]
            if let known = classNames[described] { return known }
            let description = Int(bounded: described)
            let name = table.member("$classname", of: description).flatMap { table.scalar($0)?.string } ?? "NSObject"
            let index: UInt32
            if let known = graph.knownClass(name) {
                index = known
            } else {
                let fallbacks = fallbacks(description)
                // A class is looked up, read as texts and cached; no interface has more than some hundred.
                skippedCount += 60 + fallbacks.count * 4
                index = graph.classIndex(name, fallbacks: fallbacks)
            }
            classNames[described] = index
            return index
        }
        return graph.classIndex("NSObject")
    }

    private static let mostHints = 8

    /// Returns the names of the classes that replace this one on hosts without it.
    private func fallbacks(_ description: Int) -> [String] {
        guard let hints = table.member("$classhints", of: description), case .array(let list) = table.entries[hints]
        else { return [] }
        // Many classes may share one list; no class has many hints.
        return table.numbers(list).prefix(Self.mostHints).compactMap { table.scalar(Int(bounded: $0))?.string }
    }
}
