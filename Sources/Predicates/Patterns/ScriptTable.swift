/// The scripts of Unicode, by their names of four letters and their long ones.
enum ScriptTable {
    static func ranges(of name: String) -> [ClosedRange<UInt32>]? {
        guard let packed = byName[name] else { return nil }
        var numbers = PackedNumbers(packed)
        var ranges: [ClosedRange<UInt32>] = []
        var start = 0
        while let gap = numbers.next(), let length = numbers.next() {
            start += gap
            ranges.append(UInt32(start)...UInt32(start + length - 1))
            start += length
        }
        return ranges
    }

    private static let byName: [String: String] = {
        var byName: [String: String] = [:]
        var names: [Substring] = []
        for line in ScriptData.scripts.split(separator: "\n") {
            if line.first == "~" {
                for name in names { byName[String(name), default: ""] += line.dropFirst() }
            } else if let colon = line.firstIndex(of: ":") {
                names = line[..<colon].split(separator: " ")
                for name in names { byName[String(name)] = String(line[line.index(after: colon)...]) }
            }
        }
        return byName
    }()
}
