/// Header fields that are not a widget's to write: those that say where a request goes or ends, whom it comes from, and
/// what it is taken for behind a proxy. With another `Host`, a server would take it for a request to a site that was never
/// granted; with `X-Forwarded-For`, for one of its own network; with a method override, for another request.
enum ReservedFields {
    private static let names: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect",
        "proxy-authorization", "proxy-connection", "range", "via",
        // Another method, path or site.
        "x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url", "x-host",
        // Another client.
        "forwarded", "forwarded-for", "client-ip", "true-client-ip", "x-client-ip", "x-cluster-client-ip", "x-real-ip",
        "x-remote-ip", "x-remote-addr", "x-remote-user", "x-originating-ip", "x-proxyuser-ip",
        "x-custom-ip-authorization",
        "cf-connecting-ip", "fastly-client-ip", "wl-proxy-client-ip", "proxy-client-ip", "x-azure-clientip",
    ]
    private static let prefixes = ["x-forwarded", "x-original-", "x-envoy-"]

    static func has(_ name: String) -> Bool {
        // To many frameworks a line is the same as a hyphen.
        let plain = name.lowercased().replacing("_", with: "-")
        return names.contains(plain) || prefixes.contains { plain.hasPrefix($0) }
    }
}
