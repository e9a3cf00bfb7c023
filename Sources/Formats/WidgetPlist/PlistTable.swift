internal import WidgetBytes

/// The objects of a property list in the order of the file, each once, referring to each other by number.
///
/// Unlike ``PlistValue`` it follows no reference, so cycles are data.
package struct PlistTable: Sendable {
    /// Numbers of objects are kept in 32 bits, and no file has more objects than bytes.
    static let largestFile = Int(clamping: Int64(1) << 31)

    package enum Entry: Sendable {
        case scalar(PlistValue)
        case array(References)
        /// All keys, then as many values.
        case dictionary(References)
    }

    /// The range of a container's references among all of them.
    package struct References: Sendable {
        fileprivate let start: UInt32
        package let count: Int

        var keyCount: Int { count / 2 }
    }

    package private(set) var entries: [Entry] = []
    private var references: [UInt32] = []
    package var top = 0

    init() {}

    package var referenceCount: Int { references.count }

    mutating func reserve(_ count: Int) { entries.reserveCapacity(count) }

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Keeps the references of one container: its keys, if it has any, then its values.
    mutating func keep(keys: ArraySlice<UInt32> = [], values: ArraySlice<UInt32>) -> References {
        let start = UInt32(references.count)
        references.append(contentsOf: keys)
        references.append(contentsOf: values)
        return References(start: start, count: keys.count + values.count)
    }

    mutating func removeLast(_ count: Int) { entries.removeLast(count) }

    /// Sets the fields of a container that are known only after its contents.
    mutating func set(_ entry: Entry, at number: Int) { entries[number] = entry }

    package func numbers(_ list: References) -> ArraySlice<UInt32> {
        references[Int(bounded: list.start)..<Int(bounded: list.start) + list.count]
    }

    package func keys(_ list: References) -> ArraySlice<UInt32> { numbers(list).prefix(list.keyCount) }

    package func values(_ list: References) -> ArraySlice<UInt32> { numbers(list).dropFirst(list.keyCount) }

    /// The value of a scalar; nil for a container.
    package func scalar(_ entry: Int) -> PlistValue? {
        if case .scalar(let value) = entries[entry] { value } else { nil }
    }

    /// The entry under a key of a dictionary.
    package func member(_ key: String, of entry: Int) -> Int? {
        guard case .dictionary(let list) = entries[entry] else { return nil }
        for (name, value) in zip(keys(list), values(list)) where scalar(Int(bounded: name))?.string == key {
            return Int(bounded: value)
        }
        return nil
    }

    package func typeName(_ entry: Int) -> PlistTypeName {
        switch entries[entry] {
        case .scalar(let value): value.typeName
        case .array: .array
        case .dictionary: .dictionary
        }
    }
}

/// A property list of either form as a table, which is written again byte for byte.
package enum PlistFile: Sendable {
    case binary(BinaryPlistFile)
    case xml(XMLPlistFile)

    package init(parsing bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        switch PlistFormat(of: bytes) {
        case .binary: self = .binary(try BinaryPlistFile(parsing: bytes, limits: limits))
        case .xml: self = .xml(try XMLPlistFile(parsing: bytes, limits: limits))
        }
    }

    package var table: PlistTable {
        switch self {
        case .binary(let file): file.table
        case .xml(let file): file.table
        }
    }

    /// The offset of an entry in a file that has lines; `nil` for one of the binary form.
    package func offset(of entry: Int) -> Int? {
        switch self {
        case .binary: nil
        case .xml(let file): file.offset(of: entry)
        }
    }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] {
        switch self {
        case .binary(let file): file.encode()
        case .xml(let file): file.encode()
        }
    }
}
