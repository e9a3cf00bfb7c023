internal import Bytes
internal import HTTPServer
internal import HTTPWire

/// The names under which a server of pages may be asked. A name that anyone has pointed at it is not one of them.
package final class PageHosts: Sendable {
    /// With their ports, in lower case.
    private let names: Guarded<Set<String>>

    package init() {
        names = Guarded([])
    }

    /// Allows a name with a port, and without it where the port is the usual one.
    package func allow(_ name: String, port: UInt16) {
        let name = name.lowercased()
        names.withLock { names in
            names.insert("\(name):\(port)")
            if port == 80 { names.insert(name) }
        }
    }

    /// The names of the machine for itself.
    package static let loopback = ["localhost", "127.0.0.1", "[::1]"]

    /// A refusal of a request that was sent to another name.
    func refusal(_ request: borrowing Request) -> Answer? {
        let host = request.value(.host)?.lowercased() ?? ""
        guard !names.withLock({ $0.contains(host) }) else { return nil }
        return PageAnswer.sentence(.misdirectedRequest, PageText.wrongHost, PageText.wrongHostHint)
    }

    /// A refusal of a request that has an effect, unless a page of this server has sent it.
    func refusalOfPost(_ request: borrowing Request) -> Answer? {
        if let refusal = refusal(request) { return refusal }
        let host = request.value(.host)?.lowercased() ?? ""
        let site = request.value(.secFetchSite)
        // What a browser says about where a request is from may not differ.
        if site == nil || site == "same-origin" {
            switch request.value(.origin)?.lowercased() {
            case "http://\(host)", "https://\(host)": return nil
            // Pages that keep their address to themselves have no origin to name.
            case nil, "null": if site != nil { return nil }
            default: break
            }
        }
        return PageAnswer.sentence(.forbidden, PageText.foreignPost, PageText.foreignPostHint)
    }
}
