package import JSONText
package import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetPredicates

/// The statements of a widget about itself, with their places.
package struct DeclaredTerms: Sendable {
    package internal(set) var terms = WidgetTerms()
    /// By the names of the terms: `modes`, or `links.event`.
    package internal(set) var places: [String: Place] = [:]

    package init(_ terms: WidgetTerms = WidgetTerms(), _ places: [String: Place] = [:]) {
        (self.terms, self.places) = (terms, places)
    }
}

/// Reads the statements of a widget about itself. A fault costs the statement that it is in.
struct TermsReader {
    private(set) var declared: DeclaredTerms
    /// True for a form whose texts are expressions; in documents an expression is an object.
    private let isPlain: Bool

    init(continuing declared: DeclaredTerms = DeclaredTerms(), isPlain: Bool = false) {
        self.declared = declared
        self.isPlain = isPlain
    }

    /// - Parameters:
    ///   - words: the names that expressions know; `nil` where they are not known yet.
    mutating func read(_ scene: DocumentValue, _ words: Lexicon?, _ maker: inout SceneMaker) {
        if let modes = scene["modes"] {
            note("modes", modes)
            for mode in attempt(&maker, { maker throws(ElementFault) in try names(modes, TermWords.modes, "a mode") })
                ?? []
            {
                if let mode = DisplayMode(rawValue: mode) { declared.terms.modes.insert(mode) }
            }
        }
        if let needs = scene["needs"] {
            note("needs", needs)
            let found = attempt(&maker) { maker throws(ElementFault) in
                try names(needs, TermWords.abilities, "an ability of hosts")
            }
            declared.terms.needs = Set((found ?? []).compactMap(HostAbility.init))
        }
        if let groups = scene["groups"] { readGroups(groups, &maker) }
        if let update = scene["update"] { readUpdate(update, &maker) }
        if let insets = scene["insets"] { readInsets(insets, words, &maker) }
        if let visible = scene["visible"] {
            note("visible", visible)
            if !isPlain { maker.reportText(visible, "a condition") }
            declared.terms.visible = expression(visible, words, &maker)
        }
        if let watch = scene["watch"] {
            note("watch", watch)
            if !isPlain { maker.reportText(watch, "a value to follow") }
            declared.terms.watch = expression(watch, words, &maker)
        }
    }

    private mutating func note(_ name: String, _ value: DocumentValue) { declared.places[name] = value.place }

    /// Reports a fault instead of passing it on.
    private func attempt<T>(
        _ maker: inout SceneMaker, _ body: (inout SceneMaker) throws(ElementFault) -> T
    ) -> T? {
        do throws(ElementFault) {
            return try body(&maker)
        } catch {
            maker.report(error.diagnostic)
            return nil
        }
    }

    // MARK: - Lists and numbers

    /// The words of a list, each of which must be a known one.
    private func names(
        _ value: DocumentValue, _ known: [String], _ what: String
    ) throws(ElementFault) -> [String] {
        var found: [String] = []
        for element in value.asList {
            guard let name = element.json.string, known.contains(name) else {
                let shown = element.json.string.map { ShownText.quoted($0, limit: String.excerptByteCount) }
                throw element.fault(
                    .badValue, "\(shown ?? element.json.typeName.rawValue) is not the name of \(what)",
                    hint: element.json.string.flatMap { NearestName.of($0, in: known) }.map { "did you mean \($0)?" }
                        ?? "there are \(NameList(known))")
            }
            found.append(name)
        }
        return found
    }

    private mutating func readGroups(_ value: DocumentValue, _ maker: inout SceneMaker) {
        note("groups", value)
        for (place, element) in value.asList.enumerated() {
            guard place < WidgetTerms.groupCount else {
                maker.report(
                    element.fault(
                        .countBudget, "The widget has more than \(WidgetTerms.groupCount) groups",
                        hint: "the first ones count"
                    ).diagnostic)
                return
            }
            guard let name = element.json.string, WidgetTerms.isGroupName(name) else {
                let shown = element.json.string.map { ShownText.quoted($0, limit: String.excerptByteCount) }
                maker.report(
                    element.fault(
                        .badValue, "\(shown ?? element.json.typeName.rawValue) is not the name of a group",
                        hint:
                            "write up to \(WidgetTerms.groupByteCount) letters, digits, dots, hyphens and underscores, as in group.com.acme"
                    ).diagnostic)
                continue
            }
            if !declared.terms.groups.contains(name) { declared.terms.groups.append(name) }
        }
    }

