internal import WidgetSystemCalls

/// A function of numbers (ISO 32000-1 §7.10): of samples, of powers, of pieces. Programs are not run.
indirect enum PDFFunction: Sendable {
    case power(domain: [Double], first: [Double], last: [Double], exponent: Double)
    case pieces(domain: [Double], functions: [PDFFunction], bounds: [Double], encode: [Double])
    case samples(PDFSamples)
    /// One function for each value.
    case each([PDFFunction])

    var inputCount: Int {
        switch self {
        case .samples(let samples): samples.sizes.count
        case .each(let functions): functions.first?.inputCount ?? 0
        default: 1
        }
    }

    var outputCount: Int {
        switch self {
        case .power(_, let first, _, _): first.count
        case .pieces(_, let functions, _, _): functions.first?.outputCount ?? 0
        case .samples(let samples): samples.range.count / 2
        case .each(let functions): functions.count
        }
    }

    /// The inputs at which it may bend, for a table of colours.
    var bends: [Double] {
        switch self {
        case .pieces(_, _, let bounds, _): bounds
        case .each(let functions): functions.flatMap { $0.bends }
        default: []
        }
    }

    /// True if it is a line between its bends.
    var isLinear: Bool {
        switch self {
        case .power(_, _, _, let exponent): exponent == 1
        case .pieces(_, let functions, _, _):
            functions.allSatisfy { $0.isLinear } && functions.allSatisfy { $0.bends.isEmpty }
        case .each(let functions): functions.allSatisfy { $0.isLinear }
        case .samples: false
        }
    }

    /// The steps of computing its values once.
    var cost: Int {
        switch self {
        case .power(_, let first, _, _): 4 + first.count
        case .pieces(_, let functions, let bounds, _): 4 + bounds.count + (functions.map { $0.cost }.max() ?? 0)
        case .samples(let samples): 4 + samples.range.count
        case .each(let functions): functions.reduce(4) { $0 + $1.cost }
        }
    }

    func values(_ inputs: [Double]) -> [Double] {
        switch self {
        case .power(let domain, let first, let last, let exponent):
            let x = PDFFunction.bounded(inputs.first ?? 0, domain)
            let power = exponent == 1 ? x : Mathematics.power(x, exponent)
            return zip(first, last).map { $0 + (power.isFinite ? power : 0) * ($1 - $0) }
        case .pieces(let domain, let functions, let bounds, let encode):
            let x = PDFFunction.bounded(inputs.first ?? 0, domain)
            let number = bounds.firstIndex { x < $0 } ?? functions.count - 1
            let low = number == 0 ? domain[0] : bounds[number - 1]
            let high = number == functions.count - 1 ? domain[1] : bounds[number]
            let (from, to) = (encode[number * 2], encode[number * 2 + 1])
            let part = high > low ? (x - low) / (high - low) : 0
            return functions[number].values([from + part * (to - from)])
        case .samples(let samples): return samples.values(inputs)
        case .each(let functions): return functions.map { $0.values(inputs).first ?? 0 }
        }
    }

    static func bounded(_ value: Double, _ range: [Double]) -> Double {
        value.isFinite ? min(max(value, range[0]), range[1]) : range[0]
    }

    // MARK: - Reading

    init(_ value: PDFValue?, in file: inout PDFFile, depth: Int = 0) throws(DrawingError) {
        guard depth <= 3 else { throw DrawingError(.unsupported(.functions)) }
        // Functions that name the same one again and again, in each other, multiply.
        try file.countRead()
        let value = try file.resolved(value)
        if let array = value.array {
            guard (1...32).contains(array.count) else { throw PDFFunction.malformed }
            var functions: [PDFFunction] = []
            for item in array { functions.append(try PDFFunction(item, in: &file, depth: depth + 1)) }
            guard functions.allSatisfy({ $0.outputCount == 1 && $0.inputCount == functions[0].inputCount }) else {
                throw PDFFunction.malformed
            }
            self = .each(functions)
            return
        }
        guard let members = value.dictionary else { throw PDFFunction.malformed }
        func numbers(_ name: String) throws(DrawingError) -> [Double]? {
            try file.numbers(members[name], most: PDFFunction.mostNumbers)
        }
        guard let domain = try numbers("Domain"), domain.count >= 2, domain.count.isMultiple(of: 2),
            stride(from: 0, to: domain.count, by: 2).allSatisfy({ domain[$0] <= domain[$0 + 1] })
        else { throw PDFFunction.malformed }
        switch try file.resolved(members["FunctionType"]).integer {
        case 0: self = .samples(try PDFSamples(value, domain, try numbers("Range"), try numbers("Size"), in: &file))
        case 2:
            let (first, last) = (try numbers("C0") ?? [0], try numbers("C1") ?? [1])
            let exponent = try file.resolved(members["N"]).number ?? 1
            guard first.count == last.count, !first.isEmpty, exponent > 0, exponent <= PDFFile.largestNumber else {
                throw PDFFunction.malformed
            }
            self = .power(domain: domain, first: first, last: last, exponent: exponent)
        case 3:
            let list = try file.resolved(members["Functions"]).array ?? []
            guard (1...256).contains(list.count), let bounds = try numbers("Bounds"),
                let encode = try numbers("Encode"),
                bounds.count == list.count - 1, encode.count >= list.count * 2, bounds == bounds.sorted()
            else { throw PDFFunction.malformed }
            var functions: [PDFFunction] = []
            for item in list { functions.append(try PDFFunction(item, in: &file, depth: depth + 1)) }
            let count = functions[0].outputCount
            guard functions.allSatisfy({ $0.outputCount == count && $0.inputCount == 1 }) else {
                throw PDFFunction.malformed
            }
            self = .pieces(domain: domain, functions: functions, bounds: bounds, encode: encode)
        case 4: throw DrawingError(.unsupported(.functions))
        default: throw PDFFunction.malformed
        }
    }

    static let mostNumbers = 1_024

    static let malformed = DrawingError(.malformed("a function is malformed"))
}

