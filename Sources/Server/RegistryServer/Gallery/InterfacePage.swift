internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The interface for programs as a page: each route with its access, parameters, answers and problems.
struct InterfacePage: Sendable {
    private static let pages = PerRoot { root in GalleryAnswer.page(bytes(), below: root, .forADay) }

    /// `GET /api`
    @Sendable func answer(_ request: borrowing Request) -> Answer { .resource(InterfacePage.pages[request.root]) }

    static func bytes() -> [UInt8] {
        var html = GalleryFrame.begin("Interface", .interface)
        html.box(class: "stack") { html in
            html.element(.h1, text: "Interface")
            html.element(.p) { html in
                html.text("Everything that programs can ask of this registry. Machines read the same as an ")
                html.link("/openapi.json", "OpenAPI document")
                html.text("; each refusal is explained under ")
                html.link("/problems/", "Problems")
                html.text(".")
            }
            html.paragraph(
                "A token is sent as Authorization: Bearer wdg_…. Routes marked with a scope need a token that has it.",
                class: "soft")
        }
        let isForHosts = { (route: RouteDescription) in
            route.template.hasPrefix("/v1/widgets") || route.name == "downloadBlob"
        }
        let isVersioned = { (route: RouteDescription) in route.template.hasPrefix("/v1/") }
        let groups: [(String, String, [RouteDescription])] = [
            ("Hosts", "hosts", Contract.routes.filter(isForHosts)),
            ("Reading", "reads", Contract.routes.filter { $0.method == .get && isVersioned($0) && !isForHosts($0) }),
            ("Publishing and managing", "writes", Contract.routes.filter { $0.method != .get }),
            ("Pages and service", "service", Contract.routes.filter { $0.method == .get && !isVersioned($0) }),
        ]
        for (title, id, routes) in groups {
            html.section(title, id: id) { html in
                for route in routes { show(route, to: &html) }
            }
        }
        return GalleryFrame.end(&html)
    }

    private static func show(_ route: RouteDescription, to html: inout HTMLWriter) {
        html.element(.details) { html in
            html.element(.summary) { html in
                html.code("\(route.method.name) \(route.template)")
            }
            html.box(class: "stack") { html in
                html.paragraph("\(route.summary).")
                html.element(.dl) {
                    $0.set(.class, "facts")
                } content: { html in
                    html.fact("Access") { html in
                        switch route.access {
                        case .anyone: html.text("everyone")
                        case .reader: html.text("everyone; where reading is closed, tokens with the scope read")
                        case .scope(let scope): html.text("tokens with the scope \(scope)")
                        case .bearer: html.text("tokens whose prefix covers the bundle, and people who have signed in")
                        }
                    }
                    if !route.allParameters.isEmpty {
                        html.fact("Parameters") { html in
                            html.element(.ul) {
                                $0.set(.class, "plain")
                            } content: { html in
                                for parameter in route.allParameters {
                                    html.element(.li) { html in
                                        html.code(parameter.name)
                                        html.text(" \(parameter.about)")
                                    }
                                }
                            }
                        }
                    }
                    html.fact("Answers") { html in
                        html.element(.ul) {
                            $0.set(.class, "plain")
                        } content: { html in
                            for outcome in route.outcomes {
                                html.element(.li, text: "\(outcome.status.rawValue) \(outcome.about)")
                            }
                        }
                    }
                    if !route.problems.isEmpty {
                        html.fact("Problems") { html in
                            for (place, code) in route.problems.enumerated() {
                                if place > 0 { html.text(", ") }
                                html.link("/problems/\(code.rawValue)", code.rawValue)
                            }
                        }
                    }
                }
            }
        }
    }
}
