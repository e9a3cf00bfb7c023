internal import Predicates

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
    /// The rules of its rows; `nil` for the usual ones.
    private var boxedRules: BoxedRules?
    /// How often the items come again; a list without end is one that comes very often.
    package var repetitions = 1
    /// A node that shows how many there are.
    package var pageControl: NodeID?

    package init(source: String? = nil) {
        self.source = source
    }

    package var rules: RowRules {
        get { boxedRules?.rules ?? RowRules() }
        set { boxedRules = BoxedRules(newValue) }
    }

    /// The prototype of a row that nothing was chosen for. Of several that nothing names, none is the one that is meant.
    func prototype(named name: String?) -> NodeID? {
        name.flatMap { prototypes[$0] } ?? boxedRules?.rules.standardPrototype.flatMap { prototypes[$0] }
            ?? (prototypes.count == 1 ? prototypes.first?.value : nil)
    }
}

/// The rules of a list's rows that front ends set.
package struct RowRules: Sendable {
    /// The name of the prototype that rows are made of where nothing names another.
    package var standardPrototype: String?
    /// Whether a row may be deleted: asked of its content. No row may be without one.
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
