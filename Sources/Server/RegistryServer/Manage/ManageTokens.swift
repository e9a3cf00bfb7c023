internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetLogging
internal import WidgetMarkup
internal import WidgetRegistry

/// The pages by which administrators make, list, rotate and revoke tokens, and read the audit trail.
struct ManageTokens: Sendable {
    let pages: ManagePages
    let desk: TokenDesk
    let audits: AuditDesk
    /// Called after a secret was made worthless.
    let revoked: @Sendable () -> Void

    static let path = "/manage/tokens"

    func add(to routes: inout Routes) {
        routes.get(ManageTokens.path, show)
        routes.on(.post, ManageTokens.path, create)
        routes.get("/manage/tokens/rotate", askForRotation)
        routes.on(.post, "/manage/tokens/rotate", rotate)
        routes.get("/manage/tokens/revoke", confirm)
        routes.on(.post, "/manage/tokens/revoke", revoke)
        routes.get("/manage/audit", audit)
    }

    private static func require(_ caller: Caller) throws(Problem) { try caller.require(.admin, of: nil) }

    private static func begin(_ title: String, for caller: Caller) -> HTMLWriter {
        var html = ManagePages.begin(title, for: caller)
        html.crumbs([("/manage", "Manage")], here: title)
        html.element(.h1, text: title)
        return html
    }

    // MARK: Tokens

    /// `GET /manage/tokens`
    private func show(_ request: borrowing Request) -> Answer {
        pages.answer(request) { [desk] person throws(Problem) in
            try ManageTokens.require(person.caller)
            let tokens = try desk.tokens(for: person.caller)
            let now = desk.now
            var html = ManageTokens.begin("Tokens", for: person.caller)
            ManageTokens.form(person.caller, to: &html)
            html.section("Valid tokens", id: "tokens") { html in
                html.box(class: "scroll") { html in
                    html.element(.table) {
                        $0.set(.class, "fold")
                    } content: { html in
                        html.tableHead(["Name", "Rights", "Made", "Expires", "Last used", "Change"])
                        html.element(.tbody) { html in
                            for token in tokens { ManageTokens.row(token, now: now, to: &html) }
                        }
                    }
                }
            }
            return GalleryFrame.end(&html)
        }
    }

