/// A set of scalars, as `[…]`, `\d` or `\p{…}` name one.
indirect enum ScalarSet: Sendable {
    /// In order, apart from each other.
    case ranges([ClosedRange<UInt32>])
    case having(ScalarProperty)
    case complement(ScalarSet)
    /// And what differs from a member by case alone.
    case caseless(ScalarSet, isTurkic: Bool)
    case union([ScalarSet])
    case intersection([ScalarSet])

    /// A scalar is in the set. As deep as the pattern is nested, which has a limit.
    func contains(_ scalar: UInt32) -> Bool {
        switch self {
        case .ranges(let ranges): Self.contains(scalar, in: ranges)
        case .having(let property): property.holds(scalar)
        case .complement(let other): !other.contains(scalar)
        case .caseless(let set, let isTurkic): CaseVariants.contains(set, scalar, isTurkic: isTurkic)
        case .union(let parts): parts.contains { $0.contains(scalar) }
        case .intersection(let parts): parts.allSatisfy { $0.contains(scalar) }
        }
    }

    /// The steps that one lookup costs.
    var weight: Int {
        switch self {
        case .ranges, .having: 1
        case .complement(let other): other.weight + 1
        case .caseless(let other, _): 4 * other.weight
        case .union(let parts), .intersection(let parts): parts.reduce(1) { $0 + $1.weight }
        }
    }

    /// The intersection of both sets. A chain of intersections stays one level deep.
    func intersecting(_ other: ScalarSet) -> ScalarSet {
        if case .intersection(let parts) = self { return .intersection(parts + [other]) }
        return .intersection([self, other])
    }

    func subtracting(_ other: ScalarSet) -> ScalarSet { intersecting(.complement(other)) }

    private static func contains(_ scalar: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    /// Ranges in any order, which may overlap.
    init(_ unsorted: [ClosedRange<UInt32>]) {
        var ranges: [ClosedRange<UInt32>] = []
        for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound <= last.upperBound &+ 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        self = .ranges(ranges)
    }
}

extension ScalarSet {
    /// `\h`.
    static let blanks = union([.ranges([9...9]), .having(.categories([.spaceSeparator]))])
    /// `\v`, and what `\R` takes one by one.
    static let verticals = ranges([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])
    /// `\s`.
    static let spaces = having(.binary { $0.isWhitespace })
    /// `\d`.
    static let digits = having(.categories([.decimalNumber]))
    /// `\w`.
    static let words = union([
        .having(.binary { $0.isAlphabetic }),
        .having(
            .categories([.nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation])),
        .ranges([0x200C...0x200D]),
    ])
    /// `.` with the flag s.
    static let everything = ranges([0...0x10_FFFF])
    /// `.` without it.
    static let withinLine = complement(verticals)
}

/// A property of scalars that the standard library knows.
enum ScalarProperty: Sendable {
    case categories(Set<Unicode.GeneralCategory>)
    case binary(@Sendable (Unicode.Scalar.Properties) -> Bool)

    func holds(_ scalar: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(scalar) else { return false }
        return switch self {
        case .categories(let categories): categories.contains(scalar.properties.generalCategory)
        case .binary(let test): test(scalar.properties)
        }
    }
}

extension ScalarSet {
    /// The set that `\p{…}` or `[:…:]` names: a category, a script, a yes-or-no property, or `key=value` of the first
    /// two. Case, spaces, `-` and `_` make no difference.
    init?(named name: String) {
        guard name.utf8.count <= Self.longestName else { return nil }
        let parts = name.split(separator: "=", omittingEmptySubsequences: false).map { Self.plain(String($0)) }
        if parts.count == 2 {
            switch parts[0] {
            case "gc", "generalcategory", "category":
                guard let categories = Self.categories[parts[1]] else { return nil }
                self = .having(.categories(categories))
            case "sc", "script":
                guard let ranges = ScriptTable.ranges(of: parts[1]) else { return nil }
                self = .ranges(ranges)
            default: return nil
            }
            return
        }
        guard parts.count == 1, let set = Self.bare(parts[0]) else { return nil }
        self = set
    }

    private static let longestName = 80

    private static func bare(_ name: String) -> ScalarSet? {
        if let set = special[name] { return set }
        if let categories = categories[name] { return .having(.categories(categories)) }
        if let test = binaries[name] { return .having(.binary(test)) }
        if let ranges = ScriptTable.ranges(of: name) { return .ranges(ranges) }
        // Java's spelling, which ICU takes too.
        return name.hasPrefix("is") ? bare(String(name.dropFirst(2))) : nil
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
    }

    /// Names of sets that are neither a category nor one property; POSIX's among them.
    private static let special: [String: ScalarSet] = [
        "any": everything, "ascii": .ranges([0...0x7F]),
        "assigned": .complement(.having(.categories([.unassigned]))),
        "word": words, "digit": digits, "space": spaces, "blank": blanks,
        "alnum": .union([.having(.binary { $0.isAlphabetic }), digits]),
        "cntrl": .having(.categories([.control])),
        "graph": .complement(unseen),
        "print": .union([.complement(unseen), .having(.categories([.spaceSeparator]))]),
        "xdigit": .union([.having(.binary { $0.isHexDigit }), digits]),
    ]

    private static let unseen = union([spaces, .having(.categories([.control, .surrogate, .unassigned]))])

    private static let binaries: [String: @Sendable (Unicode.Scalar.Properties) -> Bool] = [
        "alphabetic": { $0.isAlphabetic }, "alpha": { $0.isAlphabetic },
        "lowercase": { $0.isLowercase }, "lower": { $0.isLowercase },
        "uppercase": { $0.isUppercase }, "upper": { $0.isUppercase },
        "whitespace": { $0.isWhitespace }, "wspace": { $0.isWhitespace },
        "asciihexdigit": { $0.isASCIIHexDigit }, "ahex": { $0.isASCIIHexDigit },
        "hexdigit": { $0.isHexDigit }, "hex": { $0.isHexDigit },
        "ideographic": { $0.isIdeographic }, "ideo": { $0.isIdeographic },
        "unifiedideograph": { $0.isUnifiedIdeograph }, "radical": { $0.isRadical },
        "cased": { $0.isCased }, "caseignorable": { $0.isCaseIgnorable }, "ci": { $0.isCaseIgnorable },
        "dash": { $0.isDash }, "diacritic": { $0.isDiacritic }, "dia": { $0.isDiacritic },
        "extender": { $0.isExtender }, "ext": { $0.isExtender },
        "emoji": { $0.isEmoji }, "emojipresentation": { $0.isEmojiPresentation },
        "emojimodifier": { $0.isEmojiModifier }, "emojimodifierbase": { $0.isEmojiModifierBase },
        "graphemebase": { $0.isGraphemeBase }, "graphemeextend": { $0.isGraphemeExtend },
        "idstart": { $0.isIDStart }, "ids": { $0.isIDStart },
        "idcontinue": { $0.isIDContinue }, "idc": { $0.isIDContinue },
        "xidstart": { $0.isXIDStart }, "xids": { $0.isXIDStart },
        "xidcontinue": { $0.isXIDContinue }, "xidc": { $0.isXIDContinue },
        "joincontrol": { $0.isJoinControl }, "math": { $0.isMath },
        "noncharactercodepoint": { $0.isNoncharacterCodePoint },
        "patternsyntax": { $0.isPatternSyntax }, "patternwhitespace": { $0.isPatternWhitespace },
        "quotationmark": { $0.isQuotationMark }, "qmark": { $0.isQuotationMark },
        "sentenceterminal": { $0.isSentenceTerminal }, "softdotted": { $0.isSoftDotted },
        "terminalpunctuation": { $0.isTerminalPunctuation }, "term": { $0.isTerminalPunctuation },
        "variationselector": { $0.isVariationSelector }, "vs": { $0.isVariationSelector },
        "defaultignorablecodepoint": { $0.isDefaultIgnorableCodePoint }, "di": { $0.isDefaultIgnorableCodePoint },
        "bidimirrored": { $0.isBidiMirrored }, "bidicontrol": { $0.isBidiControl },
        "deprecated": { $0.isDeprecated },
    ]

    /// Each category's two letters and its long name, then the groups of one letter.
    private static let categories: [String: Set<Unicode.GeneralCategory>] = {
        let single: [(String, String, Unicode.GeneralCategory)] = [
            ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter),
            ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
            ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
            ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
            ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
            ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
            ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation),
            ("pe", "closepunctuation", .closePunctuation), ("pi", "initialpunctuation", .initialPunctuation),
            ("pf", "finalpunctuation", .finalPunctuation), ("po", "otherpunctuation", .otherPunctuation),
            ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
            ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
            ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
            ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control), ("cf", "format", .format),
            ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse), ("cn", "unassigned", .unassigned),
        ]
        var categories: [String: Set<Unicode.GeneralCategory>] = [:]
        for (short, long, category) in single {
            categories[short] = [category]
            categories[long] = [category]
            categories[String(short.prefix(1)), default: []].insert(category)
        }
        categories["lc"] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
        let groups = [
            ("l", "letter"), ("lc", "casedletter"), ("m", "mark"), ("m", "combiningmark"), ("n", "number"),
            ("p", "punctuation"), ("p", "punct"), ("s", "symbol"), ("z", "separator"), ("c", "other"),
        ]
        for (short, long) in groups { categories[long] = categories[short] }
        return categories
    }()
}

