package import WidgetAddresses
internal import WidgetBytes
internal import WidgetConsole
package import WidgetLogging

/// A kind of value: how it is read, checked, shown and described.
package struct SettingKind<Value: Sendable>: Sendable {
    /// One word or two for the documentation.
    var name: String
    /// The allowed values, if the name does not say it.
    var range = ""
    /// Completes "expected …".
    var expectation: String
    var isList = false
    /// Reads the value; `nil` if the found one is not of this kind.
    var read: @Sendable (FoundValue) -> Value?
    /// For people.
    var show: @Sendable (Value) -> String
    /// As JSON5, so that it reads back as the same value.
    var literal: @Sendable (Value) -> String
    /// As a whole number, if it is a count, a size or a time in seconds.
    var number: @Sendable (Value) -> Int? = { _ in nil }

    /// The same kind with an optional value: `null` in a file, empty text elsewhere unless that is a slip.
    package static func optional<Wrapped: Sendable>(
        _ kind: SettingKind<Wrapped>, refusesEmptyText: Bool = false
    ) -> SettingKind where Value == Wrapped? {
        SettingKind(
            name: kind.name, range: kind.range, expectation: kind.expectation,
            read: { found in
                if found == .null || (found == .text("") && !refusesEmptyText) { return .some(nil) }
                return kind.read(found).map { .some($0) }
            },
            show: { $0.map(kind.show) ?? SettingText.none },
            literal: { $0.map(kind.literal) ?? "null" })
    }
}

extension SettingKind where Value == Bool {
    package static var toggle: SettingKind {
        SettingKind(
            name: "on or off", expectation: "on or off",
            read: { found in
                switch found {
                case .boolean(let answer): answer
                case .text("on"), .text("true"), .string("on"): true
                case .text("off"), .text("false"), .string("off"): false
                default: nil
                }
            },
            show: { $0 ? "on" : "off" },
            literal: { $0 ? "true" : "false" })
    }
}

extension SettingKind {
    /// One of a few words.
    private static func words(
        _ pairs: [(word: String, value: Value)], isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> SettingKind {
        let list = pairs.map(\.word)
        let word: @Sendable (Value) -> String = { value in pairs.first { isEqual($0.value, value) }?.word ?? "" }
        return SettingKind(
            name: "word", range: list.joined(separator: ", "),
            expectation: "one of " + list.joined(separator: ", "),
            read: { found in pairs.first { $0.word == found.characters }?.value },
            show: word,
            literal: { SettingText.quoted(word($0)) })
    }
}

extension SettingKind
where Value: CaseIterable & Equatable & RawRepresentable, Value.RawValue == String, Value.AllCases: Sendable {
    package static var choice: SettingKind { words(Value.allCases.map { ($0.rawValue, $0) }, isEqual: ==) }
}

extension SettingKind where Value == LogLevel {
    package static var logLevel: SettingKind<LogLevel> { words(LogLevel.allCases.map { ($0.name, $0) }, isEqual: ==) }
}

extension SettingKind where Value == LogFormat? {
    package static var logFormat: SettingKind<LogFormat?> {
        words([("auto", nil)] + LogFormat.allCases.map { ($0.rawValue, $0) }, isEqual: ==)
    }
}

extension SettingKind where Value == Int {
    package static func count(_ range: ClosedRange<Int>) -> SettingKind {
        SettingKind(
            name: "number", range: "\(range.lowerBound) … \(range.upperBound)",
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { found in found.wholeNumber.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil } },
            show: { String($0) },
            literal: { String($0) },
            number: { $0 })
    }

