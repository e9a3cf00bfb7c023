internal import Bytes
package import HTTPServer
internal import WidgetLive

/// The link in the address of a page: `?open=LINK`. It is untrusted text until a widget has declared it.
package struct OpenedLink: Equatable, Hashable, Sendable {
    /// `nil` for an address without one, or with one that no widget can have.
    package let text: String?
    /// True for an address with a link that is longer than any.
    package let isTooLong: Bool

    package init(_ request: borrowing Request) {
        let text = request.query("open").flatMap { $0.isEmpty ? nil : $0 }
        isTooLong = (text?.utf8.count ?? 0) > LiveLimits.linkByteCount
        self.text = isTooLong ? nil : text
    }

    /// The parameter as addresses have it: only letters, digits, `%` and `-._~` of the link.
    static func parameter(_ link: String) -> String { "open=\(PercentEncoding.segment(link))" }

    /// An address, with or without a query, that opens a link as well.
    static func address(_ address: String, opening link: String?) -> String {
        guard let link else { return address }
        return address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + parameter(link)
    }
}
