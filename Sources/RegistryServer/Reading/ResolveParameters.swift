internal import Bytes
internal import HTTPServer
internal import Registry
internal import WidgetBundles

/// What a host says about itself when it asks where a widget identifier leads.
struct ResolveParameters: Sendable {
    static let defaultChannel = "stable"
    /// Who does not say gets what is there for most: a rollout begins with the low buckets.
    static let defaultBucket = Channel.bucketCount - 1

    var channel: String
    var os: String?
    var host: String?
    var pin: String?
    /// The archive the host has.
    var have: Digest?
    var bucket: Int

    /// Reads the query; a parameter that cannot be what it is meant to be is refused, one that is unknown ignored.
    init(_ request: borrowing Request) throws(Problem) {
        channel =
            try request.query("channel", as: "a channel's name") { Channel.isName($0) ? $0 : nil }
            ?? ResolveParameters.defaultChannel
        os = try request.query("os", as: "a version of 1 to 64 of A-Z a-z 0-9 . _ + -", ResolveParameters.version)
        host = try request.query("host", as: "a version of 1 to 64 of A-Z a-z 0-9 . _ + -", ResolveParameters.version)
        pin = try request.query("pin", as: "a bundle identifier") { BundleManifest.isIdentifier($0) ? $0 : nil }
        have = try request.query("have", as: "the SHA-256 of an archive in 64 lower-case hexadecimal digits") {
            Digest(hex: $0)
        }
        bucket =
            try request.query("bucket", as: "a number from 0 to \(ResolveParameters.defaultBucket)") { text in
                WholeNumber.read(text, 0...ResolveParameters.defaultBucket)
            } ?? ResolveParameters.defaultBucket
    }

    private static func version(_ text: String) -> String? {
        BundleManifest.isVersion(text) ? text : nil
    }

    /// What is kept for these parameters; neither what the host has nor its bucket changes it.
    func key(_ kind: DocumentKey.Kind, _ widget: WidgetIdentifier) -> DocumentKey {
        if os == nil, host == nil, pin == nil {
            return channel == ResolveParameters.defaultChannel
                ? DocumentKey(kind, widget.text) : DocumentKey(kind, widget.text, channel)
        }
        return DocumentKey(kind, widget.text, channel, os, host, pin)
    }

    func query(_ widget: WidgetIdentifier, for reader: Reader) -> ResolveQuery {
        ResolveQuery(
            widgetIdentifier: widget.text, channel: channel, os: os, host: host, pin: pin,
            isVisible: { reader.sees($0) })
    }
}

/// Numbers as queries write them.
enum WholeNumber {
    /// Digits alone, and no more of them than the range needs.
    static func read(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }
}

extension Request {
    /// A query parameter read as a value, or the problem that says what it should have been; `nil` when it is absent.
    borrowing func query<Value>(
        _ name: StaticString, as kind: String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = query(name) else { return nil }
        guard let value = read(text) else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "The parameter \(name) has to be \(kind), not \(ProblemCatalogue.quoted(String(text.prefix(100)))).")
        }
        return value
    }
}
