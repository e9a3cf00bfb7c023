internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer

/// The fields of a form that a page has sent.
struct SentFields: Sendable {
    private var values: [(name: String, value: String)] = []

    init() {}

    /// Reads `application/x-www-form-urlencoded`, as browsers write it. What is not UTF-8 becomes replacement characters.
    init(_ body: [UInt8]) {
        for pair in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = SentFields.decoded(parts[0])
            let isKey = name == SentFields.release
            values.append((name, parts.count > 1 ? SentFields.decoded(parts[1], plusIsBlank: !isKey) : ""))
        }
    }

    /// - Parameter parts: those of `multipart/form-data`.
    init(parts: [(name: String, value: String)]) { values = parts }

    /// The field of a release's key, in which a plus sign is one: a key has no blanks.
    private static let release = "release"

    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsBlank: Bool = true) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = Hex.value(of: bytes[index + 1]), let low = Hex.value(of: bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(plusIsBlank && bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The value of the first field of a name; `nil` for one that is not there or empty.
    subscript(name: String) -> String? {
        values.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The fields in their order.
    var entries: [(name: String, value: String)] { values }

    func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

    mutating func set(_ name: String, _ value: String) {
        values.removeAll { $0.name == name }
        values.append((name, value))
    }
}

/// The parameters of a document are read from a form as from a query.
extension SentFields: QuerySource {
    var hasQuery: Bool { !values.isEmpty }

    func parameter(_ name: StaticString) -> String? { self["\(name)"] }

    func parameters(_ name: StaticString) -> [String] { values.filter { $0.name == "\(name)" }.map(\.value) }

    func words(_ name: StaticString) -> String? { parameter(name) }
}

/// A request that has an effect comes from a page of this server, or is refused.
enum PageOrigin {
    /// The first parts of the paths of pages with forms that change something.
    private static let senders = ["manage", "sign-in"]

    /// True for the address of a page with such forms. A page that shows a widget or its stills is of the same origin, and
    /// browsers say so; what a bundle has put on it gets no power to change the registry.
    private static func isPage(_ address: String, of request: borrowing Request) -> Bool {
        path(address, of: request)?.first.map { senders.contains($0) } ?? false
    }

    /// The parts of the path of an address of this registry; `nil` for any other address.
    private static func path(_ address: String, of request: borrowing Request) -> [String]? {
        guard let scheme = ["http://", "https://"].first(where: { address.lowercased().hasPrefix($0) }) else {
            return nil
        }
        let origin = address.prefix(scheme.count + address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }.count)
        guard request.isOwn(origin: String(origin)) else { return nil }
        // Escapes are undone as where the page was asked for.
        let bytes = Array(address.utf8.dropFirst(origin.utf8.count).prefix { $0 != 0x3F && $0 != 0x23 })
        guard let path = try? PercentDecoding.path(bytes.span, 0..<bytes.count) else { return nil }
        var parts = String(decoding: path, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst()
        guard !parts.isEmpty else { return nil }
        if let site = request.publicAddress, !site.path.isEmpty {
            let above = site.path.split(separator: "/")
            if parts.starts(with: above) {
                parts = parts.dropFirst(above.count)
            } else if origin.lowercased() == site.origin {
                // Other paths of the host are other programs.
                return nil
            }
        }
        return parts.map(String.init)
    }

    /// True for a reading request of a page of this registry. Pages of others can neither write nor change the two fields, of
    /// which browsers send the first over TLS and on this machine, and the pages here have them send the second.
    private static func isOwnRead(_ request: borrowing Request) -> Bool {
        if let site = request.value(.secFetchSite) { return site == "same-origin" }
        return request.value(.referer).map { path($0, of: request) != nil } ?? false
    }

    /// True for a reading request that a session may count for. Programs have tokens: at `/v1` it counts for the pages of this
    /// registry alone.
    static func admitsSession(_ request: borrowing Request) -> Bool {
        !request.path.hasPrefix("/v1/") || isOwnRead(request)
    }

    /// - Parameter isHarmless: true for what every page of this registry has a form for: to sign out.
    static func check(_ request: borrowing Request, isHarmless: Bool = false) throws(Problem) {
        let site = request.value(.secFetchSite)
        if site == nil || site == "same-origin" {
            // Browsers that do not say more about the site may not name the page either.
            let isFromForm =
                request.value(.referer).map {
                    isHarmless ? path($0, of: request) != nil : isPage($0, of: request)
                } ?? (site == nil)
            switch request.value(.origin)?.lowercased() {
            // Some browsers name no origin for a form of the same one, and say where it is from in the other field.
            case nil, "null": if site != nil, isFromForm { return }
            case let origin?: if request.isOwn(origin: origin), isFromForm { return }
            }
        }
        let advice = request.misnamedOrigin?.sentences ?? "Open the page itself and use the button there."
        throw ProblemCatalogue.problem(
            .forbidden, "This form was not sent by a page of this registry, so nothing was changed. \(advice)")
    }
}
