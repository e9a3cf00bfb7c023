internal import Predicates

/// The place of a node among those of its scene.
package typealias NodeID = Int

/// A name among those that the engine knows itself, by a number: comparing and hashing names is what evaluations and
/// printers do most.
struct KnownName: Sendable {
    private let numbers: [String: UInt8]

    init(_ names: [String]) {
        numbers = Dictionary(zip(names, 1...UInt8.max)) { first, _ in first }
    }

    /// Zero for all others.
    subscript(_ name: String) -> UInt8 { numbers[name] ?? 0 }
}

/// What a node is. The set is open: a printer shows the children of a kind it does not know.
package struct NodeKind: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    private let number: UInt8

    private static let known = KnownName([
        "box",
        "label",
        "button",
        "image",
        "text-field",
        "text-area",
        "search-field",
        "list",
        "grid",
        "row",
        "section-header",
        "section-footer",
        "activity",
        "progress",
        "switch",
        "slider",
        "stepper",
        "segments",
        "date-picker",
        "page-control",
        "bar",
        "bar-title",
        "constraint",
        "form",
        "screen",
        "web",
    ])

    package init(stringLiteral name: String) {
        self.name = name
        number = NodeKind.known[name]
    }

    /// A place in tables of what the engine knows of each kind: below ``tableSize``, and zero for all others.
    package var place: Int { Int(number) }

    package static let tableSize = 256

    package static func == (first: NodeKind, second: NodeKind) -> Bool {
        first.number == second.number && (first.number != 0 || first.name == second.name)
    }

    package func hash(into hasher: inout Hasher) {
        if number == 0 { hasher.combine(name) } else { hasher.combine(number) }
    }

    package static let box: NodeKind = "box"
    package static let label: NodeKind = "label"
    package static let button: NodeKind = "button"
    package static let image: NodeKind = "image"
    package static let textField: NodeKind = "text-field"
    package static let textArea: NodeKind = "text-area"
    package static let searchField: NodeKind = "search-field"
    package static let list: NodeKind = "list"
    package static let grid: NodeKind = "grid"
    package static let row: NodeKind = "row"
    package static let sectionHeader: NodeKind = "section-header"
    package static let sectionFooter: NodeKind = "section-footer"
    package static let activity: NodeKind = "activity"
    package static let progress: NodeKind = "progress"
    package static let toggle: NodeKind = "switch"
    package static let slider: NodeKind = "slider"
    package static let stepper: NodeKind = "stepper"
    package static let segments: NodeKind = "segments"
    package static let datePicker: NodeKind = "date-picker"
    package static let pageControl: NodeKind = "page-control"
    package static let bar: NodeKind = "bar"
    package static let barTitle: NodeKind = "bar-title"
    package static let constraint: NodeKind = "constraint"
    package static let form: NodeKind = "form"
    package static let screen: NodeKind = "screen"
    package static let web: NodeKind = "web"
}

/// The name of something a node has.
package struct PropertyName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    private let number: UInt8

    private static let known = KnownName([
        "text",
        "placeholder",
        "image",
        "image-url",
        "placeholder-image",
        "hidden",
        "disabled",
        "read-only",
        "active",
        "hides-when-stopped",
        "value",
        "minimum",
        "maximum",
        "step",
        "titles",
        "accessible-name",
        "page-count",
        "upload-result",
        "prominent",
        "alpha",
        "focused",
        "invalid",
        "selected",
        "refreshing",
    ])

    package init(stringLiteral name: String) {
        self.init(name)
    }

    package init(_ name: String) {
        self.name = name
        number = PropertyName.known[name]
    }

    package static func == (first: PropertyName, second: PropertyName) -> Bool {
        first.number == second.number && (first.number != 0 || first.name == second.name)
    }

    package func hash(into hasher: inout Hasher) {
        if number == 0 { hasher.combine(name) } else { hasher.combine(number) }
    }

    package static let text: PropertyName = "text"
    package static let placeholder: PropertyName = "placeholder"
    package static let image: PropertyName = "image"
    package static let imageURL: PropertyName = "image-url"
    /// Shown while there is no other.
    package static let placeholderImage: PropertyName = "placeholder-image"
    package static let hidden: PropertyName = "hidden"
    package static let disabled: PropertyName = "disabled"
    package static let readOnly: PropertyName = "read-only"
    package static let active: PropertyName = "active"
    package static let hidesWhenStopped: PropertyName = "hides-when-stopped"
    package static let value: PropertyName = "value"
    package static let minimum: PropertyName = "minimum"
    package static let maximum: PropertyName = "maximum"
    package static let step: PropertyName = "step"
    package static let titles: PropertyName = "titles"
    package static let accessibleName: PropertyName = "accessible-name"
    package static let pageCount: PropertyName = "page-count"
    /// What a server has said to an upload.
    package static let uploadResult: PropertyName = "upload-result"
    package static let isProminent: PropertyName = "prominent"
    package static let alpha: PropertyName = "alpha"
    /// Where text is being typed.
    package static let focused: PropertyName = "focused"
    /// A field that was asked for and is missing.
    package static let invalid: PropertyName = "invalid"
    package static let selected: PropertyName = "selected"
    package static let refreshing: PropertyName = "refreshing"
}

