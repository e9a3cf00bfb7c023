internal import HTTPServer
internal import HTTPWire
internal import RegistryContract

/// A page for each problem, where its `type` leads.
struct ProblemPages: Sendable {
    private let pages: [ProblemCode: Resource]

    init() {
        var pages: [ProblemCode: Resource] = [:]
        for code in ProblemCode.allCases {
            let text =
                "\(code.title)\n\ncode:   \(code.rawValue)\nstatus: \(code.status)\n\n\(code.explanation)\n"
            pages[code] = Document.resource(
                "text/plain; charset=utf-8", Array(text.utf8), .forADay)
        }
        self.pages = pages
    }

    func page(_ request: borrowing Request, _ code: ProblemCode) -> Answer {
        guard let page = pages[code] else { return .refused(.noRoute) }
        return .resource(page)
    }
}