    /// Bytes, as a number or like `64MiB`.
    package static func size(_ range: ClosedRange<Int>) -> SettingKind {
        let (least, most) = (SizeText.text(range.lowerBound), SizeText.text(range.upperBound))
        return SettingKind(
            name: "size", range: "\(least) … \(most)",
            expectation: "bytes from \(least) to \(most), written like 4096, 8KiB, 64MiB or 1GiB",
            read: { found in
                let size = found.wholeNumber.flatMap { Int(exactly: $0) } ?? found.characters.flatMap(SizeText.parse)
                return size.flatMap { range.contains($0) ? $0 : nil }
            },
            show: SizeText.text,
            literal: { size in
                let text = SizeText.text(size)
                return text == String(size) ? text : SettingText.quoted(text)
            },
            number: { $0 })
    }
}

extension SettingKind where Value == Duration {
    /// Seconds, as a number or like `500ms`, `10s`, `5m`, `2h`, `30d`.
    package static func duration(_ range: ClosedRange<Duration>) -> SettingKind {
        let (least, most) = (DurationText.text(range.lowerBound), DurationText.text(range.upperBound))
        return SettingKind(
            name: "duration", range: "\(least) … \(most)",
            expectation: "a time from \(least) to \(most), written like 10 (seconds), 500ms, 10s, 5m, 2h or 30d",
            read: { found in
                let duration: Duration? =
                    switch found {
                    case .integer(let seconds): DurationText.seconds(Double(seconds))
                    case .number(let seconds): DurationText.seconds(seconds)
                    case .text(let text), .string(let text): DurationText.parse(text)
                    default: nil
                    }
                return duration.flatMap { range.contains($0) ? $0 : nil }
            },
            show: DurationText.text,
            literal: { SettingText.quoted(DurationText.text($0)) },
            number: { duration in
                // Rounded up: less than a second too long, and 0 only for 0.
                let (seconds, attoseconds) = duration.components
                return Int(exactly: seconds).map { $0 + (attoseconds > 0 ? 1 : 0) }
            })
    }
}

extension SettingKind where Value == String {
    /// A path of the file system.
    package static var path: SettingKind {
        SettingKind(
            name: "path", expectation: "a path",
            read: { found in found.characters.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } },
            show: QuotedText.plain,
            literal: SettingText.quoted)
    }

    /// The URL of a service that wants a user. A password in it is not shown, even if its owner will refuse it.
    package static var serviceURL: SettingKind {
        SettingKind(
            name: "URL", expectation: "a URL like postgres://user@host/name",
            read: { found in found.characters.flatMap { $0.isEmpty || $0.utf8.contains(0) ? nil : $0 } },
            show: { QuotedText.plain(withoutPassword($0)) },
            literal: { SettingText.quoted(withoutPassword($0)) })
    }

    /// The URL with a mask for all that could be a password: in the user's part, and in any parameter so called.
    static func withoutPassword(_ url: String) -> String {
        var shown = url
        if let start = shown.firstRange(of: "://")?.upperBound,
            let end = shown[start...].lastIndex(of: "@"),
            let colon = shown[start..<end].firstIndex(of: ":")
        {
            shown.replaceSubrange(colon..<end, with: ":" + SettingText.masked)
        }
        guard let query = shown.firstIndex(of: "?") else { return shown }
        let parameters = shown[shown.index(after: query)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            // A name with an escape could be any name.
            return name.lowercased().contains("pass") && name != "passfile" || name.contains("%")
                ? "\(name)=\(SettingText.masked)" : String(parameter)
        }
        return shown[...query] + masked.joined(separator: "&")
    }

    /// An http or https URL that paths can be appended to; slashes at its end are dropped.
    package static var url: SettingKind {
        SettingKind(
            name: "URL", expectation: "a URL like https://widgets.example.com, without user, query or fragment",
            read: { $0.characters.flatMap(PublicURL.parse) },
            show: { $0 },
            literal: SettingText.quoted)
    }
}

