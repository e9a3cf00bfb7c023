internal import HTTPWire
internal import RegistryContract
internal import WidgetHTTPServer

/// The pages of people who sign in, in one place.
struct ManageRoutes: Sendable {
    let signIn: SignIn
    let home: ManageHome
    let uploads: UploadRoutes
    let bundles: ManageBundle
    let tokens: ManageTokens

    func add(to routes: inout Routes) {
        signIn.add(to: &routes)
        home.add(to: &routes)
        uploads.add(to: &routes)
        bundles.add(to: &routes)
        tokens.add(to: &routes)
    }

    /// Every route of these, for the test that holds the contract against what is served: they are for people alone, and
    /// no part of the interface for programs.
    static let templates = [
        "GET /sign-in", "POST /sign-in", "POST /sign-out", "GET /manage", "POST /manage/publish",
        "GET /manage/publish/{upload}", "POST /manage/publish/{upload}", "GET /manage/w/{id}",
        "GET /manage/w/{id}/confirm", "POST /manage/w/{id}", "GET /manage/tokens", "POST /manage/tokens",
        "GET /manage/tokens/rotate", "POST /manage/tokens/rotate", "GET /manage/tokens/revoke",
        "POST /manage/tokens/revoke", "GET /manage/audit",
    ]
}

/// The answer of a mirror to everything that would change it: a problem that names the registry to turn to.
struct ReadOnlyRefusal: Sendable {
    let origin: String

    /// True for routes that change something, and for the pages of people who sign in to change something.
    static func concerns(_ method: Method, _ template: String) -> Bool {
        method != .get || isPage(template.utf8)
    }

    private static func isPage(_ path: some Collection<UInt8>) -> Bool {
        ["/manage", "/sign-in", "/sign-out"].contains { path.starts(with: $0.utf8) }
    }

    func answer(_ request: borrowing Request) -> Answer {
        let problem = ProblemCatalogue.problem(
            .readOnly, "This registry is a mirror of \(origin), which is where it can be changed.")
        return ReadOnlyRefusal.isPage(Array(request.path.utf8)) ? GalleryAnswer.refusal(problem) : .problem(problem)
    }
}
