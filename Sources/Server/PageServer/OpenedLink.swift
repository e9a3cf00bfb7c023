internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetLive

/// The link in the address of a page: `?open=LINK`. It is untrusted text until a widget has declared it.
struct OpenedLink: Equatable, Sendable {
    /// `nil` for an address without one; empty for one that cannot be read, which leads nowhere.
    let text: String?

    init(_ request: borrowing Request) {
        if let text = request.query("open"), text.utf8.count <= LiveLimits.linkByteCount {
            self.text = text
        } else {
            text = request.queryNames.contains("open") ? "" : nil
        }
    }

    /// The parameter as addresses have it: only letters, digits, `%` and `-._~` of the link.
    static func parameter(_ link: String) -> String { "open=\(PercentEncoding.segment(link))" }

    /// An address, with or without a query, that opens a link as well.
    static func address(_ address: String, opening link: String?) -> String {
        guard let link else { return address }
        return address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + parameter(link)
    }
}