extension SettingKind where Value == Secret {
    /// A bearer token chosen by the operator.
    package static var token: SettingKind<Secret> {
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

extension SettingKind where Value == Secret {
    /// A password that another service has given.
    package static var password: SettingKind<Secret> {
        SettingKind(
            name: "password", range: "1 … 4096 characters", expectation: "1 to 4096 characters",
            read: { found in
                guard let text = found.characters, (1...4_096).contains(text.utf8.count), !text.utf8.contains(0) else {
                    return nil
                }
                return Secret(text)
            },
            show: { _ in SettingText.masked },
            literal: { _ in SettingText.quoted(SettingText.masked) })
    }
}

extension SettingKind {
    /// Several values: a list or one string in a file, separated by commas elsewhere.
    package static func list<Element: Sendable>(
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

    /// The texts of a list in any of its spellings; `nil` for other values.
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

extension SettingKind {
    /// Several of a few words, each once.
    package static func choices<Word: CaseIterable & RawRepresentable<String> & Sendable>() -> SettingKind
    where Value == [Word] {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        var kind: SettingKind = list(
            name: "words", expectation: "one or more of \(words), each once", atLeast: 1,
            parse: { Word(rawValue: $0) }, show: \.rawValue)
        kind.range = words
        let read = kind.read
        kind.read = { found in
            guard let values = read(found), Set(values.map(\.rawValue)).count == values.count else { return nil }
            return values
        }
        return kind
    }
}

extension SettingKind where Value == [ListenAddress] {
    package static func addresses(atLeast minimumCount: Int) -> SettingKind<[ListenAddress]> {
        list(
            name: "addresses", expectation: "HOST:PORT, [IPv6]:PORT or unix:/PATH, or a list of them",
            atLeast: minimumCount, parse: { ListenAddress($0) }, show: \.description)
    }
}

extension SettingKind where Value == [AddressRange] {
    package static var addressRanges: SettingKind<[AddressRange]> {
        list(
            name: "ranges",
            expectation: "addresses or ranges like 10.0.0.0/8 or fd00::/8, with no bits set beyond the prefix",
            atLeast: 0, parse: { AddressRange($0) }, show: \.description)
    }
}

extension SettingKind where Value == [String] {
    /// Ends of paths, in which `*` matches any characters but slashes.
    package static var patterns: SettingKind {
        list(
            name: "patterns",
            expectation: "file names like *.json, or ends of paths like *.momd/*.omo; * stops at a slash",
            atLeast: 1, parse: { isPattern($0) ? $0 : nil }, show: { $0 })
    }

    /// Names of channels; there need not be any.
    package static var channels: SettingKind {
        list(
            name: "channels",
            expectation: "names of 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first",
            atLeast: 0, parse: { isChannel($0) ? $0 : nil }, show: { $0 })
    }

    /// Identifiers of bundles, and beginnings of them before a dot; there need not be any.
    package static var prefixes: SettingKind {
        list(
            name: "prefixes",
            expectation: "identifiers of bundles or their first labels, like com.acme",
            atLeast: 0, parse: { isPrefix($0) ? $0 : nil }, show: { $0 })
    }

    /// Languages and regions, as `de_AT`, each once.
    package static func locales(atMost limit: Int) -> SettingKind {
        var kind = list(
            name: "languages", expectation: "1 to \(limit) languages and regions as de_AT, or own, each once",
            atLeast: 1,
            parse: { isLocale($0) ? $0 : nil }, show: { $0 })
        kind.range = "1 … \(limit)"
        let read = kind.read
        kind.read = { found in
            guard let values = read(found), values.count <= limit, Set(values).count == values.count else { return nil }
            return values
        }
        return kind
    }

    private static func isLocale(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func isPrefix(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= longestPattern
            && labels.allSatisfy { label in
                !label.isEmpty && label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isChannel(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.first?.isLetterOrDigit == true
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }

    /// The longest name that file systems take.
    private static var longestPattern: Int { 255 }

    private static func isPattern(_ text: String) -> Bool {
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= longestPattern
            // Two stars would look like a match for any number of folders.
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
