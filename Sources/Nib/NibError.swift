/// Why a compiled interface was refused, and where in its bytes.
package struct NibError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        // Either form.
        case unknownForm
        /// What NSArchiver wrote before there were keyed archives.
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

        // What the objects say.
        case textOfText
        case invalidNumber(String)
        case missingFile(String)
        case notAStoryboard(String)
    }

    package var reason: Reason
    /// In the bytes of the nib; absent when a folder or its list is at fault.
    package var offset: Int?
    /// In a folder.
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

/// The four tables, in the order in which the header names them.
package enum NibTable: String, CaseIterable, Sendable {
    case objects, keys, values, classes

    /// The fewest bytes an entry can take.
    var smallestEntry: Int {
        switch self {
        case .objects: 3
        case .keys: 1
        case .values, .classes: 2
        }
    }
}

extension NibError: CustomStringConvertible {
    /// One line for a person: place and sentence.
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
        case .notAnArchive: "the property list is no keyed archive: $archiver, $objects or $top is missing or wrong"
        case .unknownArchiver(let name): "the archive was written by \(name), not by NSKeyedArchiver"
        case .textOfText: "a text's bytes are not UTF-8"
        case .invalidNumber(let text): "\(text) does not spell numbers"
        case .missingFile(let name): "\(name) is named but not there"
        case .notAStoryboard(let sentence): sentence
        }
    }
}
