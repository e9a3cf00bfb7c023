/// One evaluation: its variables and its remaining fuel. The subject is a separate argument, because a borrowed value
/// costs no reference count.
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

    /// Charges the used fuel to the shared meter after the evaluation, even if it failed.
    ///
    /// - Parameter before: the fuel it began with.
    func settle(_ before: Int) { environment.meter?.spend(before &- fuel) }

    @inline(__always)
    mutating func spend(_ steps: Int, _ span: SourceSpan) throws(PredicateError) {
        fuel &-= steps
        if fuel < 0 { throw Run.exhausted(span) }
    }

    /// Charges for a traversal of the whole value.
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

    /// Charges for memory before it is allocated.
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

/// The time, seed and shared fuel that an evaluation sees.
package struct PredicateEnvironment: Sendable {
    /// The result of `now()`, in seconds since the first moment of 2001.
    package var now: Double
    /// The seed of `random()`; equal seeds give equal numbers.
    package var seed: UInt64
    /// Fuel that several evaluations share; `nil` if each has only its own limits.
    package var meter: (any PredicateMeter)?

    package init(now: Double = 0, seed: UInt64 = 0, meter: (any PredicateMeter)? = nil) {
        self.now = now
        self.seed = seed
        self.meter = meter
    }
}

/// Fuel that evaluations share. The caller that passes a meter decides how much there is.
package protocol PredicateMeter: AnyObject, Sendable {
    var left: Int { get }
    /// Bytes of one text that may be made.
    var textByteCount: Int { get }
    func spend(_ steps: Int)
    func noteLongText()
}

/// The predicates of SUBQUERY that read nothing but the element. The element becomes their subject, which is passed
/// without counting references; a variable would be stored in the evaluation.
struct LentElements {
    /// For each part of the tree, the variable that is the subject there. Empty if no part has one.
    private var names: [String?] = []

    init(_ tree: SyntaxTree) {
        guard tree.nodes.contains(where: { if case .subquery = $0.kind { true } else { false } }) else { return }
        var looksElsewhere: [Bool] = []
        looksElsewhere.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var answer =
                switch node.kind {
                case .subject, .keyPath(base: nil, _), .assignment, .subquery: true
                default: false
                }
            node.kind.forEachPart { answer = answer || looksElsewhere[$0] }
            looksElsewhere.append(answer)
        }
        names = Array(repeating: nil, count: tree.nodes.count)
        // A part precedes the whole in the array, so the reverse order visits the whole first.
        for id in tree.nodes.indices.reversed() {
            let kind = tree[id].kind
            if case .subquery(_, let name, let predicate) = kind, !looksElsewhere[predicate] { names[predicate] = name }
            if let name = names[id] { kind.forEachPart { names[$0] = name } }
        }
    }

    /// True if the predicate of a SUBQUERY gets the element as its subject.
    func isLent(to predicate: SyntaxNode.ID) -> Bool { !names.isEmpty && names[predicate] != nil }

    /// True if this part of the tree is the variable that is the subject there.
    func isElement(_ id: SyntaxNode.ID, in tree: SyntaxTree) -> Bool {
        guard !names.isEmpty, let name = names[id], case .variable(let variable) = tree[id].kind else { return false }
        return variable == name
    }
}
