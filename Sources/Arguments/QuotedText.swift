internal import Bytes

/// Text of unknown origin inside a message; `ShownText` is where its escapes are.
package enum QuotedText {
    /// The text in double quotes, cut short.
    package static func of(_ text: String) -> String { ShownText.quoted(text) }

    /// The text as it is if it is harmless to a terminal, else with escapes; without quotes.
    package static func plain(_ text: String) -> String { ShownText.plain(text) }
}
