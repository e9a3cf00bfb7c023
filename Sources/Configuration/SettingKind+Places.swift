internal import Addresses
import Arguments
import Logging

extension SettingKind where Value == String {
    /// A path of the file system.
    static var path: SettingKind {
        SettingKind(
            name: "path", expectation: "a path",
            read: { found in found.characters.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } },
            show: QuotedText.plain,
            literal: SettingText.quoted)
    }

    /// An http or https URL to which paths can be appended; slashes at the end are dropped.
    static var url: SettingKind {
        SettingKind(
            name: "URL", expectation: "a URL like https://widgets.example.com, without user, query or fragment",
            read: { $0.characters.flatMap(PublicURL.parse) },
            show: { $0 },
            literal: SettingText.quoted)
    }
}

extension SettingKind where Value == Secret {
    /// A bearer token chosen by the operator.
    static var token: SettingKind {
        SettingKind(
            name: "token", range: "32 … 4096 characters",
            expectation: "32 to 4096 visible ASCII characters without spaces",
            read: { found in
                guard let text = found.characters, (32...4_096).contains(text.utf8.count),
                    text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
                else { return nil }
                return Secret(text)
            },
            show: { _ in SettingText.masked },
            literal: { _ in SettingText.quoted(SettingText.masked) })
    }
}

extension SettingKind {
    /// Several values: a list or one string in a file, separated by commas elsewhere.
    private static func list<Element: Sendable>(
        name: String, expectation: String, atLeast minimumCount: Int,
        parse: @escaping @Sendable (String) -> Element?, show: @escaping @Sendable (Element) -> String
    ) -> SettingKind where Value == [Element] {
        SettingKind(
            name: name, range: minimumCount > 0 ? "at least \(minimumCount)" : "", expectation: expectation,
            isList: true,
            read: { found in
                guard let texts = listed(found) else { return nil }
                let values = texts.compactMap(parse)
                return values.count == texts.count && values.count >= minimumCount ? values : nil
            },
            show: { $0.isEmpty ? SettingText.none : $0.map { QuotedText.plain(show($0)) }.joined(separator: ", ") },
            literal: { values in
                let literals = values.map { SettingText.quoted(show($0)) }
                return literals.count == 1 ? literals[0] : "[" + literals.joined(separator: ", ") + "]"
            })
    }

    /// The texts of a list in any of its spellings; `nil` if it is none.
    private static func listed(_ found: FoundValue) -> [String]? {
        switch found {
        case .text(let text), .string(let text):
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            return text.isEmpty ? [] : parts.map { String($0.trimmingSpaces) }
        case .array(let values):
            var texts: [String] = []
            for value in values {
                switch value {
                case .string(let text): texts.append(text)
                // A repeated flag: each may hold several, as one would.
                case .text(let text):
                    texts += text.split(separator: ",", omittingEmptySubsequences: false).map {
                        String($0.trimmingSpaces)
                    }
                default: return nil
                }
            }
            return texts
        default:
            return nil
        }
    }
}

extension SettingKind where Value == [ListenAddress] {
    static func addresses(atLeast minimumCount: Int) -> SettingKind {
        list(
            name: "addresses", expectation: "HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them",
            atLeast: minimumCount, parse: { ListenAddress($0) }, show: \.description)
    }
}

extension SettingKind where Value == [AddressRange] {
    static var addressRanges: SettingKind {
        list(
            name: "ranges",
            expectation: "addresses or ranges like 10.0.0.0/8 or fd00::/8, with no bits set beyond the prefix",
            atLeast: 0, parse: { AddressRange($0) }, show: \.description)
    }
}

extension SettingKind where Value == [String] {
    /// Ends of paths, in which `*` stands for any characters but slashes.
    static var patterns: SettingKind {
        list(
            name: "patterns",
            expectation: "file names like *.json, or ends of paths like *.momd/*.omo; * stops at a slash",
            atLeast: 1, parse: { isPattern($0) ? $0 : nil }, show: { $0 })
    }

    /// Names of channels; there need not be any.
    static var channels: SettingKind {
        list(
            name: "channels",
            expectation: "names of 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first",
            atLeast: 0, parse: { isChannel($0) ? $0 : nil }, show: { $0 })
    }

    private static func isChannel(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.first.map { isLetterOrDigit($0) } == true
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isPattern(_ text: String) -> Bool {
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 255
            // Two stars would look as if they meant any number of folders.
            && components.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("**") }
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" && $0 != "," }
    }
}

extension Substring {
    /// Without spaces at either end.
    fileprivate var trimmingSpaces: Substring {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
