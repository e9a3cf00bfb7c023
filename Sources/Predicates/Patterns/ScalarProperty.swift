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
