internal import JSONText
internal import WidgetCore

/// The work that reading the documents of a bundle may take, which all of its screens share. One step is about a quarter of
/// a microsecond.
///
/// Limits of one screen are not enough: elements with faults give their nodes back, components multiply what fails as well,
/// and a bundle has many screens.
struct ReadingWork: Sendable {
    private(set) var left: Int
    /// The nodes and settings that this screen and those after it may have.
    var nodes: Int
    var settings: Int
    /// The misspelled names that are still compared with all that are known.
    private var hintsLeft: Int
    private var isReported = false

    init(_ limits: DocumentLimits) {
        left = limits.workCount
        (nodes, settings) = (limits.totalNodeCount, limits.totalSettingCount)
        hintsLeft = limits.hintCount
    }

    /// One element, with its nodes.
    static let element = 20
    /// One property, style, condition or action, besides its value.
    static let setting = 8
    /// A state or a parameter of one more place, besides its value.
    static let name = 8
    /// An element that cannot be shown, besides what was read of it.
    static let fault = 48
    /// The bytes of text that one step reads, and those of an expression or a key path.
    private static let textByteCount = 32
    private static let expressionByteCount = 2

    var isOver: Bool { left < 0 }

    /// - Returns: false if too little is left.
    mutating func spend(_ steps: Int) -> Bool {
        if left >= 0 { left -= steps }
        return left >= 0
    }

    /// Spends what it takes to read a value with all that is in it. The parser limits its depth.
    mutating func spend(_ value: JSONValue) -> Bool {
        guard spend(1) else { return false }
        switch value.kind {
        case .null, .boolean, .number: return true
        case .string(let text):
            let isPath = text.utf8.first == UInt8(ascii: "$")
            return spend(
                text.utf8.count / (isPath ? ReadingWork.expressionByteCount : ReadingWork.textByteCount))
        case .array(let elements):
            for element in elements where !spend(element) { return false }
        case .object(let object):
            if object.count == 1, let text = object["$"]?.string {
                return spend(text.utf8.count / ReadingWork.expressionByteCount)
            }
            for member in object.members where !spend(member.value) { return false }
        }
        return left >= 0
    }

    /// True the first time that the work is found to be over.
    mutating func takeReport() -> Bool {
        defer { isReported = true }
        return !isReported
    }

    mutating func takeHint() -> Bool {
        hintsLeft -= 1
        return hintsLeft >= 0
    }
}

extension SceneMaker {
    /// The fault of an element for which no work is left.
    func overwork(_ value: DocumentValue) -> ElementFault {
        value.fault(
            .countBudget, "The documents take more than \(limits.workCount) steps to read",
            hint: "what came before is shown")
    }
}
