internal import Bytes

/// A graph of objects that a keyed archiver wrote: a list of objects that name each other by number.
///
/// Numbers are followed one at a time, by whoever asks, so that an archive which refers to itself is
/// ordinary data.
package struct KeyedArchive: Sendable {
    package let archiver: String
    package let version: Int64
    /// The names of the archive's roots, and their objects.
    package let top: PlistDictionary
    package let objects: [PlistValue]
    private let source: Source

    /// What writing needs: the table of a binary file, which says more than its value.
    private enum Source {
        case table(BinaryPlistTable)
        case value(PlistValue)
    }

    package init(parsing bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        let value = try PlistValue(parsing: bytes, limits: limits)
        let source: Source
        if PlistFormat(of: bytes.span) == .binary {
            source = .table(try BinaryPlistTable(parsing: bytes, limits: limits))
        } else {
            source = .value(value)
        }
        try self.init(value, source)
    }

    package init(_ value: PlistValue) throws(PlistError) {
        try self.init(value, .value(value))
    }

    private init(_ value: PlistValue, _ source: Source) throws(PlistError) {
        let root = PlistCursor(value)
        archiver = try root.require("$archiver")
        version = try root.optional("$version") ?? 100_000
        top = try root.require("$top")
        objects = try root.require("$objects")
        self.source = source
    }

    /// The archive in the binary form; one that was read from it is the same bytes again.
    package func encoded() -> [UInt8] {
        switch source {
        case .table(let table): table.encoded()
        case .value(let value): value.encodedBinary()
        }
    }

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
