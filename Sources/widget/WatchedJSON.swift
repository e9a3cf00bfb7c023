import Console

/// JSON for the eyes of a person: what a terminal would obey, and what would turn lines around, is written as an
/// escape. To whoever parses it, it says the same.
enum WatchedJSON {
    static func escaped(_ document: [UInt8]) -> [UInt8] {
        // Outside of texts there is nothing but ASCII.
        guard document.contains(where: { $0 >= 0x80 }) else { return document }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: document, as: UTF8.self).unicodeScalars {
            guard isObeyed(scalar) else {
                text.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            text.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
        return Array(String(text).utf8)
    }

    /// All of them have four digits at most.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Terminal {
    /// Prints a document; whoever reads it by a program gets it as it is.
    static func print(document: [UInt8]) -> ExitCode {
        print(isWatched ? WatchedJSON.escaped(document) : document)
    }
}
