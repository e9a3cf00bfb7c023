package import WidgetAddresses
package import WidgetTransfers

/// The addresses that a host lets a widget's requests go to. Without a grant they go nowhere.
package struct NetworkGrant: TransferPolicy {
    private let rules: [GrantRule]
    /// Ranges of private addresses that are granted.
    private let privateRanges: [AddressRange]

    /// - Throws: for an address that is not the URL of a server.
    package init(_ addresses: [String], privateRanges: [AddressRange] = []) throws(TransferError) {
        var rules: [GrantRule] = []
        for address in addresses { rules.append(GrantRule(try TransferURL(address))) }
        self.rules = rules
        self.privateRanges = privateRanges
    }

    package func allows(_ url: TransferURL) -> Bool { rules.contains { $0.allows(GrantRule(url)) } }

    package func allows(_ address: IPAddress, port: UInt16) -> Bool {
        guard rules.contains(where: { $0.port == port }) else { return false }
        return privateRanges.contains { $0.contains(address) } || !address.isReserved
    }
}

extension GrantRule {
    init(_ url: TransferURL) {
        self.init(scheme: url.scheme.rawValue, host: url.host, port: url.port, path: url.path)
    }
}
