package import WidgetContract

/// The demands of a program on its host, as its files state them before it runs.
package struct ProgramNeeds: Sendable {
    /// A request that it can send.
    package struct Request: Hashable, Sendable {
        /// The name of the action that sends it.
        package let name: String
        package let method: String
        /// The address as it is written, with places such as `$id` that are filled in later.
        package let address: String
    }

    /// Those to servers, each once, by their addresses.
    package private(set) var requests: [Request] = []
    /// The servers of the requests, as `https://example.com`.
    package private(set) var servers: [String] = []
    /// The beginnings of addresses that allow these requests and as few others as possible.
    package private(set) var addresses: [String] = []
    /// True if the server of a request is known only when it is sent.
    package private(set) var asksUnknownServers = false
    /// The abilities of hosts without which it is of little use.
    package let abilities: [HostAbility]
    /// The kinds of records that it keeps.
    package let records: [String]
    /// The groups of widgets whose cached values it wants to share.
    package let groups: [String]
    /// True if it lets people pick pictures or films.
    package let picksMedia: Bool

    package init(_ program: Program) {
        abilities = program.terms.needs.sorted { $0.rawValue < $1.rawValue }
        records = program.model.entities.map { $0.name }.sorted()
        groups = program.terms.groups
        picksMedia =
            program.terms.needs.contains(.media)
            || program.scenes.values.contains { $0.nodes.contains { !$0.pickerForms.isEmpty } }
        var (found, origins, beginnings) = (Set<Request>(), Set<String>(), Set<String>())
        for service in program.services.values where !service.isScripted {
            // An action that changes records sends nothing.
            for action in service.actions.values where action.changes.isEmpty {
                found.insert(Request(name: action.name, method: action.method, address: action.url.source))
                guard let origin = ProgramNeeds.origin(action.url.source) else {
                    asksUnknownServers = true
                    continue
                }
                origins.insert(origin)
                beginnings.insert(action.url.fixedAddress)
            }
        }
        requests = found.sorted { ($0.address, $0.method, $0.name) < ($1.address, $1.method, $1.name) }
        servers = origins.sorted()
        addresses = beginnings.filter { text in !beginnings.contains { $0 != text && text.isBelow($0) } }.sorted()
    }

    /// The scheme and the server of an address, of which the rest may be filled in later.
    private static func origin(_ address: String) -> String? {
        let parts = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), parts[1].hasPrefix("//") else {
            return nil
        }
        let server = parts[1].dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let isPlain = server.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || ".-:[]".utf8.contains(byte)
        }
        guard 1...255 ~= server.utf8.count, isPlain else { return nil }
        return "\(parts[0].lowercased())://\(server.lowercased())"
    }
}

extension Template {
    /// The part of an address that is the same for all requests: up to the query, or to the slash before the first place.
    fileprivate var fixedAddress: String {
        guard case .text(let text)? = parts.first else { return "" }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        guard parts.count > 1, path.endIndex == text.endIndex, let slash = path.lastIndex(of: "/") else {
            return String(path)
        }
        return String(path[...slash])
    }
}

extension String {
    /// True if a grant of the other address, which begins this one, holds for this one too.
    fileprivate func isBelow(_ other: String) -> Bool { hasPrefix(other.hasSuffix("/") ? other : other + "/") }
}
