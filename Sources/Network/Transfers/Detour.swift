internal import Addresses

/// The way of a request to another origin than the one that was asked, for content that is proven by its digest.
///
/// A server may keep such content in a store and send its clients there. So that it cannot use them to reach what only they
/// reach, the way leads to public addresses alone, unless the server is at such an address itself; it never leads from https
/// to http, and ends soon. A proxy is not used on it: it would look names up itself.
struct Detour: TransferPolicy {
    /// The rule that the request has besides.
    let other: (any TransferPolicy)?
    /// True if the origin is where public addresses do not count.
    let isPrivate: Bool

    /// The most redirects, those at the origin included.
    static let mostRedirects = 3

    init(from home: TransferURL, with other: (any TransferPolicy)?) {
        self.other = other
        isPrivate = Detour.isReserved(home.host)
    }

    /// By the text alone: a name's addresses are known to the one who connects, which may be a proxy.
    private static func isReserved(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return IPAddress(bare)?.isReserved ?? false
    }

    func allows(_ url: TransferURL) -> Bool {
        (isPrivate || !Detour.isReserved(url.host)) && other?.allows(url) ?? true
    }

    func allows(_ address: IPAddress, port: UInt16) -> Bool {
        (isPrivate || !address.isReserved) && other?.allows(address, port: port) ?? true
    }
}
