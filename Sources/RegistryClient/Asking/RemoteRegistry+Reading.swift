internal import Bytes
package import JSONText
internal import Transfers

extension RemoteRegistry {
    /// What the registry says of itself.
    package func facts() async throws(FetchError) -> Told<RegistryFacts> {
        try await ask(try request(.get, RegistryFacts.path))
    }

    /// The bundles whose identifiers begin with `prefix`, all of them, page by page.
    package func bundles(prefix: String? = nil) async throws(FetchError) -> [Told<PublishedBundle>] {
        try await all(try pages("/v1/bundles", prefix.map { [("prefix", $0)] } ?? []))
    }

    package func bundle(_ identifier: String) async throws(FetchError) -> Told<PublishedBundle> {
        try await ask(try request(.get, RemoteRegistry.path(identifier)))
    }

    /// The releases of a bundle, newest first.
    package func releases(of identifier: String) async throws(FetchError) -> [Told<PublishedRelease>] {
        try await all(try pages("\(RemoteRegistry.path(identifier))/releases"))
    }

    package func release(_ identifier: String, _ key: String) async throws(FetchError) -> Told<PublishedRelease> {
        try await ask(try request(.get, RemoteRegistry.path(identifier, key)))
    }

    /// A release together with what became of its bundle on the way in.
    package func report(_ identifier: String, _ key: String) async throws(FetchError) -> Told<JSONValue> {
        try await ask(try request(.get, "\(RemoteRegistry.path(identifier, key))/report"))
    }

    package func difference(
        _ identifier: String, from old: String, to new: String
    ) async throws(FetchError) -> Told<ReleaseComparison> {
        let path = "\(RemoteRegistry.path(identifier, old))/diff/\(PercentEncoding.segment(new))"
        return try await ask(try request(.get, path))
    }

    static func path(_ identifier: String) -> String { "/v1/bundles/\(PercentEncoding.segment(identifier))" }

    static func path(_ identifier: String, _ key: String) -> String {
        "\(path(identifier))/releases/\(PercentEncoding.segment(key))"
    }

    static func path(_ identifier: String, channel: String) -> String {
        "\(path(identifier))/channels/\(PercentEncoding.segment(channel))"
    }

    // MARK: Pages

    private struct Pages {
        let path: String
        var query: [(name: String, value: String)]
    }

    private func pages(_ path: String, _ query: [(name: String, value: String)] = []) throws(FetchError) -> Pages {
        Pages(path: path, query: query + [("limit", "200")])
    }

    /// More pages than this are not read: nobody looks at a quarter of a million lines.
    private static let mostPages = 1_250
    /// Bytes of all pages, which are held together.
    private static let pagesByteLimit = 256 << 20

    private func all<Item: JSONDecodable & Sendable>(_ pages: Pages) async throws(FetchError) -> [Told<Item>] {
        var items: [Told<Item>] = []
        var cursor: String?
        var left = RemoteRegistry.pagesByteLimit
        for _ in 0..<RemoteRegistry.mostPages {
            let query = pages.query + (cursor.map { [("cursor", $0)] } ?? [])
            var request = try request(.get, pages.path, query)
            request.limits.bodyByteCount = min(left, request.limits.bodyByteCount ?? left)
            let page: Told<RegistryPage<Item>> = try await ask(request)
            left -= page.byteCount
            for (item, document) in zip(page.value.items, page.document["items"]?.array ?? []) {
                items.append(Told(value: item, document: document, head: page.head, byteCount: 0))
            }
            guard let next = page.value.next, next != cursor else { return items }
            cursor = next
        }
        return items
    }
}
