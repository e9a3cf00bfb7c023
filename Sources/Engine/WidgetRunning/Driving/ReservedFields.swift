/// Header fields that a widget may not set: those that say where a request goes or ends, who sent it, and how a proxy
/// has changed it. With another `Host`, the request would reach a site that was never granted; with `X-Forwarded-For`,
/// it would seem to come from the server's network; with a method override, it would be another request.
package enum ReservedFields {
    /// Fields that follow from the request and its connection.
    private static let transport: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect",
        "proxy-authorization", "proxy-connection", "range",
    ]
    private static let names: Set<String> = [
        "via",
        // Another method, path or site.
        "x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url", "x-host",
        // Another client.
        "forwarded", "forwarded-for", "client-ip", "true-client-ip", "x-client-ip", "x-cluster-client-ip", "x-real-ip",
        "x-remote-ip", "x-remote-addr", "x-remote-user", "x-originating-ip", "x-proxyuser-ip",
        "x-custom-ip-authorization",
        "cf-connecting-ip", "fastly-client-ip", "wl-proxy-client-ip", "proxy-client-ip", "x-azure-clientip",
    ]
    private static let prefixes = ["x-forwarded", "x-original-", "x-envoy-"]

    package static func has(_ name: String) -> Bool {
        let plain = plain(name)
        return transport.contains(plain) || names.contains(plain) || prefixes.contains { plain.hasPrefix($0) }
    }

    /// True for fields that an app may not add either. Compression is the transport's own business.
    package static func isOfTransport(_ name: String) -> Bool {
        let plain = plain(name)
        return transport.contains(plain) || plain == "accept-encoding"
    }

    /// A name as some servers read it: they take an underscore for a hyphen.
    private static func plain(_ name: String) -> String { name.lowercased().replacing("_", with: "-") }
}
