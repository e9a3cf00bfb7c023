internal import WidgetPredicates

/// The place of a node among those of its scene.
package typealias NodeID = Int

package struct Property: Sendable {
    package var name: PropertyName
    package var expression: Expression

    package init(_ name: PropertyName, _ expression: Expression) {
        self.name = name
        self.expression = expression
    }
}

/// The rectangle of an element within its parent. Printers read from top to bottom by it.
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

/// An event of a node.
package enum NodeEvent: String, Sendable, CaseIterable {
    case tap, change, submit, select, refresh, clear, delete, pick
    case scrollEnd = "scroll-end"
    case scrollStart = "scroll-start"
    case beginEditing = "begin-editing"
    case endEditing = "end-editing"
    case cancel
}

package struct Node: Sendable {
    package var kind: NodeKind
    package var identifier: String?
    package var parent: NodeID?
    package var properties: [Property] = []
    package var children: [NodeID] = []
    package var events: [NodeEvent: [Step]] = [:]
    /// The steps of a touch where the host lets people change nothing.
    package var instead: [Step] = []
    package var list: ListTemplate?
    package var form: Form?
    /// The name of its value in a form.
    package var fieldName: String?
    /// The rules that its value has to follow before a form is sent.
    package var rules: FieldRules?
    /// The forms that take the media picked here; the first empty one gets it.
    package var pickerForms: [NodeID] = []
    /// The element that shows the picked picture.
    package var preview: NodeID?
    package var frame: Frame?
    /// Geometry and paint; `nil` for nodes without a drawing.
    package var look: Look?
    package var place: Place?
    /// The nodes that expressions within it know by name; `nil` means those of the whole scene.
    package var names: [String: NodeID]?
    /// The row that it is a part of, if it is in one.
    package var prototype: NodeID?
    package var repetition: Repetition?
    /// The steps when it comes and goes.
    package var lifecycle: Lifecycle?
    /// Values that expressions within it know by name.
    package var locals: [LocalValue] = []
    /// The state, or the part of one, that has its value. Without one, what is typed belongs to the node itself.
    package var state: StatePath?

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

/// A list's rows, which show the items of a source.
package struct ListTemplate: Sendable {
    package var source: String?
    /// Replaces the source while the search action is searching.
    package var searchSource: String?
    package var searchAction: String?
    /// The prototypes of rows, by the results of the choice.
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
    /// The rules of its rows; `nil` for the usual ones.
    private var boxedRules: BoxedRules?
    /// The number of times the items repeat. An endless list repeats very often.
    package var repetitions = 1
    /// A node that shows the number of rows.
    package var pageControl: NodeID?

    package init(source: String? = nil) {
        self.source = source
    }

    package var rules: RowRules {
        get { boxedRules?.rules ?? RowRules() }
        set { boxedRules = BoxedRules(newValue) }
    }

    /// The prototype of a row that nothing was chosen for. Of several that nothing names, none is the one that is
    /// meant.
    func prototype(named name: String?) -> NodeID? {
        name.flatMap { prototypes[$0] } ?? boxedRules?.rules.standardPrototype.flatMap { prototypes[$0] }
            ?? (prototypes.count == 1 ? prototypes.first?.value : nil)
    }
}

/// The rules of a list's rows that front ends set.
package struct RowRules: Sendable {
    /// The name of the prototype that rows are made of where nothing names another.
    package var standardPrototype: String?
    /// The condition for deleting a row, evaluated on its content. Without one, no row can be deleted.
    package var mayDelete: Expression?
    /// The answer to someone who tries to delete a row that may not be.
    package var deletionRefusal = "rows cannot be deleted here"

    package init() {}
}

/// Rules behind a reference: every node has room for a list, and most nodes have none.
private final class BoxedRules: Sendable {
    let rules: RowRules

    init(_ rules: RowRules) {
        self.rules = rules
    }
}

/// A form: fields whose values are sent together.
package struct Form: Sendable {
    package enum Duplicates: String, Sendable { case overwrite, join, array }

    package var mandatory: [NodeID] = []
    package var optional: [NodeID] = []
    package var duplicates = Duplicates.overwrite
    /// For compatibility: an empty text counts as filled in.
    package var acceptsEmptyText = false
    /// Of a form that takes a picture or a film.
    package var media: MediaForm?
    /// The steps of a form that is sent, whose argument is the object of its values.
    package var submit: [Step] = []
    /// True while the form cannot be sent, because it is under way.
    package var busy: Expression?

    package init() {}
}

/// The additional parts of a form that takes a picture or a film.
package struct MediaForm: Sendable {
    /// The element whose value is the picked media.
    package var container: NodeID?
    package var progress: NodeID?
    /// The key path, in the answer, of the media's new name. That name is the form's value in an enclosing form.
    package var resultKeyPath: [String] = []
    package var uploadsItself = true
    /// The action that uploads it.
    package var action: String?

    package init() {}
}

/// The name of a property. Authors may invent names; those that the engine reads are below.
package struct PropertyName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    /// A hash of the name. Evaluations and printers mostly compare names, and different names nearly always have
    /// different hashes.
    private let code: UInt64

    package init(_ name: String) {
        self.name = name
        // FNV-1a.
        var code: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { code = (code ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.code = code
    }

    package init(stringLiteral name: String) { self.init(name) }

    package static func == (first: PropertyName, second: PropertyName) -> Bool {
        first.code == second.code && first.name == second.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    // MARK: - What is shown

    package static let text: PropertyName = "text"
    package static let placeholder: PropertyName = "placeholder"
    package static let image: PropertyName = "image"
    package static let imageURL: PropertyName = "image-url"
    /// Shown until another picture is available.
    package static let placeholderImage: PropertyName = "placeholder-image"
    /// The quality, from 0 to 1, of the JPEG that a picked picture is sent as.
    package static let compression: PropertyName = "image-compression"
    package static let accessibleName: PropertyName = "accessible-name"
    /// True for a text that the control beside it has as its name. It is drawn, and said with the control alone.
    package static let namesControl: PropertyName = "names-control"

    /// The markup of a native element, for pages.
    package static let html: PropertyName = "html"
    /// The name of the type that has written a native element.
    package static let typeName: PropertyName = "type-name"

    // MARK: - Values of controls

    package static let value: PropertyName = "value"
    package static let minimum: PropertyName = "minimum"
    package static let maximum: PropertyName = "maximum"
    package static let step: PropertyName = "step"
    /// The name of the ``DateMode`` of a date picker.
    package static let dateMode: PropertyName = "date-mode"
    /// The value of a date picker as text, in the widget's time zone.
    package static let dateText: PropertyName = "date-text"
    package static let titles: PropertyName = "titles"
    /// True for a field whose text is secret, such as a password.
    package static let isSecure: PropertyName = "secure"
    package static let pageCount: PropertyName = "page-count"
    /// Of a constraint.
    package static let constant: PropertyName = "constant"
    package static let active: PropertyName = "active"
    package static let hidesWhenStopped: PropertyName = "hides-when-stopped"
    package static let refreshing: PropertyName = "refreshing"
    package static let selectsSeveral: PropertyName = "selects-several"
    /// The end of a list that stays in sight: `end`, as in a chat or a log; else its beginning.
    package static let keeps: PropertyName = "keeps"
    /// The answer of a server to an upload.
    package static let uploadResult: PropertyName = "upload-result"

    // MARK: - States

    package static let hidden: PropertyName = "hidden"
    package static let disabled: PropertyName = "disabled"
    package static let readOnly: PropertyName = "read-only"
    package static let isProminent: PropertyName = "prominent"
    package static let alpha: PropertyName = "alpha"
    /// True for the element with the keyboard focus.
    package static let focused: PropertyName = "focused"
    /// True for a field that a form has refused, until its value follows the rules.
    package static let invalid: PropertyName = "invalid"
    /// The reason why a field is invalid, for the person who fills it in.
    package static let fault: PropertyName = "fault-message"
    package static let selected: PropertyName = "selected"
    /// True for a row with a checkmark, and false for other rows of its list.
    package static let checked: PropertyName = "checked"
}
