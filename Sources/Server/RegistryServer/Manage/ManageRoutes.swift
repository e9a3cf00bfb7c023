internal import HTTPServer

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
        "GET /manage/tokens/revoke", "POST /manage/tokens/revoke", "GET /manage/audit",
    ]
}