/// The scripts of Unicode, by their names of four letters and their long ones.
enum ScriptTable {
    static func ranges(of name: String) -> [ClosedRange<UInt32>]? {
        guard let packed = byName[name] else { return nil }
        var numbers = PackedNumbers(packed)
        var ranges: [ClosedRange<UInt32>] = []
        var start = 0
        while let gap = numbers.next(), let length = numbers.next() {
            start += gap
            ranges.append(UInt32(start)...UInt32(start + length - 1))
            start += length
        }
        return ranges
    }

    private static let byName: [String: String] = {
        var byName: [String: String] = [:]
        var names: [Substring] = []
        for line in ScriptData.scripts.split(separator: "\n") {
            if line.first == "~" {
                for name in names { byName[String(name), default: ""] += line.dropFirst() }
            } else if let colon = line.firstIndex(of: ":") {
                names = line[..<colon].split(separator: " ")
                for name in names { byName[String(name)] = String(line[line.index(after: colon)...]) }
            }
        }
        return byName
    }()
}

/// Case, as patterns look at it: scalar by scalar, without decomposing.
enum CaseVariants {
    /// The scalars with the same folding, by that folding.
    private static let unfoldings: [[UInt32]: [UInt32]] = {
        var unfoldings: [[UInt32]: [UInt32]] = [:]
        for (scalar, folded) in FoldTable.foldings { unfoldings[folded, default: []].append(scalar) }
        return unfoldings
    }()

