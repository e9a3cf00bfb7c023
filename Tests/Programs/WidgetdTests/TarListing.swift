import Foundation
import WidgetTestSupport

/// The names in an archive of `tar`.
enum TarListing {
    struct NotTar: Error {}

    /// The name of the last member; the ends of all before it are found by their sizes.
    static func last(_ path: String) throws -> String {
        let bytes = try FileWork.bytes(path)
        var (start, last) = (0, "")
        while start + 512 <= bytes.count, bytes[start] != 0 {
            let header = bytes[start..<(start + 512)]
            guard let size = Int(text(header.dropFirst(124).prefix(12)).filter(\.isNumber), radix: 8) else {
                throw NotTar()
            }
            // Those of other kinds say more about the member behind them.
            if [0, UInt8(ascii: "0")].contains(header[start + 156]) { last = text(header.prefix(100)) }
            start += 512 + (size + 511) / 512 * 512
        }
        guard start < bytes.count else { throw NotTar() }
        return last
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}
