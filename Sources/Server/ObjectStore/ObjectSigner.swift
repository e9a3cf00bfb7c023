internal import WidgetBytes
internal import WidgetTransfers

/// Signs requests to an S3-compatible store: AWS Signature Version 4, in a header or in the address.
///
/// libcurl can sign, too, and fails on six ordinary kinds of request, which docs/decisions lists.
struct ObjectSigner: Sendable {
    let credentials: ObjectCredentials
    let region: String
    /// The key of a day, which is derived in four steps.
    private let dayKey: Guarded<(day: String, key: [UInt8])> = Guarded((day: "", key: []))

    static let service = "s3"
    private static let algorithm = "AWS4-HMAC-SHA256"
    /// The digest of a body that is not signed; presigned addresses have no other.
    static let unsigned = "UNSIGNED-PAYLOAD"

    init(_ credentials: ObjectCredentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// The parts of a request that its signature covers.
    struct Subject {
        var method: String
        /// With a port, unless it is the scheme's own.
        var host: String
        /// Encoded, from its slash on.
        var path: String
        /// Decoded names and values, in any order.
        var query: [(name: String, value: String)] = []
        /// Further header fields that are to be signed.
        var fields: [(name: String, value: String)] = []
    }

    /// The fields that a request gets.
    ///
    /// - Parameters:
    ///   - payload: the SHA-256 of the body in hexadecimal digits.
    ///   - time: seconds since 1970.
    func fields(for subject: Subject, payload: String, at time: Int64) -> [TransferField]? {
        let stamp = SigningTime(time)
        var subject = subject
        subject.fields += [("host", subject.host), ("x-amz-content-sha256", payload), ("x-amz-date", stamp.text)]
        if let token = credentials.sessionToken { subject.fields.append(("x-amz-security-token", token)) }
        let names = ObjectSigner.names(subject.fields)
        guard let signature = signature(subject, payload: payload, stamp) else { return nil }
        let authorization =
            "\(ObjectSigner.algorithm) Credential=\(credentials.accessKey)/\(scope(stamp)),SignedHeaders=\(names),"
            + "Signature=\(signature)"
        return subject.fields.filter { $0.name != "host" }.map { TransferField($0.name, $0.value) } + [
            TransferField("Authorization", authorization)
        ]
    }

    /// The query of an address that anyone may ask until it expires.
    func query(for subject: Subject, expires seconds: Int, at time: Int64) -> String? {
        let stamp = SigningTime(time)
        var subject = subject
        subject.fields = [("host", subject.host)]
        subject.query += [
            ("X-Amz-Algorithm", ObjectSigner.algorithm),
            ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(stamp))"), ("X-Amz-Date", stamp.text),
            ("X-Amz-Expires", String(seconds)), ("X-Amz-SignedHeaders", "host"),
        ]
        if let token = credentials.sessionToken { subject.query.append(("X-Amz-Security-Token", token)) }
        guard let signature = signature(subject, payload: ObjectSigner.unsigned, stamp) else { return nil }
        return "\(ObjectSigner.canonicalQuery(subject.query))&X-Amz-Signature=\(signature)"
    }

    // MARK: The three texts

    private func signature(_ subject: Subject, payload: String, _ stamp: SigningTime) -> String? {
        guard let digest = Digest.sha256(Array(ObjectSigner.canonicalRequest(subject, payload: payload).utf8)),
            let key = key(of: stamp.day)
        else { return nil }
        let text = "\(ObjectSigner.algorithm)\n\(stamp.text)\n\(scope(stamp))\n\(digest.hex)"
        return HMAC.sha256(text, key: key)?.hex
    }

    static func canonicalRequest(_ subject: Subject, payload: String) -> String {
        let fields = subject.fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return [
            subject.method, subject.path, canonicalQuery(subject.query),
            fields.map { "\($0.name):\(trimmed($0.value))\n" }.joined(), names(subject.fields), payload,
        ].joined(separator: "\n")
    }

    /// In the order of the encoded names, then values; a parameter without a value has an equals sign all the same.
    static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
        let parts = query.map { (encoded($0.name), encoded($0.value)) }
        let sorted = parts.sorted { first, second in
            first.0 == second.0
                ? first.1.utf8.lexicographicallyPrecedes(second.1.utf8)
                : first.0.utf8.lexicographicallyPrecedes(second.0.utf8)
        }
        return sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static func names(_ fields: [(name: String, value: String)]) -> String {
        fields.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ";")
    }

    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }

    private func scope(_ stamp: SigningTime) -> String { "\(stamp.day)/\(region)/\(ObjectSigner.service)/aws4_request" }

    private func key(of day: String) -> [UInt8]? {
        let kept = dayKey.withLock { $0 }
        if kept.day == day { return kept.key }
        var key = Array("AWS4\(credentials.secret)".utf8)
        for part in [day, region, ObjectSigner.service, "aws4_request"] {
            guard let next = HMAC.sha256(part, key: key) else { return nil }
            key = next.bytes
        }
        let made = key
        dayKey.withLock { $0 = (day, made) }
        return made
    }

    // MARK: Encoding

    /// The unreserved characters of RFC 3986 as they are, and all others as capital digits; a path keeps its slashes.
    static func encoded(_ text: String, keepingSlashes: Bool = false) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let isKept =
                byte.isLetterOrDigit || "-._~".utf8.contains(byte) || keepingSlashes && byte == UInt8(ascii: "/")
            if isKept {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes += Array(Hex.string([byte]).uppercased().utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A time as signatures write it: `20260521T083000Z`.
struct SigningTime: Equatable {
    /// The day alone.
    let day: String
    let text: String

    /// - Parameter seconds: since 1970.
    init(_ seconds: Int64) {
        let (days, second) = seconds.flooredDivision(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        func pad(_ value: Int, _ width: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        day = pad(date.year, 4) + pad(date.month) + pad(date.day)
        text = "\(day)T\(pad(Int(second / 3_600)))\(pad(Int(second / 60 % 60)))\(pad(Int(second % 60)))Z"
    }
}
