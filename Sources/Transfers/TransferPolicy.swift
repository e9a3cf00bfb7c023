package import Addresses

/// Who decides where a request may go.
package protocol TransferPolicy: Sendable {
    /// Asked about the request's own address, and about each that a server sends it to.
    func allows(_ url: TransferURL) -> Bool
    /// Asked about each address that a name leads to before it is connected to, and before a request goes over a
    /// connection that already stands.
    func allows(_ address: IPAddress, port: UInt16) -> Bool
}
