internal import WidgetBytes

/// The reason why a compiled interface was refused, and its place in the bytes.
package struct NibError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        // Either form.
        case unknownForm
        /// The format of NSArchiver, which preceded keyed archives.
        case typedStream
        case truncated
        case limitReached(NibLimits.Name, limit: Int)
        case invalidUTF8

        // The tables of a NIBArchive.
        case unknownFormatVersion(UInt32)
        case unknownCoderVersion(UInt32)
        case noObjects
        case tableOutOfRange(NibTable)
        case tablesOverlap(NibTable, NibTable)
        case numberTooLarge
        case classOutOfRange(Int)
        case keyOutOfRange(Int)
        case valuesOutOfRange
        case valuesOverlap
        case objectOutOfRange(Int)
        case unknownValueType(UInt8)

        // The keyed archive.
        case propertyList(String)
        case notAnArchive
        case unknownArchiver(String)

        // The meaning of the objects.
        case textOfText
        case invalidNumber(String)
        case missingFile(String)
        case notAStoryboard(String)
    }

    package var reason: Reason
    /// The offset in the bytes of the nib; absent when a folder or its list is at fault.
    package var offset: Int?
    /// The path inside a folder.
    package var path: String?

    package init(_ reason: Reason, at offset: Int? = nil, path: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.path = path
    }

    init(_ limit: NibLimits.Name, of limits: NibLimits, at offset: Int) {
        self.init(.limitReached(limit, limit: limits.limit(limit)), at: offset)
    }

    package func within(_ path: String) -> NibError { NibError(reason, at: offset, path: self.path ?? path) }
}

/// The four tables, in the order of the header.
package enum NibTable: String, CaseIterable, Sendable {
    case objects, keys, values, classes

    /// The smallest size of an entry in bytes.
    var smallestEntry: Int {
        switch self {
        case .objects: 3
        case .keys: 1
        case .values, .classes: 2
        }
    }
}

extension NibError: CustomStringConvertible {
    /// One line for people: place and sentence.
    package var description: String {
        let place = [path, offset.map { "offset \($0)" }].compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? "\(reason)" : "\(place): \(reason)"
    }
}

extension NibError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownForm: "neither a NIBArchive nor a keyed archive in a property list"
        case .typedStream:
            "a typed stream, as Interface Builder wrote before 2005; Xcode turns it into a keyed archive"
        case .truncated: "the file ends in the middle"
        case .limitReached(let name, let limit): "more than \(limit) \(name.sentence)"
        case .invalidUTF8: "a name is not UTF-8"
        case .unknownFormatVersion(let version): "format version \(version) is not known; only 1 is"
        case .unknownCoderVersion(let version): "coder version \(version) is not known; 1 to 10 are"
        case .noObjects: "an archive without objects has no root"
        case .tableOutOfRange(let table): "the table of \(table.rawValue) does not lie in the file"
        case .tablesOverlap(let first, let second):
            "the tables of \(first.rawValue) and \(second.rawValue) overlap"
        case .numberTooLarge: "a number takes more than the 31 bits it may have"
        case .classOutOfRange(let index): "there is no class \(index)"
        case .keyOutOfRange(let index): "there is no key \(index)"
        case .valuesOutOfRange: "an object's values lie outside the table"
        case .valuesOverlap: "two objects claim the same values"
        case .objectOutOfRange(let index): "there is no object \(index)"
        case .unknownValueType(let type): "a value has the unknown type \(type)"
        case .propertyList(let sentence): sentence
        case .notAnArchive: "the property list is not a keyed archive: $archiver, $objects or $top is missing or wrong"
        case .unknownArchiver(let name): "the archive was written by \(name), not by NSKeyedArchiver"
        case .textOfText: "a text's bytes are not UTF-8"
        case .invalidNumber(let text): "\(text) does not spell numbers"
        case .missingFile(let name): "\(name) is named but not there"
        case .notAStoryboard(let sentence): sentence
        }
    }
}

/// Limits on compiled interfaces. Each limit has a name, and reaching it is a distinct refusal.
package struct NibLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole file.
        case byteCount
        case objectCount
        case keyCount
        case valueCount
        case classCount
        /// Consecutive combining marks in a text or a name: see ``CombiningMarks``.
        case markCount

        var sentence: String {
            switch self {
            case .byteCount: "bytes"
            case .objectCount: "objects"
            case .keyCount: "keys"
            case .valueCount: "values"
            case .classCount: "classes"
            case .markCount: "combining marks on one letter"
            }
        }
    }

    package var byteCount: Int
    package var objectCount: Int
    package var keyCount: Int
    package var valueCount: Int
    package var classCount: Int
    /// Objects of the property list around a keyed archive: more than the archive's, since every value is one.
    package var listedCount: Int
    /// Bytes and objects of a property list in the XML form, which takes longer to read than the binary one.
    package var textByteCount: Int
    package var textListedCount: Int

    package init(
        byteCount: Int = 4 << 20, objectCount: Int = 200_000, keyCount: Int = 20_000, valueCount: Int = 500_000,
        classCount: Int = 20_000, listedCount: Int = 60_000, textByteCount: Int = 1 << 20,
        textListedCount: Int = 40_000
    ) {
        // Positions are kept in 32 bits.
        let largest = 1 << 30
        self.byteCount = min(byteCount, largest)
        self.objectCount = min(objectCount, largest)
        self.keyCount = min(keyCount, largest)
        self.valueCount = min(valueCount, largest)
        self.classCount = min(classCount, largest)
        self.listedCount = min(listedCount, largest)
        self.textByteCount = min(textByteCount, largest)
        self.textListedCount = min(textListedCount, largest)
    }

    package func limit(_ name: Name) -> Int {
        switch name {
        case .byteCount: byteCount
        case .objectCount: objectCount
        case .keyCount: keyCount
        case .valueCount: valueCount
        case .classCount: classCount
        case .markCount: CombiningMarks.mostInARow
        }
    }

    func name(of table: NibTable) -> Name {
        switch table {
        case .objects: .objectCount
        case .keys: .keyCount
        case .values: .valueCount
        case .classes: .classCount
        }
    }
}
