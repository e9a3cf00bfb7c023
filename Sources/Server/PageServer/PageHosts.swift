internal import HTTPWire
internal import WidgetBytes
internal import WidgetHTTPServer

/// The names under which a server of pages may be asked. A name that anyone has pointed at it is not one of them.
package final class PageHosts: Sendable {
    /// In lower case, without ports: a proxy or a tunnel may have another one.
    private let names: Guarded<Set<String>>

    package init() { names = Guarded([]) }

    package func allow(_ name: String) { names.withLock { _ = $0.insert(name.lowercased()) } }

    /// The names of the machine for itself.
    package static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// A refusal of a request that was sent to another name.
    func refusal(_ request: borrowing Request) -> Answer? {
        let name = PageHosts.name(in: request.value(.host) ?? "")
        guard !names.withLock({ $0.contains(name) }) else { return nil }
        return PageAnswer.sentence(.misdirectedRequest, PageText.wrongHost, .english(PageText.wrongHostHint))
    }

    /// The name before a port, in lower case.
    static func name(in host: String) -> String {
        let parts = host.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 1, let port = parts.last, !port.isEmpty, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return host.lowercased()
        }
        return parts.dropLast().joined(separator: ":")
    }

    /// A refusal of a page that begins something, if another site asks for it, as it can by a picture.
    func refusalOfFirst(_ request: borrowing Request) -> Answer? {
        if let refusal = refusal(request) { return refusal }
        guard request.value(.secFetchSite) == "cross-site" else { return nil }
        return PageAnswer.sentence(.forbidden, PageText.foreignPost, .english(PageText.foreignFirstHint))
    }

    /// A refusal of a request that has an effect, unless a page of this server has sent it.
    func refusalOfPost(_ request: borrowing Request) -> Answer? {
        if let refusal = refusal(request) { return refusal }
        let site = request.value(.secFetchSite)
        // What a browser says about where a request is from may not differ.
        if site == nil || site == "same-origin" {
            switch request.value(.origin) {
            // Pages that keep their address to themselves have no origin to name.
            case nil, "null": if site != nil { return nil }
            case let origin?: if request.isOwn(origin: origin) { return nil }
            }
        }
        return PageAnswer.sentence(.forbidden, PageText.foreignPost, .english(PageText.foreignPostHint))
    }
}
