internal import WidgetAddresses

/// The way of a request to another origin than the one that was asked, for content that is proven by its digest.
///
/// A server may keep such content in a store and send its clients there. So that it cannot use them to reach what only they
/// reach, the way leads to public addresses alone, unless the server is at an address that is not public itself; never to
/// those of a link, which clouds give to their own services, and to this machine only from this machine. It never leads from
/// https to http, and ends soon.
struct Detour: TransferPolicy {
    /// The most redirects, those at the origin included.
    static let mostRedirects = 3

    private enum Place {
        case everywhere
        case network
        case machine
        case link
    }

    /// The rule that the request has besides.
    private let other: (any TransferPolicy)?
    private let home: Place

    init(from home: TransferURL, with other: (any TransferPolicy)?) {
        self.other = other
        self.home = Detour.place(of: home.host)
    }

    func allows(_ url: TransferURL) -> Bool {
        isNear(Detour.place(of: url.host)) && other?.allows(url) ?? true
    }

    func allows(_ address: IPAddress, port: UInt16) -> Bool {
        isNear(Detour.place(of: address)) && other?.allows(address, port: port) ?? true
    }

    private func isNear(_ place: Place) -> Bool {
        switch place {
        case .everywhere: true
        case .network: home != .everywhere
        case .machine: home == .machine
        case .link: false
        }
    }

    private static func place(of address: IPAddress) -> Place {
        if address.isLoopback || address.isUnspecified { return .machine }
        if address.isLinkLocal { return .link }
        return address.isReserved ? .network : .everywhere
    }

    /// By the text alone: a name's addresses are known to the one who connects.
    private static func place(of host: String) -> Place {
        if host == "localhost" || host.hasSuffix(".localhost") { return .machine }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return IPAddress(bare).map(place) ?? .everywhere
    }
}
