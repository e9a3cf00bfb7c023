internal import WidgetPredicates

/// The places of a request that have no value, and those whose value cannot be written as text.
struct RequestFaults {
    private let argument: Value
    private let environment: PredicateEnvironment
    private let isWriting: Bool
    /// The places without a value, each once.
    private(set) var unfilled: [String] = []
    /// The places of texts that have a list or an object.
    private(set) var compound: [String] = []
    /// The places in the path of a request that changes something, whose value would lead elsewhere.
    private(set) var astray: [String] = []

    init(_ argument: Value, _ environment: PredicateEnvironment, isWriting: Bool) {
        self.argument = argument
        self.environment = environment
        self.isWriting = isWriting
    }

    /// - Parameters:
    ///   - isAddress: true for the address. A request that changes something on a server needs each part of its path,
    ///     because `orders/$id` without an order may mean all of them.
    ///   - keepsValues: true if a text that is one place becomes the value itself.
    mutating func look(at template: Template, isAddress: Bool, keepsValues: Bool) {
        var isInPath = isAddress
        for part in template.parts {
            switch part {
            case .text(let text): if text.contains("?") { isInPath = false }
            case .conversion: continue
            case .path(let path): look(at: path, isInPath: isInPath, staysValue: keepsValues && template.isOnePlace)
            }
        }
    }

    private mutating func look(at path: TemplatePath, isInPath: Bool, staysValue: Bool) {
        environment.meter?.spend(Meter.field)
        let value = path.value(in: argument, environment)
        if value.isNull {
            let isMissing = !path.isGiven(in: argument) || isInPath && isWriting
            if isMissing, !unfilled.contains(path.text) { unfilled.append(path.text) }
        } else if !staysValue, value.isCompound, !compound.contains(path.text) {
            compound.append(path.text)
        } else if isInPath, isWriting, !value.isCompound {
            let text = value.shown
            if text.isEmpty {
                if !unfilled.contains(path.text) { unfilled.append(path.text) }
            } else if RequestFaults.leadsElsewhere(text), !astray.contains(path.text) {
                astray.append(path.text)
            }
        }
    }

    /// True for a text that ends the path, or goes up in it: another address would be changed than the one that is written.
    private static func leadsElsewhere(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "\\") }
            || text.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == "." || $0 == ".." }
    }

    /// Looks at a part of an upload: a text, a file, or a list of these.
    mutating func look(atPart keyPath: String) {
        let value = argument.member(at: keyPath.split(separator: ".").map(String.init))
        let items: [Value] = if case .array(let elements) = value { elements } else { [value] }
        let isUnknown = items.prefix(RequestBuilder.mostParts + 1).contains { item in
            switch item {
            case .array, .set: true
            case .dictionary:
                RequestBuilder.bytes(of: item) == nil
                    && (item.member("data").string == nil || item.member("fileName").string == nil)
            default: false
            }
        }
        if isUnknown, !compound.contains(keyPath) { compound.append(keyPath) }
    }

    /// The names with their signs.
    static func list(_ names: [String]) -> String { "\(NameList(names.map { "$\($0)" }))" }
}

extension Template {
    /// True if it is one place, and nothing around it.
    var isOnePlace: Bool { parts.count == 1 }
}

extension Value {
    /// True for a list, an object or bytes, which have no text that a server could read.
    fileprivate var isCompound: Bool {
        switch self {
        case .array, .set, .dictionary, .data: true
        case .null, .boolean, .integer, .double, .decimal, .string, .date, .object: false
        }
    }
}
