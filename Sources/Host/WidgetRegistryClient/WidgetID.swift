internal import RegistryClient
package import RegistryContract

/// The identifier of a widget, by which an app asks for it.
///
/// It begins with the identifier of the bundle that is to answer: `com.acme.Clock-1` is answered by the bundle
/// `com.acme.Clock`. An app that shows one bundle in several places gives each place an identifier, and with it data of
/// that place alone.
///
/// ```swift
/// let clock = try WidgetID("com.acme.Clock-1")
/// ```
public struct WidgetID: Hashable, Sendable, CustomStringConvertible {
    package let identifier: WidgetIdentifier

    /// Checks an identifier.
    ///
    /// - Parameter text: letters and digits of ASCII, `.`, `-` and `_`, a letter or digit first.
    /// - Throws: ``ClientError`` with ``ClientError/Code/invalidIdentifier``.
    public init(_ text: String) throws(ClientError) {
        identifier = try ClientError.rethrowing { () throws(FetchError) in try WidgetIdentifier(text) }
    }

    package init(_ identifier: WidgetIdentifier) { self.identifier = identifier }

    /// The identifier as a text.
    public var description: String { identifier.text }
}
