/// Arithmetic on numbers that came from outside: a result, or `nil` instead of a trap.
extension FixedWidthInteger {
    @inlinable package func adding(_ other: Self) -> Self? {
        let (value, didOverflow) = addingReportingOverflow(other)
        return didOverflow ? nil : value
    }

    @inlinable package func subtracting(_ other: Self) -> Self? {
        let (value, didOverflow) = subtractingReportingOverflow(other)
        return didOverflow ? nil : value
    }

    @inlinable package func multiplied(by other: Self) -> Self? {
        let (value, didOverflow) = multipliedReportingOverflow(by: other)
        return didOverflow ? nil : value
    }
}
