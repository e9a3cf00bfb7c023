internal import WidgetBytes

/// A kind of element of documents. A type that conforms is one kind; ``KindRegistry/all`` lists it.
package protocol DocumentKind: Sendable {
    static var spec: KindSpec { get }

    /// Makes the nodes of an element.
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered
}

/// A kind as a value: a row of a registry.
package struct RegisteredKind: Sendable {
    package let spec: KindSpec
    let lower: @Sendable (DocumentElement, inout SceneMaker) throws(ElementFault) -> Lowered

    package init<Kind: DocumentKind>(_ kind: Kind.Type) {
        spec = Kind.spec
        lower = { (element, maker) throws(ElementFault) in try Kind.lower(element, in: &maker) }
    }
}

/// The reason that a kind is not registered.
package enum KindError: Error, Equatable, Sendable, CustomStringConvertible {
    case badName(String)
    /// The name, and the kind that has it already.
    case duplicate(String, of: String)

    package var description: String {
        switch self {
        case .badName(let name):
            "\(ShownText.quoted(name, limit: KindSpec.longestName)) is not a name for a kind: a small letter, then small letters, digits and hyphens"
        case .duplicate(let name, let other):
            "\(name) is already a name of the kind \(other); pass `replacing: true` to replace it"
        }
    }
}

/// The kinds that documents can use, by their names. It is a value: a reader gets it as an argument.
package struct KindRegistry: Sendable {
    private var kinds: [RegisteredKind] = []
    /// Places in the list, by name and alias.
    private var places: [String: Int] = [:]

    package init() {}

    /// The kinds of this program. A new one needs a row here.
    package static let all: [RegisteredKind] = [
        .init(LabelWidget.self), .init(TimerWidget.self), .init(ImageWidget.self),
        .init(SpinnerWidget.self), .init(DividerWidget.self), .init(SpacerWidget.self),
        .init(ButtonWidget.self), .init(TextFieldWidget.self), .init(SwitchWidget.self),
        .init(FormWidget.self), .init(HStackWidget.self), .init(VStackWidget.self),
        .init(ZStackWidget.self), .init(BoxWidget.self), .init(ScrollWidget.self),
        .init(TableWidget.self), .init(SectionWidget.self), .init(CellWidget.self),
        .init(MatchWidget.self), .init(AsyncWidget.self), .init(DisclosureWidget.self),
        .init(AlertWidget.self), .init(HostWidget.self), .init(HelpWidget.self),
    ]

    /// All kinds of the list. A kind whose name another one has is not among them; a test finds it.
    package static let standard: KindRegistry = {
        var registry = KindRegistry()
        for kind in all { try? registry.register(kind) }
        return registry
    }()

    /// The kinds that only documents of a program can use.
    package static let ofPrograms: [RegisteredKind] = [.init(NativeWidget.self)]

    /// The same kinds, with those of programs.
    var withNative: KindRegistry {
        var registry = self
        for kind in KindRegistry.ofPrograms { try? registry.register(kind) }
        return registry
    }

    package mutating func register<Kind: DocumentKind>(
        _ kind: Kind.Type, replacing: Bool = false
    ) throws(KindError) {
        try register(RegisteredKind(kind), replacing: replacing)
    }

    /// - Parameter replacing: true if the kind takes the place of those that have its names.
    package mutating func register(_ kind: RegisteredKind, replacing: Bool = false) throws(KindError) {
        let spec = kind.spec
        guard KindSpec.isName(spec.name) else { throw .badName(spec.name) }
        let names = [spec.name] + spec.aliases
        if !replacing {
            for name in names {
                if let place = places[name] { throw .duplicate(name, of: kinds[place].spec.name) }
            }
        }
        if replacing, let place = places[spec.name], kinds[place].spec.name == spec.name {
            // It takes the place of the kind of its name, whose aliases no longer mean anything.
            places = places.filter { $0.value != place }
            kinds[place] = kind
            for name in names { places[name] = place }
        } else {
            kinds.append(kind)
            for name in names { places[name] = kinds.count - 1 }
        }
    }

    /// In the order of their registration.
    package var specs: [KindSpec] { kinds.map { $0.spec } }

    package func kind(_ name: String) -> RegisteredKind? { places[name].map { kinds[$0] } }

    package func spec(_ name: String) -> KindSpec? { kind(name)?.spec }

    /// The names of kinds elsewhere, and the ones here.
    private static let others = [
        "list": "table", "tableview": "table", "foreach": "table", "collection": "table", "row": "hstack",
        "column": "vstack", "stack": "vstack", "view": "box", "div": "box", "card": "box", "span": "label",
        "paragraph": "label", "heading": "label", "title": "label", "img": "image", "picture": "image",
        "icon": "image", "input": "textfield", "field": "textfield", "checkbox": "switch", "link": "button",
        "loader": "spinner", "progress": "spinner", "line": "divider", "separator": "divider", "hr": "divider",
        "scrollview": "scroll", "group": "section",
    ]

    /// The name that an author may have meant, and otherwise all names.
    package func hint(_ name: String) -> String {
        let names = specs.map { $0.name }
        if let nearest = NearestName.of(name, in: names + specs.flatMap({ $0.aliases })) {
            return "did you mean \(nearest)?"
        }
        if let other = KindRegistry.others[name.lowercased()], kind(other) != nil { return "did you mean \(other)?" }
        return "the kinds are \(names.sorted().joined(separator: ", "))"
    }
}
