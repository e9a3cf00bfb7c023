#if canImport(Glibc)
internal import Glibc
#else
internal import CWasm
#endif

/// The functions of real numbers that the standard library does not have, as the C library computes them.
///
/// The call between a caller in another module and the C library costs less than half a nanosecond.
package enum Mathematics {
    package static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

    /// The power of e.
    package static func exponential(_ value: Double) -> Double { exp(value) }

    package static func naturalLogarithm(_ value: Double) -> Double { log(value) }

    package static func decimalLogarithm(_ value: Double) -> Double { log10(value) }

    /// - Parameter angle: in radians.
    package static func sine(_ angle: Double) -> Double { sin(angle) }

    /// - Parameter angle: in radians.
    package static func cosine(_ angle: Double) -> Double { cos(angle) }

    /// - Returns: an angle in radians.
    package static func arcSine(_ value: Double) -> Double { asin(value) }

    /// The direction of a point, seen from the origin.
    ///
    /// - Returns: an angle in radians, from -π to π.
    package static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }
}
