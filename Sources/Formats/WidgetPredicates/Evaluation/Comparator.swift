/// One comparison of two values. It is a class so that passing it around stays cheap.
final class Comparator: Sendable {
    /// Work on a constant right side that is done once, before any evaluation.
    enum Preparation: Sendable {
        case none
        case pattern(Pattern)
        case part(FoldedPart)
        case members(Set<ValueKey>)
    }

    let operation: ComparisonOperator
    let texts: TextComparison
    let preparation: Preparation
    /// A copy from the preparation: reading it there would count a reference each time.
    private let part: FoldedPart
    private static let noPart = FoldedPart("", TextComparison())
    let span: SourceSpan
    /// The span of the right side, for errors about it.
    let rightSpan: SourceSpan

    init(
        operation: ComparisonOperator, texts: TextComparison, preparation: Preparation, span: SourceSpan,
        rightSpan: SourceSpan
    ) {
        self.operation = operation
        self.texts = texts
        self.preparation = preparation
        part = if case .part(let part) = preparation { part } else { Self.noPart }
        self.span = span
        self.rightSpan = rightSpan
    }

    func holds(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        try run.spend(1, span)
        switch operation {
        case .equal: return try areEqual(left, right, &run)
        case .notEqual: return try !areEqual(left, right, &run)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try isOrdered(left, right, &run)
        case .between: return try isBetween(left, right, &run)
        case .in: return try isMember(left, of: right, &run)
        case .contains:
            if case .string(let whole) = left {
                guard part.byteCount > 0 else { return try text(left, right, &run) }
                try run.spend((whole.utf8.count &+ part.byteCount) / 16, span)
                return part.isPart(of: whole)
            }
            if left.isNull { return false }
            guard left.elements != nil else { throw noText(left) }
            return try isMember(right, of: left, &run)
        case .beginsWith, .endsWith: return try text(left, right, &run)
        case .like, .matches: return try matches(left, right, &run)
        case .conformsTo, .utiEquals:
            guard case .string(let type) = left, case .string(let other) = right else {
                if left.isNull || right.isNull { return false }
                throw noText(left.isText ? right : left)
            }
            try run.spend((type.utf8.count &+ other.utf8.count) / 16, span)
            return operation == .utiEquals
                ? UniformType.areEqual(type, other) : UniformType.conforms(type, to: other)
        }
    }

    // MARK: - Equality and order

    @inline(__always)
    private func areEqual(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        switch (left, right) {
        case (.integer(let first), .integer(let second)): return first == second
        case (.string(let first), .string(let second)):
            try run.spend((first.utf8.count &+ second.utf8.count) / 16, span)
            return texts.areEqual(first, second)
        default:
            if left.elements != nil { try run.spend(weightOf: left, span) }
            return left.equals(right, texts)
        }
    }

    private func isOrdered(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if case .integer(let first) = left, case .integer(let second) = right {
            switch operation {
            case .less: return first < second
            case .lessOrEqual: return first <= second
            case .greater: return first > second
            default: return first >= second
            }
        }
        guard let order = try order(left, right, &run) else { return false }
        switch operation {
        case .less: return order == .less
        case .lessOrEqual: return order == .less || order == .equal
        case .greater: return order == .greater
        default: return order == .greater || order == .equal
        }
    }