    /// The folding of the scalar: itself, another scalar, or several.
    static func folded(_ scalar: UInt32, isTurkic: Bool) -> [UInt32] {
        if isTurkic, scalar == 0x49 { return [0x131] }
        if isTurkic, scalar == 0x130 { return [0x69] }
        if scalar < 0x80 { return [scalar &- 0x41 < 26 ? scalar | 0x20 : scalar] }
        let range = FoldTable.folding.range(of: scalar)
        return range.isEmpty ? [scalar] : range.map { FoldTable.folding[$0] & FoldTable.scalar }
    }

    /// The scalar that this one folds to, or `nil` if it folds to several.
    @inline(__always)
    static func foldedAlone(_ scalar: UInt32, isTurkic: Bool) -> UInt32? {
        if scalar < 0x80 {
            if isTurkic, scalar == 0x49 { return 0x131 }
            return scalar &- 0x41 < 26 ? scalar | 0x20 : scalar
        }
        if isTurkic, scalar == 0x130 { return 0x69 }
        let range = FoldTable.folding.range(of: scalar)
        if range.isEmpty { return scalar }
        return range.count == 1 ? FoldTable.folding[range.lowerBound] & FoldTable.scalar : nil
    }

    /// True if the set has the scalar or one that differs from it only by case.
    static func contains(_ set: ScalarSet, _ scalar: UInt32, isTurkic: Bool) -> Bool {
        if set.contains(scalar) { return true }
        let folded = folded(scalar, isTurkic: isTurkic)
        if folded.count == 1, folded[0] != scalar, set.contains(folded[0]) { return true }
        if isTurkic, folded == [0x69] || folded == [0x131] { return set.contains(folded == [0x69] ? 0x130 : 0x49) }
        return (unfoldings[folded] ?? []).contains { $0 != scalar && set.contains($0) }
    }
}

/// `[d]` for patterns: scalar by scalar, so that `.` still takes one of them.
enum AccentStripping {
    /// The letter without its accents, or `nil` for a combining mark. `FoldedText` decides which letters have accents.
    static func stripped(_ scalar: UInt32) -> UInt32? {
        if scalar < 0x80 { return scalar }
        let range = FoldTable.canonical.range(of: scalar)
        guard !range.isEmpty else { return scalar }
        let first = FoldTable.canonical[range.lowerBound]
        if first & FoldTable.mark != 0 { return range.count == 1 && first & FoldTable.scalar == scalar ? nil : scalar }
        return first < FoldedText.accented ? first & FoldTable.scalar : scalar
    }

    /// The text without accents; marks stay where the letter before them keeps its own.
    static func stripped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var base: UInt32 = .max
        for scalar in text.unicodeScalars {
            if let kept = stripped(scalar.value) {
                base = kept
                result.append(Unicode.Scalar(kept) ?? scalar)
            } else if base >= FoldedText.accented {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
