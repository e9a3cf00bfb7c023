internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Markup
internal import Registry
internal import RegistryContract

/// The routes by which people sign in with a token, and out again.
struct SignIn: Sendable {
    static let path = "/sign-in"
    private static let next = "next"
    private static let token = "token"

    let access: Access

    func add(to routes: inout Routes) {
        routes.get(SignIn.path, show)
        routes.on(.post, SignIn.path, signIn)
        routes.on(.post, "/sign-out", signOut)
    }

    /// Sends a browser to the form, and back afterwards.
    static func invitation(backTo path: String) -> Answer {
        let place = local(path) ?? "/manage"
        return GalleryAnswer.go(to: "\(SignIn.path)?\(next)=\(PercentEncoding.segment(place))")
    }

    /// A path of this server's pages; `nil` for anything that could lead elsewhere.
    static func local(_ path: String?) -> String? {
        guard let path, path.utf8.count <= 1_024, path == "/" || path.hasPrefix("/w/") || path.hasPrefix("/manage")
        else {
            return nil
        }
        let allowed = path.utf8.allSatisfy { $0.isLetterOrDigit || "/-._~+".utf8.contains($0) }
        return allowed && !path.contains("//") ? path : nil
    }

    /// `GET /sign-in`
    private func show(_ request: borrowing Request) -> Answer {
        SignIn.form(backTo: SignIn.local(request.query("next")) ?? "/manage", nil)
    }

    /// `POST /sign-in`
    private func signIn(_ request: borrowing Request) -> Answer {
        do throws(Problem) {
            try PageOrigin.check(request)
            try access.admit(request)
        } catch {
            return GalleryAnswer.refusal(error)
        }
        let (client, isSecure, former) = (request.client, request.isSecure, SessionCookie.session(request))
        return .readBody(
            BodyReceipt(
                limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                sink: CollectedBody { [access] body in
                    let fields = SentFields(body)
                    let place = SignIn.local(fields[SignIn.next]) ?? "/manage"
                    return .later { responder in
                        access.perform {
                            do throws(Problem) {
                                let name = try access.beginSession(fields[SignIn.token] ?? "", client)
                                // The name that the browser had before is worth nothing from now on.
                                if let former { try access.endSession(former) }
                                responder.answer(
                                    GalleryAnswer.go(to: place, SessionCookie.setting(name, isSecure: isSecure)))
                            } catch {
                                responder.answer(SignIn.form(backTo: place, error))
                            }
                        }
                    }
                }))
    }

    /// `POST /sign-out`
    private func signOut(_ request: borrowing Request) -> Answer {
        do throws(Problem) {
            try PageOrigin.check(request)
        } catch {
            return GalleryAnswer.refusal(error)
        }
        let (isSecure, name) = (request.isSecure, SessionCookie.session(request))
        return .readBody(
            BodyReceipt(
                limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                sink: CollectedBody { [access] _ in
                    .later { responder in
                        access.perform {
                            do throws(Problem) {
                                if let name { try access.endSession(name) }
                                responder.answer(
                                    GalleryAnswer.go(to: "/", SessionCookie.clearing(isSecure: isSecure)))
                            } catch {
                                responder.answer(GalleryAnswer.refusal(error))
                            }
                        }
                    }
                }))
    }

    private static func form(backTo place: String, _ problem: Problem?) -> Answer {
        var options = GalleryFrame.Options()
        options.isPersonal = true
        var html = GalleryFrame.begin("Sign in", .manage, options)
        html.element(.h1, text: "Sign in")
        if let problem {
            html.element(.div) {
                $0.set(.class, "note bad")
                $0.set(.role, "alert")
                $0.set(.id, "fault")
            } content: { html in
                html.element(
                    .p,
                    text: problem.code == ProblemCode.rateLimited.rawValue
                        ? problem.title : "That token does not open this registry.")
                html.paragraph(problem.detail, class: "small")
            }
        }
        html.box(class: "panel") { html in
            html.paragraph(
                "With a token you publish, promote, roll back and withdraw from these pages, where the token allows it. "
                    + "The first start of the registry left one in data/admin-token.", class: "soft")
            html.element(.form) {
                $0.set(.method, "post")
                $0.set(.action, SignIn.path)
            } content: { html in
                ManageForm.hidden(next, place, to: &html)
                // Under this name, a browser keeps the token if its user wants that.
                html.begin(.input) {
                    $0.set(.type, "text")
                    $0.set(.name, "name")
                    $0.set(.value, "token")
                    $0.set(.autocomplete, "username")
                    $0.set(.hidden, if: true)
                }
                html.box(class: "field") { html in
                    html.element(.label, text: "Token") { $0.set(.for, token) }
                    html.begin(.input) {
                        $0.set(.type, "password")
                        $0.set(.id, token)
                        $0.set(.name, token)
                        $0.set(.autocomplete, "current-password")
                        $0.set(.required, if: true)
                        $0.set(.maxLength, "400")
                        $0.set(.placeholder, "wdg_…")
                        if problem != nil {
                            $0.set(.isInvalid, "true")
                            $0.set(.describedBy, "fault")
                        }
                    }
                }
                html.element(.button, text: "Sign in")
            }
        }
        return GalleryAnswer.response(
            GalleryFrame.end(&html), problem?.status ?? .ok, .none, problem?.fields ?? FieldBlock())
    }
}