    /// `nil` if a side has no value, because null has no order.
    private func order(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> PredicateValue.Order? {
        if left.isNull || right.isNull { return nil }
        if case .string(let first) = left { try run.spend(first.utf8.count / 16, span) }
        if let order = left.order(right, texts) { return order }
        throw PredicateError(
            .incomparable, at: span,
            "\(left.kindName) has no order with \(right.kindName)".capitalizingFirst,
            hint: left.isText != right.isText && (left.double ?? right.double) != nil
                ? "CAST(text, 'NSNumber') makes a number of a text" : nil)
    }

    private func isBetween(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if right.isNull { return false }
        guard case .array(let bounds) = right, bounds.count == 2 else {
            throw PredicateError(
                .operandType, at: rightSpan, "BETWEEN needs two bounds", found: right.kindName,
                expected: ["an array of two, such as {1, 10}"])
        }
        guard let low = try order(bounds[0], left, &run), let high = try order(left, bounds[1], &run) else {
            return false
        }
        return (low == .less || low == .equal) && (high == .less || high == .equal)
    }

    // MARK: - Collections

    private func isMember(
        _ value: PredicateValue, of collection: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if case .members(let members) = preparation {
            try run.spend(weightOf: value, span)
            return members.contains(ValueKey(value))
        }
        if collection.isNull { return false }
        if case .string(let text) = collection {
            if value.isNull { return false }
            guard case .string(let part) = value else { throw noText(value) }
            try run.spend((text.utf8.count &+ part.utf8.count) / 16, span)
            return texts.contains(text, part)
        }
        guard let elements = collection.elements else {
            throw PredicateError(
                .collectionExpected, at: rightSpan, "\(operation.rawValue) looks through a collection or a text",
                found: collection.kindName, expected: ["a collection", "a text"])
        }
        // Comparing is cheaper than most steps.
        try run.spend(elements.count / 4, span)
        if case .string(let text) = value, texts.isPlain {
            var fuel = run.fuel
            let answer = Self.isElement(text, of: elements, &fuel)
            try run.spend(run.fuel &- fuel, span)
            return answer
        }
        for element in elements where try areEqual(element, value, &run) { return true }
        return false
    }

    /// A separate function, so that reading an element counts no reference to it. It ends when the fuel is used up.
    @inline(never)
    private static func isElement(_ text: String, of elements: [PredicateValue], _ fuel: inout Int) -> Bool {
        let count = text.utf8.count
        // ;, ` and K have canonical equivalents in Unicode; all other ASCII characters equal only themselves.
        let hasTwins = text.utf8.contains { $0 >= 0x80 || $0 == 0x3B || $0 == 0x60 || $0 == 0x4B }
        for place in elements.indices {
            guard case .string(let element) = elements[place], element.utf8.count == count || hasTwins else { continue }
            fuel -= (element.utf8.count + count) / 16
            if fuel < 0 { return false }
            if element == text { return true }
        }
        return false
    }

    // MARK: - Texts

    private func text(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        guard case .string(let text) = left, case .string(let part) = right else {
            if left.isNull || right.isNull { return false }
            throw noText(left.isText ? right : left)
        }
        try run.spend((text.utf8.count &+ part.utf8.count) / 16, span)
        switch operation {
        case .beginsWith: return texts.hasPrefix(text, part)
        case .endsWith: return texts.hasSuffix(text, part)
        default: return texts.contains(text, part)
        }
    }

    private func matches(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        guard case .string(let text) = left, case .string(let written) = right else {
            if left.isNull || right.isNull { return false }
            throw noText(left.isText ? right : left)
        }
        do throws(PatternError) {
            if case .pattern(let pattern) = preparation { return try pattern.matches(text, fuel: &run.fuel) }
            // Making a pattern costs more than trying one.
            run.fuel -= 4 * written.utf8.count
            let pattern =
                operation == .like ? Pattern.like(written, texts) : try Pattern.matches(written, texts)
            return try pattern.matches(text, fuel: &run.fuel)
        } catch {
            throw PredicateError(error, in: written, at: rightSpan)
        }
    }

    private func noText(_ value: PredicateValue) -> PredicateError {
        PredicateError(
            .operandType, at: span, "\(operation.rawValue) compares texts, and this is \(value.kindName)",
            found: value.text.map(Quotation.of), expected: ["a text"],
            hint: value.double != nil ? "CAST(number, 'NSString') makes a text of a number" : nil)
    }
}

extension PredicateValue {
    var isText: Bool { if case .string = self { true } else { false } }
}

extension PredicateError {
    /// A pattern that a predicate cannot use.
    /// - Parameter span: the place of the pattern in the predicate, quotes included.
    init(_ error: PatternError, in pattern: String, at span: SourceSpan) {
        let code: Code =
            switch error.code {
            case .outOfFuel: .fuelLimit
            case .backReference, .lookAround, .possessive, .atomicGroup: .backtrackingPattern
            default: .badPattern
            }
        // Without escapes the place in the pattern is a place in the text.
        let isPlain = span.byteCount == pattern.utf8.count + 2
        let start = isPlain ? span.offset + 1 + error.offset : span.offset
        self.init(
            code, at: SourceSpan(from: start, to: max(start, span.end - (isPlain ? 1 : 0))),
            "\(error)".capitalizingFirst, found: Quotation.of(pattern))
    }
}

final class ComparisonNode: TruthNode {
    let left: any ValueNode
    let right: any ValueNode
    let comparator: Comparator

    init(_ left: any ValueNode, _ right: any ValueNode, _ comparator: Comparator) {
        self.left = left
        self.right = right
        self.comparator = comparator
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        let value = try left.value(subject, &run)
        return try comparator.holds(value, try right.value(subject, &run), &run)
    }
}

/// Compares a dictionary's key with a constant, the most common comparison, without passing values around.
final class MemberComparisonNode: TruthNode {
    let key: MemberKey
    let constant: PredicateValue
    let comparator: Comparator
    /// For subjects that are not dictionaries, and for missing keys.
    let other: ComparisonNode

    init(_ key: KeyNode, _ constant: ConstantNode, _ comparator: Comparator) {
        self.key = key.key
        self.constant = constant.constant
        self.comparator = comparator
        other = ComparisonNode(key, constant, comparator)
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        guard let value = PredicateDictionary.member(key, of: subject) else { return try other.holds(subject, &run) }
        try run.spend(1, comparator.span)
        return try comparator.holds(value, constant, &run)
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        guard let value = PredicateDictionary.member(key, at: place, of: subjects) else {
            return try other.holds(subjects[place], &run)
        }
        try run.spend(1, comparator.span)
        return try comparator.holds(value, constant, &run)
    }
}

/// `ANY` and `ALL`: the left side is a collection, and each of its elements is compared.
final class QuantifiedNode: TruthNode {
    let left: any ValueNode
    let right: any ValueNode
    let comparator: Comparator
    let isAll: Bool

