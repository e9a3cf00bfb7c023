internal import WidgetBytes
package import WidgetTransfers

/// The bucket in which the objects of a registry are, and the way there.
package struct ObjectPlace: Equatable, Sendable {
    /// The scheme, host and port of the store.
    package var endpoint: TransferURL
    package var bucket: String
    /// Before the names of all objects, without slashes at its ends; may be empty.
    package var prefix: String
    package var region: String
    /// True if the bucket is the first label of the host, as AWS wants it for new buckets; else it begins the path.
    package var namesHost: Bool

    /// The reason for which an address is refused.
    package struct Mistake: Error, Equatable {
        package let reason: String
    }

    private static let usualRegion = "us-east-1"

    /// Reads `s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION&style=path`. Without an endpoint it is AWS's own in
    /// that region.
    package init(_ text: String) throws(Mistake) {
        guard text.hasPrefix("s3://") else { throw Mistake(reason: "it does not begin with s3://") }
        let rest = text.dropFirst(5)
        let mark = rest.firstIndex(of: "?") ?? rest.endIndex
        var values: [String: String] = [:]
        for part in rest[mark...].dropFirst().split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(halves[0])
            guard halves.count == 2, ["endpoint", "region", "style"].contains(name), values[name] == nil else {
                throw Mistake(reason: "it takes endpoint, region and style, each once with a value")
            }
            values[name] = String(halves[1])
        }
        let parts = rest[..<mark].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        try self.init(
            bucket: parts.first ?? "", prefix: Array(parts.dropFirst()), region: values["region"],
            endpoint: values["endpoint"], style: values["style"])
    }

    private init(
        bucket: String, prefix: [String], region: String?, endpoint: String?, style: String?
    ) throws(Mistake) {
        let isBucket =
            (3...63).contains(bucket.utf8.count)
            && bucket.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
            }
        guard isBucket, bucket.first != "-", bucket.first != ".", !bucket.contains("..") else {
            throw Mistake(reason: "a bucket has 3 to 63 lower-case letters, digits, hyphens and dots")
        }
        var names = prefix
        if names.last == "" { names.removeLast() }
        // Dot segments would be taken out of a path before it is signed, or after.
        for name in names {
            let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
            guard isName, !name.isEmpty, name != ".", name != ".." else {
                throw Mistake(reason: "its path has names of letters, digits, dots, hyphens and underscores")
            }
        }
        let region = region ?? ObjectPlace.usualRegion
        guard !region.isEmpty, region.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x2D }) else {
            throw Mistake(reason: "a region has letters, digits and hyphens")
        }
        guard ["path", "host", nil].contains(style) else { throw Mistake(reason: "style is path or host") }
        do throws(TransferError) {
            self.endpoint = try TransferURL(endpoint ?? "https://s3.\(region).amazonaws.com")
        } catch {
            throw Mistake(reason: "its endpoint is \(error.reason)")
        }
        guard self.endpoint.path == "/", self.endpoint.query == nil else {
            throw Mistake(reason: "its endpoint has a scheme, a host and a port, and nothing else")
        }
        self.bucket = bucket
        self.prefix = names.joined(separator: "/")
        self.region = region
        namesHost = style == "host" || style == nil && endpoint == nil && !bucket.contains(".")
    }

    /// The value of `Host`, as it is signed and sent.
    var host: String {
        let isUsual = endpoint.port == (endpoint.scheme == .https ? 443 : 80)
        let host = namesHost ? "\(bucket).\(endpoint.host)" : endpoint.host
        return isUsual ? host : "\(host):\(endpoint.port)"
    }

    /// The path of a key, encoded; of the bucket itself for an empty key.
    func path(_ key: String) -> String {
        let start = namesHost ? "/" : "/\(bucket)"
        let encoded = ObjectSigner.encoded(key, keepingSlashes: true)
        if key.isEmpty { return start }
        return namesHost ? "/\(encoded)" : "\(start)/\(encoded)"
    }

    func url(_ path: String, query: String = "") throws(TransferError) -> TransferURL {
        try TransferURL("\(endpoint.scheme.rawValue)://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")")
    }
}

/// The key by which a store knows us. Its secret is in no text about it.
package struct ObjectCredentials: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package var accessKey: String
    let secret: String
    /// Of temporary keys.
    let sessionToken: String?

    package init(accessKey: String, secret: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }

    /// Reads the lines of a file: `aws_access_key_id = …`, `aws_secret_access_key = …`, and `aws_session_token`, as AWS's own
    /// tools write them; sections and comments are passed over. `nil` unless both of the first are there, once.
    package init?(file text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            let name = ObjectCredentials.trimmed(halves[0])
            guard ["aws_access_key_id", "aws_secret_access_key", "aws_session_token"].contains(name) else { continue }
            // Two keys in a file: which of them is meant is not for us to guess.
            guard values.updateValue(ObjectCredentials.trimmed(halves[1]), forKey: name) == nil else { return nil }
        }
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else { return nil }
        self.init(checking: key, secret, values["aws_session_token"])
    }

    /// Takes them from the variables that AWS's own tools read.
    package init?(environment: [String: String]) {
        guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
            return nil
        }
        self.init(checking: key, secret, environment["AWS_SESSION_TOKEN"])
    }

    private init?(checking key: String, _ secret: String, _ token: String?) {
        // They become part of a header field.
        let isVisible = [key, secret, token ?? "-"].allSatisfy { text in
            (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
        guard isVisible else { return nil }
        self.init(accessKey: key, secret: secret, sessionToken: token)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }
        return end.map { String(start[...$0]) } ?? ""
    }

    package var description: String { "the key \(accessKey)" }
    package var debugDescription: String { description }
}