    private mutating func readUpdate(_ value: DocumentValue, _ maker: inout SceneMaker) {
        note("update", value)
        guard let members = members(value, TermWords.update, "update", &maker) else { return }
        let interval = members["interval"].flatMap { clamped($0, to: DataUpdatePolicy.intervals, &maker) }
        let deadline = members["deadline"].flatMap { clamped($0, to: DataUpdatePolicy.deadlines, &maker) }
        declared.terms.policy = DataUpdatePolicy(
            interval: interval, deadline: deadline ?? DataUpdatePolicy.usualDeadline)
    }

    private func members(
        _ value: DocumentValue, _ specs: [PropertySpec], _ owner: String, _ maker: inout SceneMaker
    ) -> CheckedMembers? {
        attempt(&maker) { maker throws(ElementFault) in
            guard value.json.object != nil else {
                throw value.fault(
                    .badValue, "\(owner) is \(value.json.typeName.rawValue), and has to be an object",
                    hint: "it has \(NameList(specs.map { $0.name }))")
            }
            return try CheckedMembers(value, specs, of: owner, around: value, known: ["comment"], &maker)
        }
    }

    /// A number of seconds within a range; one beyond it is moved, and reported.
    private func clamped(
        _ value: DocumentValue, to range: ClosedRange<Double>, _ maker: inout SceneMaker
    ) -> Double? {
        guard let number = value.json.double else { return nil }
        let nearest = min(max(number, range.lowerBound), range.upperBound)
        if nearest != number {
            maker.report(
                Finding(
                    .warning, .badValue,
                    "\(Value.text(number)) seconds are too \(number < nearest ? "short" : "long")", at: value.place,
                    hint: "it is \(Value.text(nearest)) instead"))
        }
        return nearest
    }

    // MARK: - Expressions

    private mutating func readInsets(_ value: DocumentValue, _ words: Lexicon?, _ maker: inout SceneMaker) {
        note("insets", value)
        var words = words
        words?.add("proposed")
        guard value.json.object != nil else {
            return maker.report(
                value.fault(
                    .badValue, "The insets are \(value.json.typeName.rawValue), and have to be an object",
                    hint: #"write {"left": {"$": "proposed.left - 30"}}"#
                ).diagnostic)
        }
        let sides = InsetSide.allCases.map { $0.rawValue }
        for (name, member) in value.members where name != "comment" {
            guard let side = InsetSide(rawValue: name) else {
                maker.report(
                    Finding(
                        .warning, .unknownKey, "Insets have no \(name.excerpt)", at: member.place,
                        value: name.excerpt, nearest: NearestName.of(name, in: sides),
                        hint: "they have \(NameList(sides))"))
                continue
            }
            guard let number = member.json.double else {
                note("insets.\(name)", member)
                declared.terms.insets[side] = expression(member, words, &maker)
                continue
            }
            let nearest = min(max(number, InsetSide.range.lowerBound), InsetSide.range.upperBound)
            if nearest != number {
                maker.report(
                    Finding(
                        .warning, .badValue, "A margin of \(Value.text(number)) points cannot be shown",
                        at: member.place, hint: "it is \(Value.text(nearest)) instead"))
            }
            declared.terms.insets[side] = .value(.double(nearest))
        }
    }

    private func expression(
        _ value: DocumentValue, _ words: Lexicon?, _ maker: inout SceneMaker
    ) -> TermExpression? {
        attempt(&maker) { maker throws(ElementFault) in
            try maker.spendSetting(value)
            if isPlain, let text = value.json.string { return try plain(text, value) }
            let read = try maker.read(words ?? Lexicon()) { reader throws(ElementFault) in
                try reader.expression(of: value)
            }
            switch (read.start, read.steps.first) {
            case (.literal(let literal), nil): return .value(literal)
            case (.compiled(let compiled), nil): return .expression(compiled)
            case (.scope, .truth(let predicate)): return .condition(predicate)
            default:
                throw value.fault(.badPredicate, "The value is neither a key path nor an expression")
            }
        }
    }

    private func plain(_ text: String, _ value: DocumentValue) throws(ElementFault) -> TermExpression {
        do throws(PredicateError) {
            return try TermExpression(text)
        } catch {
            throw value.fault(.badPredicate, "\(error.sentence) in `\(text.excerpt)`", hint: error.hint)
        }
    }

    // MARK: - Links

