package import WidgetCore
internal import WidgetLayout

/// A program prepared for pages: its plans, the names of its classes and its sheet. Made once, and shared by all pages.
package final class PlannedProgram: Sendable {
    package let program: Program
    /// The stylesheet of the program. Its name says what is in it, so it never changes.
    package let sheet: (file: String, bytes: [UInt8])
    private let scenes: [String: PlannedScene]

    package init(_ program: Program) {
        self.program = program
        let classes = LayoutClasses(identity: program.identifier)
        var scenes: [String: PlannedScene] = [:]
        var text = ""
        for (place, scene) in program.scenes.sorted(by: { $0.key < $1.key }).map(\.value).enumerated() {
            scenes[scene.name] = PlannedScene(plan: LayoutPlan(of: scene), classes: classes, place: place)
            text += BarSheet.rules(of: scene, classes, place)
        }
        self.scenes = scenes
        let bytes = Array(text.utf8)
        sheet = ("\(PageFiles.digest(of: bytes)).css", bytes)
    }

    /// The names of the sheets of a page, in the order of their rules.
    package var sheets: [String] { [BaseSheet.fileName, sheet.file, ViewingSheet.fileName] }

    func scene(_ scene: Scene) -> PlannedScene? { scenes[scene.name] }
}

/// A scene's plan, with the names of its classes.
struct PlannedScene: Sendable {
    let plan: LayoutPlan?
    let classes: LayoutClasses
    let place: Int

    func name(of node: NodeID) -> String { classes.node(place, node) }

    var bar: String { BarSheet.name(classes, place) }

    func wrapper(_ container: NodeID, _ index: Int) -> String { classes.wrapper(place, container, index) }
}