    private static func row(_ token: Token, now: Int64, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th, text: token.name) { $0.set(.scope, "row") }
            html.element(.td) { html in
                for scope in Token.Scope.allCases where token.scopes.contains(scope) { html.chip(scope.rawValue) }
                if !token.prefix.isEmpty { html.paragraph("\(token.prefix) and below", class: "small") }
                if !token.channels.isEmpty {
                    html.paragraph("on \(token.channels.joined(separator: ", "))", class: "small")
                }
            }
            html.element(.td) { $0.time(token.created) }
            html.element(.td) { html in
                if let expires = token.expires { html.time(expires) } else { html.text("never") }
            }
            html.element(.td) { html in
                if let used = token.lastUsed { html.time(used) } else { html.text("never") }
                if let end = token.earlierSecretEnds, end > now {
                    html.element(.p) { html in
                        html.text("earlier secret until ")
                        html.time(end)
                    }
                }
            }
            html.element(.td) { html in
                let named =
                    "name=\(PercentEncoding.segment(token.name))&prefix=\(PercentEncoding.segment(token.prefix))"
                if !token.hasExpired(at: now) {
                    html.link("\(path)/rotate?\(named)", "Rotate…")
                    html.text(" ")
                }
                html.link("\(path)/revoke?\(named)", "Revoke…")
            }
        }
    }

    /// - Parameter typed: the fields of a form that was refused.
    private static func form(_ caller: Caller, _ typed: SentFields? = nil, to html: inout HTMLWriter) {
        html.section("Make a token", id: "make") { html in
            html.paragraph(
                "Give each publisher a token that can do no more than necessary. It is shown once.", class: "soft")
            html.element(.form) {
                $0.set(.method, "post")
                $0.set(.action, path)
            } content: { html in
                html.box(class: "row") { html in
                    ManageForm.field("name", "Name", typed?["name"] ?? "", "text", isRequired: true, to: &html)
                    ManageForm.field(
                        "prefix", "Bundles: identifier or its beginning",
                        typed.map { $0["prefix"] ?? "" } ?? caller.prefix, "text", to: &html)
                }
                html.element(.fieldset) { html in
                    html.element(.legend, text: "Scopes")
                    for scope in Token.Scope.allCases {
                        ManageForm.check(
                            "scope", scope.rawValue, value: scope.rawValue,
                            isChecked: typed?.all("scope").contains(scope.rawValue) ?? (scope == .publish), to: &html)
                    }
                }
                html.box(class: "row") { html in
                    ManageForm.field(
                        "channels", "Channels, with spaces between; none for all",
                        typed.map { $0["channels"] ?? "" } ?? caller.channels.joined(separator: " "), "text", to: &html)
                    ManageForm.field(
                        "expires", "Expires in, as 90d or 12h; empty for never",
                        typed.map { $0["expires"] ?? "" } ?? "90d", "text", to: &html)
                }
                html.element(.button, text: "Make it")
            }
        }
    }

    /// `POST /manage/tokens`
    private func create(_ request: borrowing Request) -> Answer {
        pages.change(request, .createToken, .admin, refusing: ManageTokens.refuseToMake) {
            [desk, pages] fields, person, write throws(Problem) in
            let channels = (fields["channels"] ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
            let wanted = TokenRequestDocument(
                name: fields["name"] ?? "", prefix: fields["prefix"], scopes: fields.all("scope"),
                channels: channels.isEmpty ? nil : channels, expires: fields["expires"])
            write.add("token", wanted.name)
            write.add("scopes", wanted.scopes.sorted().joined(separator: " "))
            write.add("prefix", wanted.prefix ?? "")
            let made = try desk.create(wanted.bytes, by: person.caller, write.author(for: .createToken))
            try ManageTokens.reload(pages.access)
            return ManageTokens.secretPage(
                made, ["It is made. Copy it now: it is not shown again."], .created, for: person.caller)
        }
    }

    /// The page that shows a secret, this once.
    private static func secretPage(
        _ token: TokenDocument, _ sentences: [String], _ status: Status, for caller: Caller
    ) -> Answer {
        var html = begin("The token \(token.name)", for: caller)
        html.element(.div) {
            $0.set(.class, "note good")
            $0.set(.role, "status")
        } content: { html in
            for sentence in sentences { html.paragraph(sentence) }
        }
        html.element(.pre) {
            $0.set(.class, "secret")
        } content: { html in
            html.element(.code, text: token.secret ?? "") { $0.set(.class, "copy") }
        }
        html.element(.p) { $0.link(path, "All tokens", class: "button quiet") }
        return GalleryAnswer.response(GalleryFrame.end(&html), status, .script)
    }

    /// The form once more, under the reason why no token was made.
    private static let refuseToMake: ManagePages.Refusing = { problem, fields, person in
        RefusedTask.ofTokens.answer(
            problem, for: person, again: person.caller.has(.admin) ? { form(person.caller, fields, to: &$0) } : nil)
    }

    // MARK: Rotating

    /// The times for which the page offers to keep the present secret, as the interface takes them.
    private static let keeps = [
        ("", "ends at once"), ("1h", "works for an hour"), ("24h", "works for a day"), ("7d", "works for a week"),
    ]

    /// `GET /manage/tokens/rotate`
    private func askForRotation(_ request: borrowing Request) -> Answer {
        let (name, prefix) = (request.query("name") ?? "", request.query("prefix") ?? "")
        return pages.answer(request) { [desk] person throws(Problem) in
            try ManageTokens.require(person.caller)
            guard try desk.tokens(for: person.caller).contains(where: { $0.name == name && $0.prefix == prefix }) else {
                throw ProblemCatalogue.problem(RegistryError.noSuchToken(name))
            }
            var html = ManageTokens.begin("Rotate the token \(name)?", for: person.caller)
            html.box(class: "note") { html in
                html.paragraph("It gets a new secret, which is shown once. Its name, its rights and its last day stay.")
                html.paragraph("Give its users time to replace the present secret, unless others may know it.")
            }
            html.element(.form) {
                $0.set(.method, "post")
                $0.set(.action, "\(ManageTokens.path)/rotate")
            } content: { html in
                ManageForm.hidden("name", name, to: &html)
                ManageForm.hidden("prefix", prefix, to: &html)
                ManageForm.choice("keep", "The present secret", ManageTokens.keeps, "24h", scope: "rotate", to: &html)
                html.element(.button, text: "Rotate")
            }
            html.element(.p) { $0.link(ManageTokens.path, "Leave it as it is", class: "button quiet") }
            return GalleryFrame.end(&html)
        }
    }

    /// `POST /manage/tokens/rotate`
    private func rotate(_ request: borrowing Request) -> Answer {
        pages.change(
            request, .rotateToken, .admin,
            refusing: { problem, _, person in RefusedTask.ofRotating.answer(problem, for: person) }
        ) { [desk, pages, revoked] fields, person, write throws(Problem) in
            let name = fields["name"] ?? ""
            write.add("token", name)
            let keep = try rethrowing(as: ProblemCatalogue.unreadable) { () throws(UnreadableParameter) in
                guard let text = fields["keep"], !text.isEmpty else { return Int64?.none }
                return try RotateOptions.keep.value(of: text)
            }
            let rotated = try desk.rotate(
                name, prefix: fields["prefix"] ?? "", keep: keep, by: person.caller, write.author(for: .rotateToken))
            write.add(LogField("tokenNumber", rotated.number))
            if let end = rotated.earlierSecretEnds { write.add("earlierSecretEnds", end) }
            try ManageTokens.reload(pages.access)
            revoked()
            let end = rotated.earlierSecretEnds.map { "The secret before works until \($0)." }
            return ManageTokens.secretPage(
                rotated,
                [
                    "This is its new secret. Copy it now: it is not shown again.",
                    end ?? "The secret before is worth nothing any more.",
                ], .ok, for: person.caller)
        }
    }

    // MARK: Revoking

    /// `GET /manage/tokens/revoke`
    private func confirm(_ request: borrowing Request) -> Answer {
        let (name, prefix) = (request.query("name") ?? "", request.query("prefix") ?? "")
        return pages.answer(request) { [desk] person throws(Problem) in
            try ManageTokens.require(person.caller)
            guard try desk.tokens(for: person.caller).contains(where: { $0.name == name && $0.prefix == prefix }) else {
                throw ProblemCatalogue.problem(RegistryError.noSuchToken(name))
            }
            var html = ManageTokens.begin("Revoke the token \(name)?", for: person.caller)
            html.box(class: "note bad") { html in
                html.paragraph("From then on it is worth nothing, also to browsers that have signed in with it.")
                html.paragraph("This cannot be undone: the name stays taken, and a new token is made under another.")
                if person.caller.name == name { html.paragraph("You have signed in with it: this signs you out.") }
            }
            html.box(class: "row") { html in
                ManageForm.button(
                    "\(ManageTokens.path)/revoke", "Revoke", [("name", name), ("prefix", prefix)], class: "danger",
                    to: &html)
                html.link(ManageTokens.path, "Leave it as it is", class: "button quiet")
            }
            return GalleryFrame.end(&html)
        }
    }

    /// `POST /manage/tokens/revoke`
    private func revoke(_ request: borrowing Request) -> Answer {
        pages.change(
            request, .revokeToken, .admin,
            refusing: { problem, _, person in
                RefusedTask.ofRevoking.answer(problem, for: person)
            }
        ) { [desk, pages, revoked] fields, person, write throws(Problem) in
            let name = fields["name"] ?? ""
            write.add("token", name)
            _ = try desk.revoke(
                name, prefix: fields["prefix"] ?? "", by: person.caller, write.author(for: .revokeToken))
            try ManageTokens.reload(pages.access)
            revoked()
            return GalleryAnswer.go(to: ManageTokens.path)
        }
    }

    private static func reload(_ access: Access) throws(Problem) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try access.reload() }
    }

    // MARK: Audit

    /// `GET /manage/audit`
    private func audit(_ request: borrowing Request) -> Answer {
        let wanted: AuditListParameters
        do throws(UnreadableParameter) {
            wanted = try AuditListParameters(request)
        } catch {
            return GalleryAnswer.refusal(ProblemCatalogue.unreadable(error))
        }
        return pages.answer(request) { [audits] person throws(Problem) in
            try ManageTokens.require(person.caller)
            let page = try audits.page(wanted, for: person.caller)
            var html = ManageTokens.begin("Audit trail", for: person.caller)
            html.paragraph(
                "Acts that were carried out, newest first. Refused ones are in the server's log.", class: "soft")
            html.box(class: "panel") { html in
                html.box(class: "scroll") { html in
                    html.element(.table) {
                        $0.set(.class, "fold")
                    } content: { html in
                        html.tableHead(["When", "Act", "By", "About", "What changed"])
                        html.element(.tbody) { html in
                            for record in page.items { ManageTokens.row(record, to: &html) }
                        }
                    }
                }
                if page.items.isEmpty { html.paragraph("Nothing was done yet.", class: "soft") }
            }
            if let next = page.next {
                html.element(.p) { $0.link("/manage/audit?cursor=\(next)", "Earlier acts", class: "button quiet") }
            }
            return GalleryFrame.end(&html)
        }
    }

    private static func row(_ record: AuditDocument, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.td) { html in
                if let time = Timestamp.seconds(record.at) { html.time(time) } else { html.text(record.at) }
            }
            html.element(.td) { $0.chip(record.act) }
            html.element(.td, text: record.by)
            html.element(.td) { html in
                if let bundle = record.bundleIdentifier { html.code(bundle) }
                if let token = record.token { html.text("token \(token.name)") }
            }
            html.element(.td) { html in
                var parts = [record.release, record.channel.map { "on \($0)" }].compactMap(\.self)
                if let from = record.from {
                    parts.append("from \(from.release) (\(GalleryText.percent(from.rollout)))")
                }
                if let to = record.to { parts.append("to \(to.release) (\(GalleryText.percent(to.rollout)))") }
                if let remark = record.remark { parts.append(remark) }
                html.text(parts.joined(separator: ", "))
            }
        }
    }
}