    mutating func readLinks(_ scene: DocumentValue, _ maker: inout SceneMaker) {
        guard let links = scene["links"] else { return }
        guard links.json.object != nil else {
            return maker.report(
                links.fault(
                    .badValue, "The links are \(links.json.typeName.rawValue), and have to be an object",
                    hint: #"write {"event": {"pattern": "acme://events/{id}", "scene": "Event"}}"#
                ).diagnostic)
        }
        for (name, value) in links.members {
            guard declared.terms.links.count < LinkRouter.routeCount else {
                return maker.report(
                    value.fault(
                        .countBudget, "The widget has more than \(LinkRouter.routeCount) links",
                        hint: "the first ones count"
                    ).diagnostic)
            }
            guard let link = attempt(&maker, { maker throws(ElementFault) in try link(name, value, &maker) }) else {
                continue
            }
            guard declared.terms.add(link) else {
                let other = declared.places["links.\(name)"].map { ", at \($0)" } ?? ""
                maker.report(
                    value.fault(
                        .duplicateIdentifier, "Another link is called \(name.excerpt)\(other)",
                        hint: "links of all scenes have different names"
                    ).diagnostic)
                continue
            }
            note("links.\(name)", value)
        }
    }

    private func link(
        _ name: String, _ value: DocumentValue, _ maker: inout SceneMaker
    ) throws(ElementFault) -> DeclaredLink {
        // A text is a link that only has a pattern.
        guard value.json.string == nil else { return DeclaredLink(name, try pattern(value)) }
        let members = try CheckedMembers(
            value, TermWords.link, of: "link", around: value, known: ["comment"], &maker)
        let pattern = try pattern(members["pattern"] ?? value)
        var names: [String: String] = [:]
        for (part, parameter) in members["parameters"]?.members ?? [] {
            guard let text = parameter.json.string, !text.isEmpty else {
                throw parameter.fault(.badValue, "The parameter that \(part.excerpt) is has to be a text")
            }
            names[part] = text
        }
        var reveal: LinkReveal?
        if let value = members["reveal"] {
            let found = try CheckedMembers(
                value, TermWords.reveal, of: "reveal", around: value, known: ["comment"], &maker)
            let key = found.text("key") ?? ""
            reveal = LinkReveal(
                list: found.text("list") ?? "", keyPath: key.split(separator: ".").map(String.init),
                part: found.text("part") ?? key)
        }
        guard let scene = members.text("scene") else {
            for member in ["reveal", "parameters"] {
                guard let member = members[member] else { continue }
                throw member.fault(
                    .badValue, "The link \(name.excerpt) leads to no screen of the bundle", hint: "name its scene")
            }
            return DeclaredLink(name, pattern)
        }
        do throws(LinkError) {
            let route = try LinkRoute(pattern, entry: scene, reveal: reveal, parameters: names)
            return DeclaredLink(name, pattern, route: route)
        } catch {
            throw (members["reveal"] ?? members["parameters"] ?? value).fault(
                .badValue, sentence(error),
                hint: pattern.parts.isEmpty ? nil : "its parts are \(NameList(pattern.parts.map { $0.name }))")
        }
    }

    private func pattern(_ value: DocumentValue) throws(ElementFault) -> LinkPattern {
        do throws(LinkError) {
            return try LinkPattern(value.json.string ?? "")
        } catch {
            throw value.fault(.badValue, sentence(error), hint: "write an address such as acme://events/{id:integer}")
        }
    }

    /// The reason with a capital letter, as sentences of diagnostics begin.
    private func sentence(_ error: LinkError) -> String {
        let text = "\(error)"
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension DeclaredTerms {
    /// The terms of a section that was read from another form, whose texts are expressions.
    ///
    /// - Parameters:
    ///   - section: spans are those of the file.
    ///   - lines: of the file; `nil` for a file without lines.
    package static func reading(
        _ section: JSONValue, file: String, lines: LineTable?
    ) -> (declared: DeclaredTerms, diagnostics: [Finding]) {
        let source = DocumentSource(section, path: file, name: TermWords.section, lines: lines)
        let value = DocumentValue(section, ValuePath().appending(key: TermWords.section), in: source)
        let limits = DocumentLimits()
        var maker = SceneMaker(
            DocumentLibrary(DocumentInput(identifier: "", documents: [], first: nil)), .skip, limits,
            ReadingWork(limits))
        guard section.object != nil else {
            let fault = value.fault(
                .badValue, "\(TermWords.section) is \(section.typeName.rawValue), and has to be a dictionary")
            return (DeclaredTerms(), [fault.diagnostic])
        }
        let known = TermWords.members.map { $0.name }
        for (name, member) in value.members where !known.contains(name) {
            maker.report(
                Finding(
                    .warning, .unknownKey, "\(TermWords.section) has no \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: known), hint: "it has \(NameList(known))"))
        }
        var reader = TermsReader(isPlain: true)
        reader.readLinks(value, &maker)
        reader.read(value, nil, &maker)
        return (reader.declared, maker.diagnostics)
    }
}
