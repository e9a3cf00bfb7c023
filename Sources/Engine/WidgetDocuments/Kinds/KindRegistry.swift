internal import Bytes

/// A kind of element of documents. A type that conforms is one kind; ``KindRegistry/all`` lists it.
package protocol DocumentKind: Sendable {
    static var spec: KindSpec { get }

    /// Makes the nodes of an element.
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered
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
    private var kinds: [any DocumentKind.Type] = []
    /// Places in the list, by name and alias.
    private var places: [String: Int] = [:]

    package init() {}

    /// The kinds of this program. A new one needs a row here.
    package static let all: [any DocumentKind.Type] = [
        LabelWidget.self, TimerWidget.self,
        ImageWidget.self, SpinnerWidget.self, DividerWidget.self, SpacerWidget.self,
        ButtonWidget.self, TextFieldWidget.self, SwitchWidget.self, FormWidget.self,
        HStackWidget.self, VStackWidget.self, ZStackWidget.self, BoxWidget.self, ScrollWidget.self,
        TableWidget.self, SectionWidget.self, CellWidget.self,
        MatchWidget.self, AsyncWidget.self,
        DisclosureWidget.self, AlertWidget.self, HostWidget.self, HelpWidget.self,
    ]

    /// All kinds of the list. A kind whose name another one has is not among them; a test finds it.
    package static let standard: KindRegistry = {
        var registry = KindRegistry()
        for kind in all { try? registry.register(kind) }
        return registry
    }()

    /// The kinds that only documents of a program can use.
    package static let ofPrograms: [any DocumentKind.Type] = [NativeWidget.self]

    /// The same kinds, with those of programs.
    var withNative: KindRegistry {
        var registry = self
        for kind in KindRegistry.ofPrograms { try? registry.register(kind) }
        return registry
    }

    /// - Parameter replacing: true if the kind takes the place of those that have its names.
    package mutating func register(_ kind: any DocumentKind.Type, replacing: Bool = false) throws(KindError) {
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

    package func kind(_ name: String) -> (any DocumentKind.Type)? { places[name].map { kinds[$0] } }

    package func spec(_ name: String) -> KindSpec? { kind(name)?.spec }

    /// The name that an author may have meant, and otherwise all names.
    package func hint(_ name: String) -> String {
        let names = specs.map(\.name)
        if let nearest = NearestName.of(name, in: names + specs.flatMap(\.aliases)) {
            return "did you mean \(nearest)?"
        }
        return "the kinds are \(names.sorted().joined(separator: ", "))"
    }
}
