internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The common parts of the pages of people who have signed in: their frame, and how requests for them are admitted.
///
/// None of them holds a running widget, and nothing stores them.
struct ManagePages: Sendable {
    typealias Change = @Sendable (SentFields, Person, PendingWrite) throws(Problem) -> Answer
    /// Answers a form that is refused: the reason, the fields that have arrived, and their sender.
    typealias Refusing = @Sendable (Problem, SentFields, Person) -> Answer

    let access: Access
    let audit: Audit
    let work: WorkQueue

    /// Opens such a page, which has the one script of theirs.
    ///
    /// - Parameter caller: the person who has signed in.
    static func begin(_ title: String, for caller: Caller?) -> HTMLWriter {
        var options = GalleryFrame.Options()
        options.person = caller?.name
        options.scripts = [GalleryAssets.shared.manageScript]
        options.isPersonal = true
        return GalleryFrame.begin(title, .manage, options)
    }

    /// The place that follows an act, with a note about it.
    ///
    /// - Parameter channel: as the act has left it, so that undoing it is offered while that is so.
    static func done(_ act: String, _ bundle: String, _ channel: Channel? = nil) -> String {
        let more = channel.map { "&channel=\(PercentEncoding.segment($0.name))&sequence=\($0.sequence)" } ?? ""
        return "\(PagePath.manage(bundle))?done=\(act)\(more)"
    }

    /// A person whose token is still valid.
    static func confirmed(_ person: Person, _ access: Access) throws(Problem) -> Person {
        guard let now = access.person(person.token) else {
            throw ProblemCatalogue.problem(
                .unauthorized, "The token that was used to sign in is not valid any more. Nothing was changed.")
        }
        return now
    }

    /// The refusal of a change before its form was read: the form to sign in where that is missing, with what was typed, else a
    /// page that says why.
    func refusal(_ problem: Problem, _ request: borrowing Request, _ refuse: Refusing) -> Answer {
        if problem.code == ProblemCode.unauthorized.rawValue { return SignIn(access: access).ask(request) }
        guard let person = access.person(request) else { return GalleryAnswer.refusal(problem) }
        return refuse(problem, SentFields(), person)
    }

    /// A page for a person who has signed in; others are asked to.
    ///
    /// - Parameter refuse: answers where there is a reason not to show it.
    func answer(
        _ request: borrowing Request,
        refusing refuse: @escaping @Sendable (Problem, Person) -> Answer = {
            RefusedTask.ofPage($0).answer($0, for: $1)
        }, _ make: @escaping @Sendable (Person) throws(Problem) -> [UInt8]
    ) -> Answer {
        guard let person = access.person(request) else { return SignIn.invitation(backTo: SignIn.address(request)) }
        return .later { [work] responder in
            work.run {
                do throws(Problem) {
                    responder.answer(GalleryAnswer.response(try make(person), .ok, .script))
                } catch {
                    responder.answer(refuse(error, person))
                }
            }
        }
    }

    /// A change that a form asks for. The sender's rights are asked again when the form has arrived.
    ///
    /// - Parameter refuse: answers where there is a reason against it.
    func change(
        _ request: borrowing Request, _ act: Act, _ scope: Token.Scope, of bundle: String? = nil,
        earlier: Token.Scope? = nil, refusing refuse: @escaping Refusing, _ action: @escaping Change
    ) -> Answer {
        var entry = AuditEntry(act, request, bundle: bundle)
        do throws(Problem) {
            let person = try access.person(changing: request, scope, of: bundle, earlier: earlier, noting: entry)
            entry.identify(person.caller)
            let write = PendingWrite(audit, entry)
            let (place, path) = (SignIn.page(of: request), request.path)
            return .readBody(
                BodyReceipt(
                    limit: SmallBody.limit, mediaTypes: [ManageForm.mediaType],
                    explain: { refuse(ProblemCatalogue.problem($0), SentFields(), person) },
                    sink: CollectedBody { [access, work] body in
                        .later { responder in
                            work.run {
                                let fields = SentFields(body)
                                do throws(Problem) {
                                    let person = try ManagePages.confirmed(person, access)
                                    try person.caller.require(scope, earlier: earlier, of: bundle)
                                    let answer = try action(fields, person, write)
                                    write.record("done")
                                    responder.answer(answer)
                                } catch {
                                    write.record(error.code)
                                    responder.answer(
                                        error.code == ProblemCode.unauthorized.rawValue
                                            ? SignIn.form(
                                                keeping: TypedForm(path, fields), SessionEnd.token.sentence, place)
                                            : refuse(error, fields, person))
                                }
                            }
                        }
                    }))
        } catch {
            return refusal(error, request, refuse)
        }
    }
}
