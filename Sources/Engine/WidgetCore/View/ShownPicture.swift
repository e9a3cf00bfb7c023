/// The picture of an element, for a host that draws it.
package struct ShownPicture: Equatable, Sendable {
    /// The address of a picture on the network.
    package let address: String?
    /// The name of a picture of the bundle.
    package let name: String?
    /// The name of the bundle's picture that is shown until the other one is available.
    package let placeholder: String?

    package init?(_ node: ViewNode) {
        let text = ShownPicture.text(of: node)
        let isAddress = ShownPicture.isAddress(text)
        address = isAddress && ShownPicture.lastName(ofAddress: text) != nil ? text : nil
        let placeholder = node.text(.placeholderImage)
        name = isAddress || text.isEmpty || text == placeholder ? nil : text
        self.placeholder = placeholder.isEmpty ? nil : placeholder
        if address == nil, name == nil, self.placeholder == nil { return nil }
    }

    /// True for an address on the network, and false for a picture of the bundle.
    static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("http://") || text.hasPrefix("https://")
    }

    /// A picture from the network replaces any other.
    static func text(of node: ViewNode) -> String {
        [node.text(.imageURL), node.text(.image), node.text(.placeholderImage)].first { !$0.isEmpty } ?? ""
    }

    /// The last name of an address; `nil` for an address that was filled in from a missing value.
    static func lastName(ofAddress text: String) -> String? {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        // `https:`, nothing, the host, then names.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3)
        guard let last = parts.last, !parts.contains(where: { $0.isEmpty }), !path.contains("$") else { return nil }
        return String(last)
    }
}

/// A picture of the network as it has come so far, on a page whose host fetches pictures.
package enum NetworkPicture: Equatable, Sendable {
    /// It is on its way, and the placeholder is shown.
    case awaited
    /// It is a file that lies with the pictures of the bundle, with its pixels.
    case file(name: String, width: Int, height: Int)
    /// It is described in words, for this reason.
    case failed(String)
}
