internal import WidgetBytes

/// A property list in the XML form with everything that its text needs, so that it is written again as it was read:
/// the text between elements, and the spelling of each element.
///
/// A dictionary of the one key `CF$UID` and a number is the spelling of a keyed archive's reference, and becomes one
/// in the table.
package struct XMLPlistFile: Sendable {
    /// The parts of an element in the text: the text before it, its first tag or all of a scalar, the text before its
    /// last tag, and that tag.
    private struct Place {
        var lead: Range<Int>
        var head: Range<Int>
        var tailLead: Range<Int>
        var tail: Range<Int>

        init(_ lead: Range<Int>, _ head: Range<Int>) {
            (self.lead, self.head) = (lead, head)
            tailLead = head.upperBound..<head.upperBound
            tail = tailLead
        }
    }

    /// An open container.
    private struct Container {
        var entry: Int
        var isDictionary: Bool
        /// The index of its first key among the keys of all open containers.
        var firstKey: Int
        var firstValue: Int
    }

    /// The open containers. Two lists hold the keys and values of all of them, because most are small, and there are
    /// many.
    private struct OpenContainers {
        var containers: [Container] = []
        var keys: [UInt32] = []
        var values: [UInt32] = []

        var isEmpty: Bool { containers.isEmpty }

        /// True if the innermost container is a dictionary, and its last key has no value yet.
        var needsValue: Bool {
            guard let innermost = containers.last, innermost.isDictionary else { return false }
            return keys.count - innermost.firstKey > values.count - innermost.firstValue
        }

        mutating func begin(_ entry: Int, isDictionary: Bool) {
            containers.append(
                Container(
                    entry: entry, isDictionary: isDictionary, firstKey: keys.count, firstValue: values.count))
        }

        /// Forgets the innermost one with all it holds.
        mutating func end(_ container: Container) {
            containers.removeLast()
            keys.removeSubrange(container.firstKey...)
            values.removeSubrange(container.firstValue...)
        }
    }

    package private(set) var table = PlistTable()
    private var places: [Place] = []
    private var prolog = 0..<0
    private var epilog = 0..<0
    private let source: [UInt8]
    private let limits: PlistLimits

    package init(parsing bytes: Span<UInt8>, limits: PlistLimits = PlistLimits()) throws(PlistError) {
        guard bytes.count <= min(limits.byteCount, PlistTable.largestFile) else {
            throw PlistError(.limitReached(.byteCount, limit: limits.byteCount), offset: limits.byteCount)
        }
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        source = copy
        self.limits = limits
        try rethrowing(as: {
            PlistError($0.reason, offset: $0.offset, position: TextPosition(of: $0.offset, in: bytes))
        }) { () throws(PlistFault) in try read(bytes) }
    }

    private mutating func read(_ bytes: Span<UInt8>) throws(PlistFault) {
        var lexer = XMLPlistLexer()
        // Apple's writer lets control characters through, and the keys of menus are control characters.
        try XMLPlistLexer.checkCharacters(bytes, allowsControls: true)
        guard try !lexer.prolog(bytes) else { throw PlistFault(.emptyDocument, at: lexer.position) }
        prolog = 0..<lexer.position
        var open = OpenContainers()
        var isComplete = false
        while true {
            let start = lexer.position
            try lexer.skipMisc(bytes)
            let lead = start..<lexer.position
            let tag = try lexer.tag(bytes)
            if tag.kind == .end {
                if open.isEmpty, tag.element == .plist {
                    epilog = start..<bytes.count
                    break
                }
                try close(&open, tag, lead, lexer.position)
                isComplete = open.isEmpty
                continue
            }
            guard !isComplete else { throw PlistFault(.secondRoot, at: tag.offset) }
            guard table.entries.count < limits.objectCount else {
                throw PlistFault(.objectCount, of: limits, at: tag.offset)
            }
            try begin(tag, &open)
            let entry = table.entries.count
            switch tag.element {
            case .dict, .array:
                guard open.containers.count < limits.depth else { throw PlistFault(.depth, of: limits, at: tag.offset) }
                table.add(.array(table.keep(values: [])))
                places.append(Place(lead, tag.offset..<lexer.position))
                open.begin(entry, isDictionary: tag.element == .dict)
                if tag.kind == .empty { try close(&open, tag, lexer.position..<lexer.position, lexer.position) }
            case .key: table.add(.scalar(.string(try lexer.string(tag, bytes))))
            default: table.add(.scalar(try lexer.scalar(tag, bytes)))
            }
            if tag.element != .dict, tag.element != .array { places.append(Place(lead, tag.offset..<lexer.position)) }
            isComplete = open.isEmpty
        }
        guard isComplete else { throw PlistFault(.emptyDocument, at: lexer.position) }
        try lexer.epilog(bytes)
    }

    /// Adds a new element to its container.
    private mutating func begin(_ tag: PlistTag, _ open: inout OpenContainers) throws(PlistFault) {
        guard tag.element != .plist else { throw PlistFault(.unexpectedElement("plist"), at: tag.offset) }
        let number = UInt32(table.entries.count)
        let isInDictionary = open.containers.last?.isDictionary
        if tag.element == .key {
            guard isInDictionary == true else { throw PlistFault(.unexpectedElement("key"), at: tag.offset) }
            if open.needsValue { throw missingValue(open, tag) }
            open.keys.append(number)
        } else if let isInDictionary {
            guard !isInDictionary || open.needsValue else { throw PlistFault(.missingKey, at: tag.offset) }
            open.values.append(number)
        }
    }

    private func missingValue(_ open: OpenContainers, _ tag: PlistTag) -> PlistFault {
        let key = open.keys.last.flatMap { table.scalar(Int(bounded: $0))?.string } ?? ""
        return PlistFault(.missingValue(key: key), at: tag.offset)
    }

    private mutating func close(
        _ open: inout OpenContainers, _ tag: PlistTag, _ lead: Range<Int>, _ end: Int
    ) throws(PlistFault) {
        guard let container = open.containers.last else {
            throw PlistFault(.mismatchedEnd(expected: "plist", found: tag.element.rawValue), at: tag.offset)
        }
        let expected: PlistElement = container.isDictionary ? .dict : .array
        guard tag.element == expected else {
            throw PlistFault(
                .mismatchedEnd(expected: expected.rawValue, found: tag.element.rawValue), at: tag.offset)
        }
        if open.needsValue { throw missingValue(open, tag) }
        if let number = reference(container) {
            open.end(container)
            // All of it is one scalar now.
            table.removeLast(2)
            places.removeLast(2)
            table.set(.scalar(.uid(number)), at: container.entry)
            places[container.entry].head = places[container.entry].head.lowerBound..<end
            places[container.entry].tailLead = end..<end
            places[container.entry].tail = end..<end
            return
        }
        let list = table.keep(keys: open.keys[container.firstKey...], values: open.values[container.firstValue...])
        open.end(container)
        table.set(container.isDictionary ? .dictionary(list) : .array(list), at: container.entry)
        guard tag.kind == .end else { return }
        places[container.entry].tailLead = lead
        places[container.entry].tail = lead.upperBound..<end
    }

    /// The number of an archive's object, if the dictionary spells a reference.
    private func reference(_ container: Container) -> UInt32? {
        // A key and its value are two entries behind the dictionary's own; two keys would be three.
        guard container.isDictionary, table.entries.count == container.entry + 3,
            table.scalar(container.entry + 1)?.string == "CF$UID",
            let number = table.scalar(container.entry + 2)?.integer
        else { return nil }
        return UInt32(exactly: number)
    }

    /// The offset of an entry's first tag in the file.
    func offset(of entry: Int) -> Int? { places.indices.contains(entry) ? places[entry].head.lowerBound : nil }

    /// The same bytes that were parsed.
    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        bytes += source[prolog]
        // What is still to be written, last first.
        var pending: [(entry: UInt32, isEnd: Bool)] = [(UInt32(table.top), false)]
        while let (number, isEnd) = pending.popLast() {
            let place = places[Int(bounded: number)]
            guard !isEnd else {
                bytes += source[place.tailLead]
                bytes += source[place.tail]
                continue
            }
            bytes += source[place.lead]
            bytes += source[place.head]
            switch table.entries[Int(bounded: number)] {
            case .scalar: break
            case .array(let list):
                pending.append((number, true))
                for element in table.numbers(list).reversed() { pending.append((element, false)) }
            case .dictionary(let list):
                pending.append((number, true))
                for (key, value) in zip(table.keys(list), table.values(list)).reversed() {
                    pending.append((value, false))
                    pending.append((key, false))
                }
            }
        }
        return bytes + source[epilog]
    }
}
