/// What a predicate or expression reads, and what an expression gives.
package enum PredicateValue: Sendable {
    /// `nil`: no value, and what a missing key gives.
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// Boxed, so that the common values stay three words long.
    indirect case decimal(DecimalNumber)
    case string(String)
    /// Seconds since the first moment of 2001, UTC.
    case date(Double)
    case data([UInt8])
    case array([PredicateValue])
    /// Elements that differ from each other, in the order in which they came.
    case set([PredicateValue])
    case dictionary(PredicateDictionary)
    case object(any PredicateObject)
}

/// Something with keys that is not a value: a record of a store, a part of a screen.
package protocol PredicateObject: AnyObject, Sendable {
    /// - Returns: `nil` for a key that this object does not have; `.null` for one without a value.
    func value(forKey key: String) -> PredicateValue?

    /// Two objects with the same are the same thing, seen twice.
    var identity: ObjectIdentity { get }
}

extension PredicateObject {
    package var identity: ObjectIdentity { .address(ObjectIdentifier(self)) }
}

/// What tells an object from all others.
package enum ObjectIdentity: Hashable, Sendable {
    case address(ObjectIdentifier)
    /// Of a record, which is looked at through a new object each time.
    case record(Int)
}
