internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetPredicates

/// The action that opens an address: a text, a pattern with parts, or a link that the widget declares.
extension SceneMaker {
    mutating func opening(
        _ value: DocumentValue, _ members: CheckedMembers, _ words: Lexicon
    ) throws(ElementFault) -> [Step] {
        if let name = members["link"] {
            if let url = members["url"] {
                throw url.fault(.badPayload, "The open has a link and a url", hint: "take one of them out")
            }
            return [try opening(try link(name), value, members["with"], words)]
        }
        guard let url = members["url"] else {
            throw value.fault(.badPayload, "The open has neither url nor link", hint: "name the address, or a link")
        }
        if let text = url.json.string, !CheckedMembers.isBound(url.json), text.contains("{") {
            return [try opening(try pattern(text, url), value, members["with"], words)]
        }
        guard let address = try members.expression("url", words, &self) else { return [] }
        var isThere = address
        isThere.steps.append(.transformer("NSIsNotNil"))
        return [.branch(isThere, then: [.open(address)], otherwise: [])]
    }

    private func pattern(_ text: String, _ url: DocumentValue) throws(ElementFault) -> LinkPattern {
        do throws(LinkError) {
            return try LinkPattern(text)
        } catch {
            throw url.fault(.badValue, "The url is \(error)", hint: "parts are written {name} or {name:type}")
        }
    }

    /// The pattern of a declared link.
    private mutating func link(_ name: DocumentValue) throws(ElementFault) -> LinkPattern {
        let text = name.json.string ?? ""
        let known = terms.links.map { $0.name }.sorted()
        guard let link = terms.link(text) else {
            throw name.fault(
                .deadLink, "No link is called \(text.excerpt)",
                hint: NearestName.of(text, in: known).map { "did you mean \($0.excerpt)?" }
                    ?? (known.isEmpty
                        ? #"write "links": {"\#(text.excerpt)": {"pattern": "acme://…"}} at the top of the document"#
                        : "there are \(NameList(known))"))
        }
        openedLinks.insert(text)
        if let route = link.route { destinations.insert(route.entry) }
        return link.pattern
    }

    private mutating func opening(
        _ pattern: LinkPattern, _ value: DocumentValue, _ with: DocumentValue?, _ words: Lexicon
    ) throws(ElementFault) -> Step {
        for part in pattern.parts {
            guard let given = with?[part.name] else {
                throw (with ?? value).fault(
                    .deadLink, "The link is never opened, because its part \(part.name) has no value",
                    hint: #"write "with": {"\#(part.name)": "$…"}"#)
            }
            guard CheckedMembers.isBound(given.json) || part.type.text(of: Value(given.json)) != nil else {
                throw given.fault(
                    .deadLink,
                    "The link is never opened, because \(Value(given.json).shown.excerpt) is not of the type \(part.type.rawValue) of its part \(part.name)"
                )
            }
        }
        let names = pattern.parts.map { $0.name }
        for (name, member) in with?.members ?? [] where !names.contains(name) {
            report(
                Finding(
                    .warning, .unknownKey, "The link has no part \(name.excerpt)", at: member.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: names),
                    hint: (names.isEmpty ? "its pattern has no parts" : "its parts are \(NameList(names))")))
        }
        let parts = try passed(with, words) ?? Expression(.members([]), place: value.place)
        return .openLink(pattern, parts: parts)
    }
}
