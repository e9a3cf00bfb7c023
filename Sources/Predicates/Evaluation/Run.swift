/// One evaluation: its variables, and what it may still use. The subject is handed on beside it, because a value
/// that is lent costs no count of its references.
struct Run {
    /// `nil` where no value was given.
    var variables: [PredicateValue?]
    let environment: PredicateEnvironment
    var fuel: Int
    var memory: Int
    private var randomState: UInt64

    init(
        _ variables: [PredicateValue?], _ environment: PredicateEnvironment,
        _ limits: PredicateLimits
    ) {
        self.variables = variables
        self.environment = environment
        fuel = limits.fuel
        if let meter = environment.meter { fuel = min(fuel, meter.left) }
        memory = limits.memoryByteCount
        randomState = environment.seed
    }

    /// After the evaluation, however it ended.
    ///
    /// - Parameter before: the fuel it began with.
    func settle(_ before: Int) { environment.meter?.spend(before &- fuel) }

    @inline(__always)
    mutating func spend(_ steps: Int, _ span: SourceSpan) throws(PredicateError) {
        fuel &-= steps
        if fuel < 0 { throw Run.exhausted(span) }
    }

    /// For looking at all of a value.
    mutating func spend(weightOf value: PredicateValue, _ span: SourceSpan) throws(PredicateError) {
        guard let weight = value.weight(upTo: fuel) else {
            fuel = -1
            throw Run.exhausted(span)
        }
        fuel &-= weight
    }

    private static func exhausted(_ span: SourceSpan) -> PredicateError {
        PredicateError(.fuelLimit, at: span, "The evaluation takes more steps than it may")
    }

    /// Before something is made.
    mutating func allocate(_ byteCount: Int, _ span: SourceSpan) throws(PredicateError) {
        memory &-= byteCount
        if memory < 0 { throw PredicateError(.memoryLimit, at: span, "The evaluation makes more than it may") }
    }

    mutating func allocate(elements count: Int, _ span: SourceSpan) throws(PredicateError) {
        try spend(count, span)
        try allocate(count * MemoryLayout<PredicateValue>.stride, span)
    }

    mutating func random() -> UInt64 {
        // SplitMix64: small, and good enough to shuffle a screen.
        randomState &+= 0x9E37_79B9_7F4A_7C15
        var mixed = randomState
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
