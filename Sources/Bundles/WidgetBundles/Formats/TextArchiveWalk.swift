internal import WidgetBytes
internal import WidgetPlist

/// Checks a compiled interface in the text form of a keyed archive, as macOS and iOS before version 6 have it: that each
/// reference leads to an object, and that reading it takes no more than hosts spend. Nothing of it is decoded.
///
/// The text of menus contains control characters, so the reader is the tolerant one of property lists.
struct TextArchiveWalk {
    /// The limits of readers of interfaces.
    private static let byteCount = 1 << 20
    private static let listedCount = 40_000
    private static let valueCount = 500_000
    /// The work of looking up a class, and that of each class which takes its place, in values.
    private static let classCost = 60
    private static let hintCost = 4
    private static let hintCount = 8

    private let table: PlistTable
    /// Positions of the archive's objects among the property list's.
    private let archived: ArraySlice<UInt32>
    /// Lists and dictionaries in place, each once.
    private var inPlace: [UInt32] = []
    private var placed: Set<UInt32> = []
    private var described: Set<UInt32> = []
    private var classes: Set<String> = ["NSString"]
    private var spent = 0

    static func require(_ bytes: [UInt8]) throws(FormatFault) {
        let limits = PlistLimits(byteCount: byteCount, objectCount: listedCount, visitCount: valueCount)
        let file = try rethrowing(as: { FormatFault(.invalidPart, at: $0.offset ?? 0) }) { () throws(PlistError) in
            try PlistFile(parsing: bytes.span, limits: limits)
        }
        var walk = try TextArchiveWalk(file.table)
        try walk.run()
    }

    private init(_ table: PlistTable) throws(FormatFault) {
        self.table = table
        guard let archiver = table.member("$archiver", of: table.top).flatMap({ table.scalar($0)?.string }),
            let objects = table.member("$objects", of: table.top), case .array(let list) = table.entries[objects],
            let top = table.member("$top", of: table.top), case .dictionary = table.entries[top]
        else { throw FormatFault(.notAnArchive, at: 0) }
        guard archiver.hasSuffix("KeyedArchiver") else { throw FormatFault(.invalidPart, at: 0) }
        archived = table.numbers(list)
        inPlace = [UInt32(top)]
    }

    private mutating func run() throws(FormatFault) {
        // Objects in place are found on the way; the dictionary at the top comes last.
        let top = inPlace.removeLast()
        for entry in archived { try visit(entry) }
        var next = 0
        while next < inPlace.count {
            try visit(inPlace[next])
            next += 1
        }
        try visit(top)
    }

    private mutating func visit(_ entry: UInt32) throws(FormatFault) {
        switch table.entries[Int(bounded: entry)] {
        case .dictionary(let list):
            let (keys, values) = (table.keys(list), table.values(list))
            lookUpClass(keys, values)
            for (key, value) in zip(keys, values) {
                guard let name = table.scalar(Int(bounded: key))?.string else {
                    throw FormatFault(.notAnArchive, at: 0)
                }
                if name == "$class", table.scalar(Int(bounded: value))?.uid != nil {
                    spent += 1
                } else if case .array(let list) = table.entries[Int(bounded: value)] {
                    for element in table.numbers(list) { try take(element) }
                } else {
                    try take(value)
                }
            }
        case .array(let list):
            classes.insert("NSArray")
            for element in table.numbers(list) { try take(element) }
        case .scalar(let value):
            classes.insert(TextArchiveWalk.className(of: value))
            if value.string != "$null" { try take(entry) }
        }
        guard spent <= TextArchiveWalk.valueCount else { throw FormatFault(.invalidPart, at: 0) }
    }

    /// Counts a value, and checks it; one in place is visited later.
    private mutating func take(_ entry: UInt32) throws(FormatFault) {
        spent += 1
        guard let value = table.scalar(Int(bounded: entry)) else {
            if placed.insert(entry).inserted { inPlace.append(entry) }
            return
        }
        if let number = value.uid, Int(bounded: number) >= archived.count, number > 0 {
            throw FormatFault(.invalidPart, at: 0)
        }
        if case .data(let bytes) = value, CombiningMarks.offsetOfTooMany(in: bytes.span) != nil {
            throw FormatFault(.invalidPart, at: 0)
        }
    }

    private mutating func lookUpClass(_ keys: ArraySlice<UInt32>, _ values: ArraySlice<UInt32>) {
        let own = zip(keys, values).first { table.scalar(Int(bounded: $0.0))?.string == "$class" }?.1
        guard let own, let number = table.scalar(Int(bounded: own))?.uid, Int(bounded: number) < archived.count else {
            classes.insert("NSObject")
            return
        }
        let place = archived[archived.startIndex + Int(bounded: number)]
        // Many numbers may refer to one description.
        guard described.insert(place).inserted else { return }
        let description = Int(bounded: place)
        let name = table.member("$classname", of: description).flatMap { table.scalar($0)?.string } ?? "NSObject"
        guard classes.insert(name).inserted else { return }
        var hints: [String] = []
        if let list = table.member("$classhints", of: description), case .array(let names) = table.entries[list] {
            hints = table.numbers(names).prefix(TextArchiveWalk.hintCount).compactMap {
                table.scalar(Int(bounded: $0))?.string
            }
        }
        spent += TextArchiveWalk.classCost + hints.count * TextArchiveWalk.hintCost
        classes.formUnion(hints)
    }

    /// The class that such an object has in the other form.
    private static func className(of value: PlistValue) -> String {
        switch value {
        case .string(let text): text == "$null" ? "$null" : "NSString"
        case .data: "NSData"
        case .boolean, .integer, .largeInteger, .real: "NSNumber"
        case .date: "NSDate"
        case .uid, .array, .dictionary: "NSObject"
        }
    }
}
