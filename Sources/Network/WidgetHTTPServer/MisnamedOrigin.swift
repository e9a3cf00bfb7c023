internal import HTTPWire

/// The origin of a page, as its browser names it, that is not one of this server's: a proxy in front asks for another host.
package struct MisnamedOrigin: Sendable {
    private let origin: String
    private let host: String
    private let publicAddress: PublicAddress?
    /// True if the browser vouches that the page and the address it sends to have the same origin.
    private let isCertain: Bool

    fileprivate init(origin: String, host: String, publicAddress: PublicAddress?, isCertain: Bool) {
        self.origin = origin
        self.host = host
        self.publicAddress = publicAddress
        self.isCertain = isCertain
    }

    /// The fault, and the change that an operator has to make, as sentences.
    package var sentences: String {
        let host = host.isEmpty ? "no host" : "the host \(host)"
        let start =
            isCertain
            ? "The browser has this page from \(origin), and the server was asked for \(host). "
            : "The page names \(origin) as its origin, and the server was asked for \(host). If both are this server: "
        let passing = "let the proxy pass the host on (nginx: proxy_set_header Host $http_host;)"
        let setting =
            publicAddress.map { "correct publicURL, which is \($0.text)" }
            ?? "set publicURL to the address in the browser"
        return "\(start)\(isCertain ? "Its" : "its") operator has to \(passing), or \(setting)."
    }
}

extension Request {
    /// The origin that keeps a request with an effect from being taken, if the fault can be the proxy's: a browser that knows
    /// better says so itself.
    package var misnamedOrigin: MisnamedOrigin? {
        let site = value(.secFetchSite)
        guard site == nil || site == "same-origin", let origin = value(.origin), !isOwn(origin: origin),
            let named = PublicAddress(origin), named.path.isEmpty, origin.utf8.count <= 300
        else { return nil }
        let host = value(.host) ?? ""
        return MisnamedOrigin(
            origin: named.origin, host: host.utf8.count <= 300 ? host : "another name",
            publicAddress: publicAddress, isCertain: site != nil)
    }
}