/// A function of one number by samples of 8 or 16 bits, with lines between them.
struct PDFSamples: Sendable {
    let sizes: [Int]
    let range: [Double]
    private let domain: [Double]
    private let decode: [Double]
    private let samples: [Double]

    init(
        _ value: PDFValue, _ domain: [Double], _ range: [Double]?, _ sizes: [Double]?, in file: inout PDFFile
    ) throws(DrawingError) {
        guard let members = value.dictionary, let range, range.count >= 2, range.count.isMultiple(of: 2),
            let size = sizes?.first.flatMap({ Int(exactly: $0) }), (2...4_096).contains(size)
        else { throw PDFFunction.malformed }
        // Only functions of one input that use all their samples are read.
        let encode = try file.numbers(members["Encode"], most: PDFFunction.mostNumbers) ?? [0, Double(size - 1)]
        guard sizes?.count == 1, domain.count == 2, encode == [0, Double(size - 1)],
            let bits = try file.resolved(members["BitsPerSample"]).integer, bits == 8 || bits == 16
        else { throw DrawingError(.unsupported(.functions)) }
        let data = try file.data(of: value)
        let count = size * range.count / 2
        guard data.count >= count * bits / 8 else { throw PDFFunction.malformed }
        try file.work.spend(count)
        samples = (0..<count).map { number -> Double in
            guard bits == 16 else { return Double(data[number]) / 255 }
            let value = UInt16(data[number * 2]) << 8 | UInt16(data[number * 2 + 1])
            return Double(value) / 65_535
        }
        let own = try file.numbers(members["Decode"], most: PDFFunction.mostNumbers) ?? range
        guard own.count == range.count else { throw PDFFunction.malformed }
        (self.sizes, self.range, self.domain, decode) = ([size], range, domain, own)
    }

    func values(_ inputs: [Double]) -> [Double] {
        let x = PDFFunction.bounded(inputs.first ?? 0, domain)
        let extent = domain[1] - domain[0]
        let place = extent > 0 ? (x - domain[0]) / extent * Double(sizes[0] - 1) : 0
        // Bounded before it is rounded: converting a number that is infinite or not a number would trap.
        let low = place.isFinite ? Int(min(max(place, 0), Double(sizes[0] - 2))) : 0
        let count = range.count / 2
        return (0..<count).map { output in
            let (one, other) = (samples[low * count + output], samples[(low + 1) * count + output])
            let sample = one + (other - one) * (place - Double(low))
            let (from, to) = (decode[output * 2], decode[output * 2 + 1])
            return min(
                max(from + sample * (to - from), range[output * 2]), max(range[output * 2], range[output * 2 + 1]))
        }
    }
}
