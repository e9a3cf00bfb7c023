internal import Bytes
package import Transfers

/// Where a registry is. It may be somewhere below the root of its host.
package struct RegistryAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: TransferURL
    /// Without a slash at the end.
    private let base: String

    package init(_ text: String) throws(FetchError) {
        do throws(TransferError) {
            let url = try TransferURL(text)
            guard url.query == nil else {
                throw TransferError(.invalidURL("a registry's address has no query"), url)
            }
            self.url = url
            base = url.description.last == "/" ? String(url.description.dropLast()) : url.description
        } catch {
            throw FetchError(error)
        }
    }

    package var description: String { base }

    /// A route of the contract, such as `/v1/changes`, with a query of any texts.
    package func route(_ path: String, _ query: [(name: String, value: String)] = []) throws(FetchError) -> TransferURL
    {
        let words = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }
        return try made(base + path + (words.isEmpty ? "" : "?" + words.joined(separator: "&")))
    }

    /// What a document of the registry refers to, which has to be at the registry.
    func resolving(_ reference: String) throws(FetchError) -> TransferURL {
        let found: TransferURL
        if reference.utf8.starts(with: "/v1/".utf8) {
            found = try made(base + reference)
        } else {
            found = try rethrowing(as: FetchError.init) { () throws(TransferError) in try url.resolving(reference) }
        }
        guard found.hasSameOrigin(as: url) else { throw FetchError(.foreignAddress(found.withoutQuery)) }
        return found
    }

    private func made(_ text: String) throws(FetchError) -> TransferURL {
        try rethrowing(as: FetchError.init) { () throws(TransferError) in try TransferURL(text) }
    }
}
