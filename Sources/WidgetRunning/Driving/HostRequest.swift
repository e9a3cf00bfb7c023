package import WidgetCore

/// A request that only the app around a widget can fulfil.
package enum HostRequest: Sendable {
    case open(String)
    case native(HostCall, argument: Value)
}

/// A request to a server, with the number that its answer carries.
package struct OutgoingRequest: Sendable {
    package let number: Int
    package let request: ServiceRequest
}
