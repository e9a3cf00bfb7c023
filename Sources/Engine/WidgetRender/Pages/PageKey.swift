package import WidgetCore
internal import WidgetLayout

/// The names by which a page knows the elements of a view.
package enum PageKey {
    /// The key as forms post it. It leads back to one element.
    package static func text(_ key: ViewKey) -> String { key.description }

    /// The value of `id`: the widget's letter and the key.
    static func id(_ key: ViewKey, letter: String) -> String { letter + text(key) }

    /// The value of a button: an event as a JSON array.
    static func action(_ name: NodeEvent, _ key: ViewKey) -> String { "[\"\(name.rawValue)\",\"\(text(key))\"]" }

    static func input(_ key: ViewKey, _ value: Double) -> String { "[\"input\",\"\(text(key))\",\(number(value))]" }

    /// So many rows of a list.
    static func more(_ key: ViewKey, _ count: Int) -> String { "[\"more\",\"\(text(key))\",\(count)]" }

    /// The end of a list is reached.
    static func scroll(_ key: ViewKey) -> String { "[\"scroll\",\"\(text(key))\"]" }

    /// Points of a stylesheet: within what layouts reach, to a thousandth.
    static func points(_ value: Double) -> String {
        "\(number((Affine.bounded(value) * 1_000).rounded() / 1_000))px"
    }

    /// A number as HTML and JSON write it; 0 for one that they cannot.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
