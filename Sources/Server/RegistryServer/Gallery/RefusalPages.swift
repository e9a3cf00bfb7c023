internal import HTTPWire
internal import WidgetHTTPServer

/// Refusals as browsers get them: pages, at every address that a person can type.
struct RefusalPages: Sendable {
    let people: SignedInPages

    /// The page about an address that no route answers; `nil` for programs.
    @Sendable func page(_ request: borrowing Request, _ problem: Problem) -> Answer? {
        guard request.accepts(naming: "text/html") else { return nil }
        let page = GalleryAnswer.refusal(problem)
        return people.change(request).map { $0(page) } ?? page
    }

    /// The same for what the routes of pages refuse, a part of their address that cannot be read among it.
    @Sendable static func change(_ request: borrowing Request) -> (@Sendable (Answer) -> Answer)? {
        guard request.accepts(naming: "text/html") else { return nil }
        let refuse = GalleryReading.refusal(request)
        return { answer in
            switch answer {
            case .problem(let problem): refuse(problem)
            case .refused(let refusal): refuse(ProblemCatalogue.problem(refusal))
            case .resource, .response, .failed, .readBody, .later: answer
            }
        }
    }
}
