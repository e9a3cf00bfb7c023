internal import WidgetAddresses
internal import WidgetCore
internal import WidgetHost
package import WidgetHosting
internal import WidgetPredicates
internal import WidgetRunning
internal import WidgetTransfers

/// The servers that a widget's requests may go to. Without a grant they go nowhere.
///
/// ```swift
/// configuration.network = try .granted(to: ["https://api.example.com/v1"])
/// ```
public struct NetworkAccess: Sendable {
    package let network: any WidgetNetwork

    private init(_ network: any WidgetNetwork) { self.network = network }

    /// The network of a widget, whose requests the app sees before they go. Without a grant there are no requests to see.
    func network(
        of widget: String, reviewedBy request: (@Sendable (WidgetRequest) async -> RequestDecision)?
    ) -> any WidgetNetwork {
        guard let request else { return network }
        let review: RequestReview = { await request(WidgetRequest($0, of: widget)).verdict }
        switch network {
        case let web as WebNetwork: return web.reviewed(by: review)
        case is DeniedNetwork: return network
        default: return ReviewedNetwork(network, by: review)
        }
    }

    /// No network: every request fails with a sentence that says so.
    public static let none = NetworkAccess(DeniedNetwork())

    /// Grants the addresses that begin with one of these, at a slash: `https://api.example.com/v1` is not a grant for
    /// `https://api.example.com/v10`.
    ///
    /// Requests that lead to private addresses are refused, under any name of a server, and so are redirects that leave the
    /// grant.
    /// Answers have at most 8 MiB and come within a minute.
    ///
    /// - Parameters:
    ///   - addresses: `http` or `https`, a host, a port if it is not the usual one, and the beginning of paths.
    ///   - privateRanges: ranges of private addresses that are granted as well, such as `10.1.0.0/16`.
    /// - Throws: ``RuntimeError`` with ``RuntimeError/Code/invalidGrant``.
    public static func granted(
        to addresses: [String], privateRanges: [String] = []
    ) throws(RuntimeError) -> NetworkAccess {
        var ranges: [AddressRange] = []
        for text in privateRanges {
            guard let range = AddressRange(text) else {
                throw RuntimeError(
                    .invalidGrant, "\(text) is not a range of addresses", hint: "a range is written as 10.1.0.0/16")
            }
            ranges.append(range)
        }
        do throws(TransferError) {
            return NetworkAccess(WebNetwork(try NetworkGrant(addresses, privateRanges: ranges)))
        } catch {
            throw RuntimeError(
                .invalidGrant, "\(error)", hint: "a grant is an address such as https://api.example.com/v1")
        }
    }

    /// Answers requests from a table, without any server: for tests.
    ///
    /// - Parameter answers: by method and address, `GET https://host/path`, or by the address alone. A request without an
    ///   answer fails.
    public static func scripted(_ answers: [String: ScriptedAnswer]) -> NetworkAccess {
        NetworkAccess(ScriptedNetwork(answers.mapValues(\.outcome)))
    }
}

/// An answer of a scripted network.
public enum ScriptedAnswer: Hashable, Sendable {
    /// A server's answer with a body of JSON.
    case response(status: Int = 200, body: WidgetValue)
    /// No server was reached, for this reason.
    case failure(String)

    var outcome: RequestOutcome {
        switch self {
        case .response(let status, let body): .response(status: status, body: body.value)
        case .failure(let reason): .failure(reason)
        }
    }
}
