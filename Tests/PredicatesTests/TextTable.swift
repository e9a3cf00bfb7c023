import FoundationEssentials
import TestSupport

/// Rows of a table under `Tests/Corpus/predicates`: columns between tabs, and `<HEX>` for a scalar that one would not
/// see in an editor.
struct TextTable {
    static func rows(_ name: String) -> [[String]] {
        guard let file = Corpus.files(in: "predicates").first(where: { $0.name == name }) else { return [] }
        return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(plain) }
    }

    private static func plain(_ cell: Substring) -> String {
        var plain = String.UnicodeScalarView()
        var rest = cell.unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "<", let end = rest.firstIndex(of: ">"), let number = UInt32(String(rest[..<end]), radix: 16),
                let meant = Unicode.Scalar(number)
            {
                plain.append(meant)
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(scalar)
            }
        }
        return String(plain)
    }
}
