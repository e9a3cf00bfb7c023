internal import JSONText
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetCore

/// Finds what is allowed in a service description and is unwise: addresses that others can listen to or that lead to the device,
/// and key paths that leave their object.
struct AddressRemarks {
    private(set) var found: [Finding] = []
    private let place: (JSONSpan, String, Int?) -> Place
    private let most: Int

    /// - Parameters:
    ///   - most: the most findings.
    ///   - place: returns the place of a text in the file, or of a byte of it.
    init(upTo most: Int, _ place: @escaping (JSONSpan, String, Int?) -> Place) {
        (self.most, self.place) = (most, place)
    }

    private var hasRoom: Bool { found.count < most }

    mutating func read(_ service: JSONItem.Object) {
        for name in ["baseUrl", "url", "path", "socket"] { address(service["defaults"]?[name], "defaults.\(name)") }
        for member in service["actions"].members where member.name != SchemeKeys.comment && hasRoom {
            for name in ["path", "url"] { address(member.value[name], "\(member.name).\(name)") }
            for assigned in member.value["set"].members {
                keyPath(assigned.name, .assigned, assigned.nameSpan, "\(member.name).set")
            }
            for part in member.value["multipart"].members {
                guard let text = part.value.string else { continue }
                keyPath(text, .readFromItem, part.value.span, "\(member.name).multipart")
            }
        }
        readAuthorization(service["auth"])
    }

    /// Reads the addresses of an authorization, at any depth. They are handed on to classes of an application.
    private mutating func readAuthorization(_ json: JSONItem?) {
        var pending = json.members.map { $0 }
        while let member = pending.popLast(), hasRoom {
            var values = [member.value]
            while let value = values.popLast() {
                pending += value.object?.members.map { $0 } ?? []
                if let list = value.array { values += list }
                guard let text = value.string, member.name.lowercased().hasSuffix("url") else { continue }
                authorizationAddress(member.name, text, value)
            }
        }
    }

    private mutating func authorizationAddress(_ name: String, _ text: String, _ value: JSONItem) {
        guard let address = LooseAddress(text) else { return }
        if AddressRemarks.webSchemes.contains(address.scheme) { return self.address(value, "auth.\(name)") }
        let isBack = ["callback", "redirect"].contains { name.lowercased().contains($0) }
        guard !isBack, hasRoom else { return }
        found.append(
            Finding(
                .warning, .appAddress, "\(address.scheme.excerpt): leads to an application, not to a web service",
                at: place(value.span, "auth.\(name)", 0), value: text.excerpt,
                hint: "a member that leads back to the application is called callbackUrl or redirectUrl"))
    }

    private static let webSchemes: Set<String> = ["http", "https", "ws", "wss"]

    private mutating func address(_ value: JSONItem?, _ name: String) {
        guard hasRoom, let value, let text = value.string else { return }
        found += AddressRemarks.of(text) { place(value.span, name.excerpt, $0) }
    }

    private mutating func keyPath(_ text: String, _ use: SchemeKeyPath.Use, _ span: JSONSpan, _ owner: String) {
        guard hasRoom, let exit = SchemeKeyPath.exit(of: text, use) else { return }
        let name = exit.component.excerpt
        found.append(
            Finding(
                .warning, .keyPath, "\(text.excerpt) leaves the object of the path at \(name)",
                at: place(span, owner.excerpt, exit.offset), value: name))
    }

    /// The findings about one address.
    ///
    /// - Parameter place: returns the place of a byte of the text.
    static func of(_ text: String, _ place: (Int) -> Place) -> [Finding] {
        guard let address = LooseAddress(text), webSchemes.contains(address.scheme) else { return [] }
        var found: [Finding] = []
        if ["http", "ws"].contains(address.scheme), !address.isLoopback {
            found.append(
                Finding(
                    .warning, .plainHTTP, "what is sent and received can be read and changed", at: place(0),
                    value: text.excerpt, hint: "begin it with \(address.scheme)s://"))
        }
        if address.isPrivate {
            found.append(
                Finding(
                    .warning, .privateAddress, "\(address.host.excerpt) leads to the host's own device or network",
                    at: place(address.hostOffset), value: address.host.excerpt,
                    hint: "hosts that do not grant it send nothing; write a public address before others get the bundle"
                ))
        }
        return found
    }
}
