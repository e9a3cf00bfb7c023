internal import Glibc

/// The functions of real numbers that the standard library does not have, as the C library computes them.
///
/// They are inlined, so that a caller in another module calls the C library and nothing between.
package enum Mathematics {
    @inlinable
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// The power of e.
    @inlinable
    package static func exponential(_ value: Double) -> Double { exp(value) }

    @inlinable
    package static func naturalLogarithm(_ value: Double) -> Double { log(value) }

    @inlinable
    package static func decimalLogarithm(_ value: Double) -> Double { log10(value) }

    /// - Parameter angle: in radians.
    @inlinable
    package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// - Parameter angle: in radians.
    @inlinable
    package static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// - Returns: an angle in radians.
    @inlinable
    package static func arcSine(_ value: Double) -> Double { asin(value) }
}
