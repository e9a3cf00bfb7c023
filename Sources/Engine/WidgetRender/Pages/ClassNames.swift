/// The names of classes in markup of the printers, as numbers: their bytes, of which those that are looked for have eight at most.
enum ClassNames {
    static func key(_ name: String) -> UInt64 { name.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Calls with each name of eight bytes at most, as often as it is there.
    static func each(in markup: borrowing Span<UInt8>, _ body: (UInt64) -> Void) {
        var place = 0
        // A quotation mark in a text or a value is escaped, so that each begins or ends a value.
        while let begin = quote(in: markup, from: place), let end = quote(in: markup, from: begin + 1) {
            place = end + 1
            guard isClass(markup, before: begin) else { continue }
            var index = begin + 1
            while index < end {
                var key: UInt64 = 0
                let start = index
                while index < end, markup[index] != 0x20 {
                    key = key << 8 | UInt64(markup[index])
                    index += 1
                }
                if index - start <= 8 { body(key) }
                index += 1
            }
        }
    }

    private static func quote(in markup: borrowing Span<UInt8>, from place: Int) -> Int? {
        var index = place
        while index < markup.count {
            if markup[index] == 0x22 { return index }
            index += 1
        }
        return nil
    }

    private static let attribute = Array(" class=".utf8)

    private static func isClass(_ markup: borrowing Span<UInt8>, before quote: Int) -> Bool {
        let wanted = attribute.span
        guard quote >= wanted.count else { return false }
        for offset in wanted.indices where markup[quote - wanted.count + offset] != wanted[offset] { return false }
        return true
    }
}
