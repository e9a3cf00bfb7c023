internal import HTTPServer
internal import Markup
internal import WidgetCore
internal import WidgetLive
internal import WidgetRender

/// The first page of the latest program. It is evaluated and printed once, however often it is asked for.
struct Stills {
    struct Still {
        let program: LiveProgram
        let page: Resource
        /// Its sheets and pictures, by their names.
        let files: [String: [UInt8]]
        /// The names of controls, by their keys.
        let names: [String: String]
    }

    private static let nameCount = 1_000

    private var last: Still?
    /// True if the last page is that of its program, and not one printed while the program changed.
    private var isCurrent = false

    func still(of program: LiveProgram) -> Still? {
        guard isCurrent, let last, last.program.planned === program.planned else { return nil }
        return last
    }

    /// The names of the controls that a view has, as assistive technology says them.
    static func names(in view: View) -> [String: String] {
        var names: [String: String] = [:]
        view.visit { node in
            if node.kind.row.isControl, names.count < nameCount {
                names[node.key.description] = FitText.seen(AccessibleNode(alone: node).name) ?? node.identifier
            }
            return true
        }
        return names
    }

    mutating func add(_ still: Still, isCurrent: Bool) {
        last = still
        self.isCurrent = isCurrent
    }
}
