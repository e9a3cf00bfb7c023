internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// Themes: names for colours, fonts, lengths and styles.
extension SceneMaker {
    /// A theme with the names that an author adds. What has a fault is reported and left out.
    ///
    /// - Parameter base: the theme around it, whose names the new values may use.
    mutating func theme(_ value: DocumentValue?, on base: Theme) throws(ElementFault) -> Theme {
        guard let value else { return base }
        guard value.json.object != nil else {
            report(
                value.fault(.badPayload, "A theme is \(value.json.typeName.rawValue), and has to be an object")
                    .diagnostic)
            return base
        }
        guard work.spend(base.count / Lexicon.copiedCount) else { throw overwork(value) }
        report(unknown: value, among: DocumentWords.theme.map { $0.name }, "Themes have")
        let colors = try entries(of: value["colors"], "colours", base.colors) { maker, _, color in
            maker.paint(color, base)
        }
        let fonts = try entries(of: value["fonts"], "fonts", base.fonts) { maker, _, font in maker.font(font, base) }
        let numbers = try entries(of: value["numbers"], "numbers", base.numbers) { _, _, number in
            number.json.double.flatMap { $0.isFinite && abs($0) <= SceneMaker.largestLength ? $0 : nil }
        }
        let named = Theme(colors: colors, fonts: fonts, numbers: numbers, styles: base.styles)
        return try styles(value["styles"], on: named)
    }

    /// A theme with further styles.
    mutating func styles(_ value: DocumentValue?, on base: Theme) throws(ElementFault) -> Theme {
        guard let value else { return base }
        let styles = try entries(of: value, "styles", base.styles) { maker, name, style in
            guard style.json.object != nil else { return nil }
            return maker.members(ofStyle: style, named: name, base)
        }
        return Theme(colors: base.colors, fonts: base.fonts, numbers: base.numbers, styles: styles)
    }

    private static let largestLength = 10_000.0

    /// The looks of the parts of a theme.
    private static let samples = [
        "colors": ##"write "#b00020", the name of a colour, or {"light": "#ffffff", "dark": "#202020"}"##,
        "fonts": #"write {"size": 18}, or {"style": "title2", "bold": true}"#, "numbers": "write a number of points",
        "styles": #"write an object, such as {"padding": 4}"#,
    ]

    /// The entries of a part of a theme, over those that are there already.
    private mutating func entries<Entry>(
        of value: DocumentValue?, _ what: String, _ base: [String: Entry],
        _ read: (inout SceneMaker, String, DocumentValue) -> Entry?
    ) throws(ElementFault) -> [String: Entry] {
        guard let value else { return base }
        guard value.json.object != nil else {
            report(
                value.fault(
                    .badPayload, "The \(what) of a theme are \(value.json.typeName.rawValue), and have to be an object"
                ).diagnostic)
            return base
        }
        var entries = base
        for (name, member) in value.members {
            try spendSetting(member)
            guard entries.count < limits.nameCount else {
                throw value.fault(.countBudget, "A theme has more than \(limits.nameCount) \(what)")
            }
            guard let entry = read(&self, name, member) else {
                report(
                    member.fault(
                        .badPayload,
                        "\(name.excerpt) is not one of the \(what) that a theme can have: \(Value(member.json).shown.excerpt)",
                        hint: SceneMaker.samples[what]
                    ).diagnostic)
                continue
            }
            entries[name] = entry
        }
        return entries
    }

    private func paint(_ value: DocumentValue, _ base: Theme) -> Paint? {
        if let text = value.json.string { return base.paint(text) }
        guard let light = value["light"]?.json.string, let dark = value["dark"]?.json.string,
            case .value(let bright)? = ColorWords.paint(light), case .value(let dim)? = ColorWords.paint(dark)
        else { return nil }
        return .pair(light: bright, dark: dim)
    }

    private mutating func font(_ value: DocumentValue, _ base: Theme) -> FontRequest? {
        if let text = value.json.string { return base.font(text) }
        guard value.json.object != nil else { return nil }
        report(unknown: value, among: DocumentWords.font.map { $0.name }, "Fonts have")
        var font = FontRequest.body
        if let style = value["style"] {
            guard let known = style.json.string.flatMap(base.font) else { return nil }
            font = known
        }
        if let size = value["size"] {
            guard let points = size.json.double, (1...SceneMaker.largestFont).contains(points) else { return nil }
            font = FontRequest(size: points, weight: font.weight, isItalic: font.isItalic)
        }
        if let weight = value["weight"] {
            guard let number = weight.json.double, (100...900).contains(number) else { return nil }
            font.weight = Int(number)
        }
        if value["bold"]?.json.boolean ?? false { font.weight = 700 }
        if let isItalic = value["italic"]?.json.boolean { font.isItalic = isItalic }
        return font
    }

    private static let largestFont = 500.0

    /// The members of a style that have no fault.
    private mutating func members(
        ofStyle style: DocumentValue, named name: String, _ theme: Theme
    ) -> [(name: String, value: DocumentValue)] {
        report(unknown: style, among: DocumentWords.style.map { $0.name }, "A style has")
        var members: [(name: String, value: DocumentValue)] = []
        for member in style.members {
            guard let spec = DocumentWords.style.first(where: { $0.name == member.name }) else { continue }
            do throws(ElementFault) {
                try CheckedMembers.check(member.value, spec, "style", theme)
                members.append(member)
            } catch {
                report(error.diagnostic)
            }
        }
        return members
    }

    /// Reports members that have no meaning.
    private mutating func report(unknown value: DocumentValue, among names: [String], _ owner: String) {
        for (name, member) in value.members where !names.contains(name) {
            report(
                Finding(
                    .warning, .unknownKey, "\(owner) no \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: names), hint: "there are \(NameList(names))")
            )
        }
    }

    // MARK: - Use

    /// The members of a style that is an object, the name of one, or a list of both, of which later ones count.
    mutating func members(
        ofStyle value: DocumentValue, _ theme: Theme
    ) throws(ElementFault) -> [(name: String, value: DocumentValue)] {
        if value.json.object != nil { return value.members }
        var members: [(name: String, value: DocumentValue)] = []
        for part in value.asList {
            try spendSetting(part)
            let more: [(name: String, value: DocumentValue)]
            if part.json.object != nil {
                more = part.members
            } else if let name = part.json.string {
                guard let known = theme.styles[name] else {
                    var hint: String?
                    if work.takeHint() {
                        let names = theme.styles.keys.sorted()
                        hint =
                            NearestName.of(name, in: names).map { "did you mean \($0)?" }
                            ?? (names.isEmpty ? "write it in `styles`" : "there are \(NameList(names))")
                    }
                    report(
                        Finding(
                            .warning, .unknownKey, "No style is called \(name.excerpt)", at: part.place, hint: hint))
                    continue
                }
                more = known
            } else {
                report(
                    part.fault(
                        .badPayload,
                        "A style is \(part.json.typeName.rawValue), and has to be an object, a name or a list of both"
                    ).diagnostic)
                continue
            }
            let names = Set(more.map { $0.name })
            members.removeAll { names.contains($0.name) }
            members += more
        }
        return members
    }

    /// The theme of a document's elements: that around it with what the document adds.
    mutating func theme(of parts: SceneParts, on base: Theme) throws(ElementFault) -> Theme {
        try styles(parts.scene?["styles"], on: try theme(parts.scene?["theme"], on: base))
    }
}
