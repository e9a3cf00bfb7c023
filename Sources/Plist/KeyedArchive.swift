internal import Bytes

/// A graph of objects that a keyed archiver wrote: a list of objects that name each other by number.
///
/// Numbers are followed one at a time, by whoever asks, so that an archive which refers to itself is
/// ordinary data.
package struct KeyedArchive: Sendable {
    /// One object holds everything, so that handing the archive on costs little.
    private final class Contents: Sendable {
        let archiver: String
        let version: Int64
        let top: PlistDictionary
        let objects: [PlistValue]

        init(_ root: PlistCursor) throws(PlistError) {
            archiver = try root.require("$archiver")
            version = try root.optional("$version") ?? 100_000
            top = try root.require("$top")
            objects = try root.require("$objects")
        }
    }

    private let contents: Contents

    package init(parsing bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        try self.init(try PlistValue(parsing: bytes, limits: limits))
    }

    package init(_ value: PlistValue) throws(PlistError) {
        contents = try Contents(PlistCursor(value))
    }

    package var archiver: String { contents.archiver }

    package var version: Int64 { contents.version }

    /// The names of the archive's roots, and their objects.
    package var top: PlistDictionary { contents.top }

    package var objects: [PlistValue] { contents.objects }

    /// The object of that name among the roots; most archives have one root, called `root`.
    package func root(_ name: String = "root") throws(PlistError) -> KeyedObject {
        guard let value = top[name] else { throw PlistError(.missingMember(name), path: Self.path("$top")) }
        guard let number = value.archiveReference else {
            throw PlistError(
                .wrongType(expected: .uid, found: value.typeName), path: Self.path("$top").appending(key: name))
        }
        return try object(number)
    }

    /// The object of that number.
    package func object(_ number: UInt32) throws(PlistError) -> KeyedObject {
        guard Int(number) < objects.count else {
            throw PlistError(.danglingReference(number), path: Self.path("$objects"))
        }
        return KeyedObject(archive: self, number: number)
    }

    static func path(_ key: String) -> ValuePath { ValuePath([.key(key)]) }
}

extension PlistValue {
    /// The number of an object; the XML form says it with a dictionary of one key.
    package var archiveReference: UInt32? {
        switch self {
        case .uid(let number): number
        case .dictionary(let members) where members.count == 1:
            if case .integer(let number)? = members["CF$UID"] { UInt32(exactly: number) } else { nil }
        default: nil
        }
    }
}
