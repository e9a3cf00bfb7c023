internal import HTTPWire
internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The page of a task that was refused: the outcome, the reason in words for people, the form as it was sent, and the way
/// back.
struct RefusedTask: Sendable {
    /// The outcome, as the heading.
    var title: String
    /// The pages above it. The last one leads back to the task.
    var above: [(address: String, name: String)]

    /// The id of the reason, by which fields that are at fault refer to it.
    static let reasonID = "fault"

    static let ofPublishing = RefusedTask(title: "Nothing was published", above: [home])
    static let ofLostUpload = RefusedTask(title: "This upload is not here any more", above: [home])
    static let ofRevoking = RefusedTask(
        title: "No token was revoked", above: [home, (ManageTokens.path, "Tokens")])
    static let ofRotating = RefusedTask(
        title: "No token was rotated", above: [home, (ManageTokens.path, "Tokens")])
    static let ofTokens = RefusedTask(title: "No token was made", above: [home, (ManageTokens.path, "Tokens")])
    private static let home = (address: "/manage", name: "Manage")

    /// A change of a bundle. People whose token is not for the bundle are led to the page of those that it is for.
    static func ofBundle(_ bundle: String, for person: Person?, title: String = "Nothing was changed") -> RefusedTask {
        let isTheirs = person?.caller.covers(bundle) ?? false
        return RefusedTask(title: title, above: isTheirs ? [home, (PagePath.manage(bundle), bundle)] : [home])
    }

    /// A page that cannot be shown.
    static func ofPage(_ problem: Problem) -> RefusedTask { RefusedTask(title: problem.title, above: [home]) }

    /// - Parameter again: writes the form with its values, which are text for people and nothing else.
    func answer(
        _ problem: Problem, for person: Person?, again: ((inout HTMLWriter) -> Void)? = nil
    ) -> Answer {
        var html = ManagePages.begin(title, for: person?.caller)
        html.crumbs(above)
        html.element(.h1, text: title)
        RefusedTask.reason(problem, to: &html)
        again?(&html)
        html.box(class: "row") { html in
            if let back = above.last { html.link(back.address, "Back to \(back.name)", class: "button quiet") }
            html.link("/problems/\(problem.code)", "What this means")
        }
        return GalleryAnswer.response(GalleryFrame.end(&html), problem.status, .script, problem.fields)
    }

    static func reason(_ problem: Problem, to html: inout HTMLWriter) {
        html.element(.div) {
            $0.set(.class, "note bad")
            $0.set(.role, "alert")
            $0.set(.id, reasonID)
        } content: { html in
            html.paragraph(problem.detail)
            for member in problem.members {
                guard case .errors(let causes) = member.value else { continue }
                html.element(.ul) { html in
                    for cause in causes.prefix(20) {
                        html.element(.li, text: "\(cause.path.map { "\($0): " } ?? "")\(cause.detail)")
                    }
                }
            }
        }
    }
}
