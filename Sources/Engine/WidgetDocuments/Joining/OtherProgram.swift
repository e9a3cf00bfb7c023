package import WidgetCore

/// A view of a screen of another form that a document fills.
package struct DocumentPlace: Sendable {
    package var node: NodeID
    /// The name of the document.
    package var document: String
    /// The values of its parameters, which see the names around the view.
    package var values: [PassedValue]
    package var place: Place

    package init(_ node: NodeID, document: String, values: [PassedValue], place: Place) {
        self.node = node
        self.document = document
        self.values = values
        self.place = place
    }
}

/// The value of a document's parameter, as a screen of another form gives it.
package struct PassedValue: Sendable {
    package var name: String
    package var expression: Expression
    package var place: Place

    package init(_ name: String, _ expression: Expression, place: Place) {
        self.name = name
        self.expression = expression
        self.place = place
    }
}

/// A step of another form that shows a document.
package struct DocumentLink: Sendable {
    package var document: String
    /// The entry that the step names.
    package var entry: String
    package var values: [PassedValue]
    package var place: Place

    package init(_ document: String, entry: String, values: [PassedValue] = [], place: Place) {
        self.document = document
        self.entry = entry
        self.values = values
        self.place = place
    }

    /// The entry by which steps of another form show a document. No screen of another form has its name.
    ///
    /// - Parameter isPushed: true if it comes onto the screens of a navigation bar.
    package static func entry(_ document: String, isPushed: Bool) -> String {
        let file = document + DocumentWords.ending
        return isPushed ? DocumentLibrary.pushed(file) : file
    }
}

/// The program of another form in the same bundle, with all that joins it to the documents.
package struct OtherProgram: Sendable {
    /// A screen of the program, and all that leads from it.
    package struct Screen: Sendable {
        /// The views that documents fill.
        package var places: [DocumentPlace] = []
        /// The entries of the screens that it leads to.
        package var destinations: Set<String> = []
        /// The documents that its steps show.
        package var links: [DocumentLink] = []
        /// Its file, if the screen has to be reached from the first one.
        package var origin: Place?

        package init() {}
    }

    package var program: Program
    /// By the names of the scenes.
    package var screens: [String: Screen]

    package init(_ program: Program, screens: [String: Screen]) {
        self.program = program
        self.screens = screens
    }
}

/// The screens of another form, by the names that documents have for them: those of their entries, of their scenes, and
/// those that authors gave them.
package struct OtherScreens: Sendable {
    /// A screen with the entry that shows it as its author drew it.
    struct Screen: Sendable {
        var entry: String
        var scene: Scene
        /// True if documents fill some of its views.
        var showsDocuments: Bool
    }

    private let screens: [String: Screen]
    /// Names that documents cannot have for their scenes and entries.
    private let takenNames: Set<String>

    package static let none = OtherScreens(nil)

    init(_ other: OtherProgram?) {
        var screens: [String: Screen] = [:]
        let entries = (other?.program.entries ?? [:]).sorted { $0.key < $1.key }
        for (entry, target) in entries {
            guard let other, let scene = other.program.scenes[target.scene] else { continue }
            let showsDocuments = !(other.screens[scene.name]?.places.isEmpty ?? true)
            let screen = Screen(entry: entry, scene: scene, showsDocuments: showsDocuments)
            for name in [scene.name, scene.identifier].compactMap({ $0 }) where screens[name] == nil {
                screens[name] = screen
            }
        }
        // The name of an entry comes before the same name of a scene.
        for (entry, target) in entries {
            guard let scene = other?.program.scenes[target.scene], let named = screens[scene.name] else { continue }
            screens[entry] = Screen(entry: entry, scene: scene, showsDocuments: named.showsDocuments)
        }
        self.screens = screens
        takenNames = Set(entries.map { $0.key }).union((other?.program.scenes ?? [:]).keys)
    }

    subscript(_ name: String) -> Screen? { screens[name] }

    var names: [String] { screens.keys.sorted() }

    func isTaken(_ name: String) -> Bool { takenNames.contains(name) }
}