package struct Property: Sendable {
    package var name: PropertyName
    package var expression: Expression

    package init(_ name: PropertyName, _ expression: Expression) {
        self.name = name
        self.expression = expression
    }
}

/// Where something stands in the space of what it stands in; printers read from top to bottom by it.
package struct Frame: Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// What can happen to a node.
package enum NodeEvent: String, Sendable, CaseIterable {
    case tap, change, submit, select, refresh, clear, delete, pick
    case scrollEnd = "scroll-end"
    case scrollStart = "scroll-start"
    case beginEditing = "begin-editing"
    case cancel
}

package struct Node: Sendable {
    package var kind: NodeKind
    package var identifier: String?
    package var parent: NodeID?
    package var properties: [Property] = []
    package var children: [NodeID] = []
    package var events: [NodeEvent: [Step]] = [:]
    package var list: ListTemplate?
    package var form: Form?
    /// Under which name a form has its value.
    package var fieldName: String?
    /// Forms that take what is picked here, the first that has nothing before the others.
    package var pickerForms: [NodeID] = []
    /// Where a picture of what was picked is shown.
    package var preview: NodeID?
    package var frame: Frame?
    package var place: Place?
    /// The nodes that expressions within it know by name; the whole scene's where there are none.
    package var names: [String: NodeID]?
    /// The row that it is a part of, if it is in one.
    package var prototype: NodeID?

    package init(_ kind: NodeKind, identifier: String? = nil, properties: [Property] = [], place: Place? = nil) {
        self.kind = kind
        self.identifier = identifier
        self.properties = properties
        self.place = place
    }

    package subscript(_ name: PropertyName) -> Expression? {
        get { properties.first { $0.name == name }?.expression }
        set {
            properties.removeAll { $0.name == name }
            if let newValue { properties.append(Property(name, newValue)) }
        }
    }
}

/// Rows made of what a source gives.
package struct ListTemplate: Sendable {
    package var source: String?
    /// Takes the source's place while the action that searches is searching.
    package var searchSource: String?
    package var searchAction: String?
    /// By the names that choices give.
    package var prototypes: [String: NodeID] = [:]
    package var choice: Expression?
    package var searchChoice: Expression?
    package var prototype: String?
    package var searchPrototype: String?
    package var header: NodeID?
    package var footer: NodeID?
    /// Nodes that show while there are no rows.
    package var emptyViews: [NodeID] = []
    package var collectsSelection = false
    package var selectsSeveral = false
    package var allowsDeletion = false
    /// How often the items come again; a list without end is one that comes very often.
    package var repetitions = 1
    /// A node that shows how many there are.
    package var pageControl: NodeID?

    package init(source: String? = nil) {
        self.source = source
    }

    /// What rows are made of that nothing was chosen for. Of several that nobody asked for, none is the one that is meant.
    func prototype(named name: String?) -> NodeID? {
        name.flatMap { prototypes[$0] } ?? prototypes["Cell"] ?? (prototypes.count == 1 ? prototypes.first?.value : nil)
    }
}

/// Fields whose values are handed over together.
package struct Form: Sendable {
    package enum Duplicates: String, Sendable { case overwrite, join, array }

    package var mandatory: [NodeID] = []
    package var optional: [NodeID] = []
    package var duplicates = Duplicates.overwrite
    /// For compatibility: a field with an empty text is filled in.
    package var acceptsEmptyText = false
    /// Of a form that takes a picture or a film.
    package var media: MediaForm?

    package init() {}
}

/// What a form that takes a picture or a film has besides its fields.
package struct MediaForm: Sendable {
    /// Has what was picked as its value.
    package var container: NodeID?
    package var progress: NodeID?
    /// Where the answer says what the media is called from then on; the form's value in a form around it.
    package var resultKeyPath: [String] = []
    package var uploadsItself = true
    /// What it is handed to.
    package var action: String?

    package init() {}
}