    init(_ left: any ValueNode, _ right: any ValueNode, _ comparator: Comparator, isAll: Bool) {
        self.left = left
        self.right = right
        self.comparator = comparator
        self.isAll = isAll
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        let value = try left.value(subject, &run)
        let other = try right.value(subject, &run)
        // A missing collection has no elements.
        if value.isNull { return isAll }
        guard let elements = value.elements else {
            throw PredicateError(
                .collectionExpected, at: comparator.span,
                "\(isAll ? "ALL" : "ANY") asks for a collection on the left, and this is \(value.kindName)",
                expected: ["a collection"])
        }
        for element in elements where try comparator.holds(element, other, &run) != isAll { return !isAll }
        return isAll
    }
}

/// The uniform type identifiers that all systems declare.
enum UniformType {
    /// Each type with its supertypes.
    private static let parents: [String: [String]] = [
        "public.data": ["public.item"], "public.directory": ["public.item"], "public.content": [],
        "public.composite-content": ["public.content"], "public.text": ["public.data", "public.content"],
        "public.plain-text": ["public.text"], "public.utf8-plain-text": ["public.plain-text"],
        "public.utf16-plain-text": ["public.plain-text"], "public.rtf": ["public.text"],
        "public.html": ["public.text"], "public.xml": ["public.text"], "public.json": ["public.text"],
        "public.yaml": ["public.text"], "public.css": ["public.text"],
        "public.comma-separated-values-text": ["public.delimited-values-text"],
        "public.tab-separated-values-text": ["public.delimited-values-text"],
        "public.delimited-values-text": ["public.text"], "public.source-code": ["public.plain-text"],
        "public.swift-source": ["public.source-code"], "public.c-source": ["public.source-code"],
        "public.c-header": ["public.source-code"], "public.objective-c-source": ["public.source-code"],
        "public.script": ["public.source-code"], "public.shell-script": ["public.script"],
        "public.python-script": ["public.shell-script"], "com.netscape.javascript-source": ["public.source-code"],
        "public.image": ["public.data", "public.content"], "public.jpeg": ["public.image"],
        "public.png": ["public.image"], "public.tiff": ["public.image"], "public.heic": ["public.heif-standard"],
        "public.heif": ["public.heif-standard"], "public.heif-standard": ["public.image"],
        "public.svg-image": ["public.image", "public.xml"], "public.camera-raw-image": ["public.image"],
        "com.compuserve.gif": ["public.image"], "com.microsoft.bmp": ["public.image"],
        "com.microsoft.ico": ["public.image"], "com.apple.icns": ["public.image"],
        "org.webmproject.webp": ["public.image"], "com.adobe.pdf": ["public.data", "public.composite-content"],
        "public.audiovisual-content": ["public.data", "public.content"],
        "public.movie": ["public.audiovisual-content"], "public.video": ["public.movie"],
        "public.mpeg": ["public.movie"], "public.mpeg-4": ["public.movie"], "public.avi": ["public.movie"],
        "com.apple.quicktime-movie": ["public.movie"], "public.audio": ["public.audiovisual-content"],
        "public.mp3": ["public.audio"], "public.mpeg-4-audio": ["public.mpeg-4", "public.audio"],
        "public.aiff-audio": ["public.audio"], "com.microsoft.waveform-audio": ["public.audio"],
        "com.apple.m4a-audio": ["public.mpeg-4-audio"], "public.archive": ["public.data"],
        "public.zip-archive": ["public.archive"], "com.pkware.zip-archive": ["public.zip-archive"],
        "org.gnu.gnu-zip-archive": ["public.archive"], "public.tar-archive": ["public.archive"],
        "public.folder": ["public.directory"], "public.font": ["public.data"], "public.url": ["public.data"],
        "public.file-url": ["public.url"], "public.vcard": ["public.text", "public.contact"],
        "public.contact": ["public.content"], "public.message": ["public.data", "public.content"],
        "public.email-message": ["public.message"], "public.calendar-event": ["public.content"],
        "com.apple.property-list": ["public.data"],
        "com.apple.xml-property-list": ["public.xml", "com.apple.property-list"],
        "com.apple.binary-property-list": ["com.apple.property-list"], "public.database": [],
        "public.executable": ["public.data"], "public.presentation": ["public.composite-content"],
        "public.spreadsheet": ["public.content"], "public.rtfd": ["com.apple.rtfd"],
        "com.apple.rtfd": ["public.composite-content"], "public.bookmark": [], "public.disk-image": ["public.archive"],
        "public.3d-content": ["public.content"], "public.playlist": [],
        "public.m3u-playlist": ["public.text", "public.playlist"],
    ]

    static func areEqual(_ first: String, _ second: String) -> Bool { first.lowercased() == second.lowercased() }

    static func conforms(_ type: String, to other: String) -> Bool {
        let wanted = other.lowercased()
        var pending = [type.lowercased()]
        // The walk ends because the table has no circles.
        while let type = pending.popLast() {
            if type == wanted { return true }
            pending += parents[type] ?? []
        }
        return false
    }
}
