internal import CWidgetCurl
internal import WidgetBytes

/// An absolute address on the web: `http` or `https`, a host, no user name. It has one spelling, made by the parser
/// that also connects, so what was judged is what is asked.
package struct TransferURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: UInt16
    /// Percent-encoded, with its slash.
    package let path: String
    /// Percent-encoded, without its question mark.
    package let query: String?
    /// The whole of it.
    package let description: String

    init(scheme: Scheme, host: String, port: UInt16, path: String, query: String?, description: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.description = description
    }

    /// The scheme and the server, with the port if it is not the usual one of the scheme.
    package var origin: String {
        let isUsual = port == (scheme == .https ? 443 : 80)
        return "\(scheme.rawValue)://\(host)\(isUsual ? "" : ":\(port)")"
    }

    /// True if credentials meant for one may be sent to the other.
    package func hasSameOrigin(as other: TransferURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// True if a redirect from here to the other stays with the same server: the same origin, or the same host by https
    /// with the default ports of both schemes.
    package func isAtHome(_ other: TransferURL) -> Bool {
        hasSameOrigin(as: other)
            || host == other.host && (scheme, port) == (.http, 80) && (other.scheme, other.port) == (.https, 443)
    }

    /// Longer addresses are refused; servers do not take them either.
    static let byteLimit = 8_192

    /// The reason for which a text is not an address.
    struct Mistake: Error {
        let reason: String
    }

    /// An absolute address.
    package init(_ text: String) throws(TransferError) {
        do throws(Mistake) {
            self = try TransferURL.parsed(text, base: nil)
        } catch {
            throw TransferError(.invalidURL(error.reason), address: TransferURL.harmless(text))
        }
    }

    /// The address that a reference in a document from here leads to, such as `../v1/bundles` or `?limit=1`.
    package func resolving(_ reference: String) throws(TransferError) -> TransferURL {
        return try rethrowing(as: { TransferError(.invalidURL($0.reason), address: TransferURL.harmless(reference)) }) {
            () throws(Mistake) in try TransferURL.parsed(reference, base: description)
        }
    }

    /// The address for messages, without its query, which may hold secrets.
    package var withoutQuery: String {
        guard let mark = description.utf8.firstIndex(of: UInt8(ascii: "?")) else { return description }
        return String(description[..<mark])
    }

    /// The most characters of a refused address that are shown.
    private static let longestShown = 200

    private static func harmless(_ text: String) -> String {
        ShownText.plain(text.prefix { $0 != "?" }, limit: longestShown)
    }

    private static func parsed(_ text: String, base: String?) throws(Mistake) -> TransferURL {
        guard !text.isEmpty else { throw Mistake(reason: "it is empty") }
        guard text.utf8.count <= byteLimit else { throw Mistake(reason: "it is longer than \(byteLimit) bytes") }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw Mistake(reason: "it holds a character that must be percent-encoded")
        }
        guard let handle = URLHandle() else { throw Mistake(reason: "not enough memory to read it") }
        // A reference is read relative to what the handle holds.
        if let base { try handle.set(CURLUPART_URL, base) }
        try handle.set(CURLUPART_URL, text)
        guard handle.get(CURLUPART_USER) == nil, handle.get(CURLUPART_PASSWORD) == nil else {
            throw Mistake(reason: "it holds a user name; tokens are sent in the field Authorization")
        }
        try handle.set(CURLUPART_FRAGMENT, nil)
        // A mark with nothing behind it is kept or dropped, depending on what it was resolved against.
        if handle.get(CURLUPART_QUERY)?.isEmpty ?? true { try handle.set(CURLUPART_QUERY, nil) }
        guard let word = handle.get(CURLUPART_SCHEME), let scheme = Scheme(rawValue: word) else {
            throw Mistake(reason: "it begins with neither http:// nor https://")
        }
        guard let host = handle.get(CURLUPART_HOST), !host.isEmpty else { throw Mistake(reason: "it names no host") }
        guard let port = handle.get(CURLUPART_PORT).flatMap({ UInt16($0) }), port > 0 else {
            throw Mistake(reason: "its port is not between 1 and 65535")
        }
        // The host's spelling decides about origins, so it is the same for all.
        let lowercased = String(decoding: host.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        try handle.set(CURLUPART_HOST, lowercased)
        guard let path = handle.get(CURLUPART_PATH), let whole = handle.get(CURLUPART_URL, withDefaults: false) else {
            throw Mistake(reason: "it cannot be spelled")
        }
        return TransferURL(
            scheme: scheme, host: lowercased, port: port, path: path, query: handle.get(CURLUPART_QUERY),
            description: whole)
    }
}

/// libcurl's parser of addresses, the one it connects by.
@safe
private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

    borrowing func set(_ part: CURLUPart, _ value: String?) throws(TransferURL.Mistake) {
        // The text is copied during the call.
        let code = unsafe curl_url_set(handle, part, value, 0)
        guard code == CURLUE_OK else {
            // The words are constants of the library.
            throw TransferURL.Mistake(reason: unsafe curl_url_strerror(code).map { unsafe String(cString: $0) } ?? "")
        }
    }

    borrowing func get(_ part: CURLUPart, withDefaults: Bool = true) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = withDefaults ? UInt32(CURLU_DEFAULT_PORT) : UInt32(CURLU_NO_DEFAULT_PORT)
        guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let found = unsafe text else { return nil }
        defer { unsafe curl_free(found) }
        return unsafe String(cString: found)
    }
}
