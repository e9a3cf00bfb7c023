internal import Bytes

/// Where things are, as paths that clients follow. They are relative, so that they hold behind any proxy.
enum Place {
    static func blob(_ digest: Digest) -> String { "/v1/blobs/sha256/\(digest.hex)" }

    static func bundle(_ identifier: String) -> String {
        "/v1/bundles/\(PercentEncoding.segment(identifier))"
    }

    static func release(_ bundle: String, _ key: String) -> String {
        "\(Place.bundle(bundle))/releases/\(PercentEncoding.segment(key))"
    }

    static func widget(_ identifier: String) -> String {
        "/v1/widgets/\(PercentEncoding.segment(identifier))"
    }
}
