package import Logging

/// What the operator has decided about access; asked anew for every request, so that a reload shows.
package struct AccessPolicy: Equatable, Sendable {
    /// A token with every right that is not in the catalog.
    package var adminToken: Secret?
    package var isRateLimited = true
    package var writesPerMinute = 600
    package var failuresPerMinute = 60

    package init() {}
}
