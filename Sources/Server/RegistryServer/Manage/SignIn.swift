internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

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
    static func invitation(backTo address: String) -> Answer {
        let path = address.prefix { $0 != "?" }
        let place = local(address) ?? local(String(path)) ?? "/manage"
        return GalleryAnswer.go(to: "\(SignIn.path)?\(next)=\(PercentEncoding.segment(place))")
    }

    /// The path and the query of a request.
    static func address(_ request: borrowing Request) -> String {
        request.path + (request.queryText.map { "?\($0)" } ?? "")
    }

    /// The address of a page of this server, with its query; `nil` for anything that could lead elsewhere.
    static func local(_ address: String?) -> String? {
        guard let address, address.utf8.count <= 1_024 else { return nil }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0]
        guard path == "/" || ["/w/", "/embed/", "/manage"].contains(where: path.hasPrefix), !path.contains("//"),
            path.utf8.allSatisfy({ $0.isLetterOrDigit || "/-._~+".utf8.contains($0) })
        else { return nil }
        guard parts.count > 1 else { return address }
        // As this server reads it: one that cannot be decoded would be refused.
        let query = Array(parts[1].utf8)
        let isAllowed = query.allSatisfy { $0.isLetterOrDigit || "-._~+=&%".utf8.contains($0) }
        return isAllowed && Query.isWellFormed(query.span, query.indices) ? address : nil
    }

    /// `GET /sign-in`
    private func show(_ request: borrowing Request) -> Answer {
        let end = access.person(request) == nil ? access.sessionEnd(request) : nil
        return SignIn.form(backTo: SignIn.local(request.query("next")) ?? "/manage", said: end?.sentence)
    }

    // MARK: Forms without a session

    /// Asks the sender of a form to sign in, and keeps the fields.
    func ask(_ request: borrowing Request) -> Answer {
        let said = access.sessionEnd(request)?.sentence ?? "You are not signed in."
        let (place, act) = (SignIn.page(of: request), request.path)
        guard request.value(.contentType)?.lowercased().hasPrefix(ManageForm.mediaType) ?? false else {
            return SignIn.form(
                backTo: place, said: "\(said) Nothing was stored; choose the archive once more after signing in.",
                isRefused: true)
        }
        return .readBody(
            BodyReceipt(
                limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                sink: CollectedBody { body in SignIn.form(keeping: TypedForm(act, SentFields(body)), said, place) }))
    }

    /// The form to sign in that keeps another.
    static func form(keeping typed: TypedForm?, _ said: String, _ place: String) -> Answer {
        let remark =
            switch typed {
            case .none: "Nothing was changed."
            case .some(let typed):
                typed.isWhole
                    ? "Nothing was changed. The form that you sent is kept; sign in to send it again."
                    : "Nothing was changed. The form that you sent is too long to be kept."
            }
        return form(backTo: place, said: "\(said) \(remark)", keeping: typed, isRefused: true)
    }

    /// The page that a form was on.
    static func page(of request: borrowing Request) -> String {
        let host = request.value(.host)?.lowercased() ?? ""
        let referer = request.value(.referer) ?? ""
        let start = ["http://\(host)", "https://\(host)"].first { referer.lowercased().hasPrefix($0) }
        let path = start.map { referer.dropFirst($0.count) } ?? ""
        return local(String(path.hasPrefix("\(request.root)/") ? path.dropFirst(request.root.count) : path))
            ?? "/manage"
    }

    /// `POST /sign-in`
    private func signIn(_ request: borrowing Request) -> Answer {
        do throws(Problem) {
            try PageOrigin.check(request)
        } catch {
            return GalleryAnswer.refusal(error)
        }
        let (client, isSecure, former) = (request.client, request.isSecure, SessionCookie.session(request))
        let root = request.root
        return .readBody(
            BodyReceipt(
                limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                sink: CollectedBody { [access] body in
                    let fields = SentFields(body)
                    let place = SignIn.local(fields[SignIn.next]) ?? "/manage"
                    let typed = TypedForm(carriedBy: fields)
                    return .later { responder in
                        access.perform {
                            do throws(Problem) {
                                let (name, caller) = try access.beginSession(fields[SignIn.token] ?? "", client)
                                // The name that the browser had before is worth nothing from now on.
                                if let former { try access.endSession(former) }
                                let cookie = SessionCookie.setting(name, isSecure: isSecure, below: root)
                                responder.answer(
                                    typed?.page(backTo: place, for: caller, cookie)
                                        ?? GalleryAnswer.go(to: place, cookie))
                            } catch {
                                responder.answer(SignIn.form(backTo: place, error, keeping: typed))
                            }
                        }
                    }
                }))
    }

    /// `POST /sign-out`
    private func signOut(_ request: borrowing Request) -> Answer {
        do throws(Problem) {
            try PageOrigin.check(request, isHarmless: true)
        } catch {
            return GalleryAnswer.refusal(error)
        }
        let (isSecure, root, name) = (request.isSecure, request.root, SessionCookie.session(request))
        return .readBody(
            BodyReceipt(
                limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                sink: CollectedBody { [access] _ in
                    .later { responder in
                        access.perform {
                            do throws(Problem) {
                                if let name { try access.endSession(name) }
                                responder.answer(
                                    GalleryAnswer.go(to: "/", SessionCookie.clearing(isSecure: isSecure, below: root)))
                            } catch {
                                responder.answer(GalleryAnswer.refusal(error))
                            }
                        }
                    }
                }))
    }

    /// - Parameters:
    ///   - said: the sentence above the form.
    ///   - isRefused: true for the answer to a form that needs a session.
    private static func form(
        backTo place: String, _ problem: Problem? = nil, said: String? = nil, keeping typed: TypedForm? = nil,
        isRefused: Bool = false
    ) -> Answer {
        var options = GalleryFrame.Options()
        options.isPersonal = true
        var html = GalleryFrame.begin("Sign in", .manage, options)
        html.element(.h1, text: "Sign in")
        if let said { html.paragraph(said) }
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
                typed?.carry(to: &html)
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
        var fields = problem?.fields ?? FieldBlock()
        if isRefused { fields.add("WWW-Authenticate", "Bearer realm=\"widgetd\"") }
        return GalleryAnswer.response(
            GalleryFrame.end(&html), problem?.status ?? (isRefused ? .unauthorized : .ok), .none, fields)
    }
}
