internal import RegistryContract
internal import RegistryManual
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The documents for authors, publishers, operators and developers of hosts, which can be read without the internet.
struct ManualPages: Sendable {
    static let path = "/docs"

    private let list = PerRoot { root in GalleryAnswer.page(ManualPages.list(), below: root, .forADay) }
    /// The pages of the documents, by their names.
    private let pages = Dictionary(
        uniqueKeysWithValues: Manual.documents.map { document in
            (document.name, PerRoot { root in GalleryAnswer.page(ManualPages.page(document), below: root, .forADay) })
        })

    func add(to routes: inout Routes) {
        routes.get(ManualPages.path, all)
        routes.get("\(ManualPages.path)/{document}", page)
    }

    /// `GET /docs`
    @Sendable private func all(_ request: borrowing Request) -> Answer { .resource(list[request.root]) }

    /// `GET /docs/{document}`
    @Sendable private func page(_ request: borrowing Request, _ name: String) -> Answer {
        if let pages = pages[name] { return .resource(pages[request.root]) }
        return GalleryReading.refusal(request)(
            ProblemCatalogue.problem(
                .notFound,
                "Not a document: \(ProblemCatalogue.quoted(name)). \(ManualPages.path) lists those there are."))
    }

    private static func list() -> [UInt8] {
        var html = GalleryFrame.begin("Documents", .documents)
        html.box(class: "stack") { html in
            html.element(.h1, text: "Documents")
            html.element(.p) {
                $0.set(.class, "soft")
            } content: { html in
                html.text("As they are for this version of the registry. Every route is under ")
                html.link("/api", "Interface")
                html.text(", every refusal under ")
                html.link("/problems/", "Problems")
                html.text(".")
            }
        }
        for (place, part) in Manual.parts.enumerated() {
            html.section(part.reader, id: "part-\(place)") { html in
                html.element(.dl) {
                    $0.set(.class, "facts")
                } content: { html in
                    for document in part.documents {
                        html.element(.dt) {
                            $0.link("\(path)/\(document.name)", MarkdownPrinter.title(of: document.text))
                        }
                        html.element(.dd, text: document.about)
                    }
                }
            }
        }
        return GalleryFrame.end(&html)
    }

    private static func page(_ document: Manual.Document) -> [UInt8] {
        var html = GalleryFrame.begin(MarkdownPrinter.title(of: document.text), .documents)
        html.crumbs([(path, "Documents")], here: document.name)
        html.element(.article) {
            $0.set(.class, "prose")
        } content: { html in
            var printer = MarkdownPrinter(document.text, folder: path)
            printer.print(to: &html)
        }
        return GalleryFrame.end(&html)
    }
}
