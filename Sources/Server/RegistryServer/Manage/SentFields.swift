internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// The fields of a form that a page has sent.
struct SentFields: Sendable {
    private var values: [(name: String, value: String)] = []

    init() {}

    /// Reads `application/x-www-form-urlencoded`, as browsers write it. What is not UTF-8 becomes replacement characters.
    init(_ body: [UInt8]) {
        for pair in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            values.append((SentFields.decoded(parts[0]), parts.count > 1 ? SentFields.decoded(parts[1]) : ""))
        }
    }

    /// - Parameter parts: those of `multipart/form-data`.
    init(parts: [(name: String, value: String)]) { values = parts }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = Hex.value(of: bytes[index + 1]), let low = Hex.value(of: bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
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
}

/// A request that has an effect comes from a page of this server, or is refused.
enum PageOrigin {
    /// True for the address of a page with forms. A page that shows a widget is of the same origin, and browsers say so, but
    /// what is on it may come from a process that a bundle has taken over.
    private static func isPage(_ address: String, of host: String) -> Bool {
        guard let start = ["http://\(host)/", "https://\(host)/"].first(where: { address.lowercased().hasPrefix($0) })
        else { return false }
        let path = address.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.first != "live" && parts.last != "try" && !parts.contains("still")
    }

    static func check(_ request: borrowing Request) throws(Problem) {
        let host = request.value(.host)?.lowercased() ?? ""
        let site = request.value(.secFetchSite)
        if !host.isEmpty, site == nil || site == "same-origin" {
            let isFromForm = site == nil || request.value(.referer).map { isPage($0, of: host) } ?? false
            switch request.value(.origin)?.lowercased() {
            case "http://\(host)", "https://\(host)": if isFromForm { return }
            // Some browsers name no origin for a form of the same one, and say where it is from in the other field.
            case nil, "null": if site != nil, isFromForm { return }
            default: break
            }
        }
        throw ProblemCatalogue.problem(
            .forbidden,
            "This form was not sent by a page of this registry, so nothing was changed. Open the page itself and use the button there."
        )
    }
}
