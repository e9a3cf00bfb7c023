internal import HTTPServer
internal import Markup
internal import WidgetCore
internal import WidgetLive
internal import WidgetRender

/// The first pages of the latest programs. Each is evaluated and printed once, however often it is asked for.
struct Stills {
    struct Still {
        let program: LiveProgram
        let page: Resource
        /// Each page has a sheet under a name of one page, so that two programs do not mix.
        let sheetName: String
        let sheet: Resource
        /// The names of controls, by their keys.
        let names: [String: String]
    }

    /// A browser that has an older page may still ask for its sheet.
    private static let count = 4
    private static let nameCount = 1_000

    private var known: [Still] = []
    /// True if the last page is that of its program, and not one printed while the program changed.
    private var isCurrent = false
    private var number = 0

    func still(of program: LiveProgram) -> Still? {
        guard isCurrent, let last = known.last, last.program.planned === program.planned else { return nil }
        return last
    }

    func sheet(_ name: String) -> Resource? { known.last { $0.sheetName == name }?.sheet }

    /// A picture of an older page.
    func picture(_ name: String) -> [UInt8]? { known.lazy.compactMap { $0.program.pictures[name] }.first }

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

    mutating func nextSheet() -> String {
        number += 1
        return "\(number)-\(ViewingSheet.fileName)"
    }

    mutating func add(_ still: Still, isCurrent: Bool) {
        known.append(still)
        self.isCurrent = isCurrent
        if known.count > Stills.count { known.removeFirst() }
    }
}
