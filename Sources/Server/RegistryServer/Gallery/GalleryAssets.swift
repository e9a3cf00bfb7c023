internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The stylesheet and the scripts of the registry's own pages. Each has its content's digest in its name, and never changes.
struct GalleryAssets: Sendable {
    static let folder = "/assets/gallery/"
    static let shared = GalleryAssets()

    let sheet: String
    let icon: String
    /// Shows what was published while the catalogue is open.
    let catalogueScript: String
    /// Drag and drop, and the progress of an upload; for pages of people who have signed in.
    let manageScript: String
    /// Runs a release on its page.
    let runningScript: String
    /// The look of a widget alone, and what it says to the page around it.
    let embedSheet: String
    let embedScript: String
    private let resources: [String: Resource]

    private init() {
        var resources: [String: Resource] = [:]
        func add(_ stem: String, _ ending: String, _ mediaType: String, _ source: [UInt8]) -> String {
            let bytes = GalleryAssets.sent(source)
            let name = "\(stem)-\(String((Digest.sha256(bytes)?.hex ?? "").prefix(16))).\(ending)"
            resources[name] = GalleryAnswer.resource(mediaType, bytes, .forever, FieldBlock())
            return GalleryAssets.folder + name
        }
        sheet = add("gallery", "css", "text/css; charset=utf-8", PackageResources.gallery_css)
        catalogueScript = add("catalogue", "js", "text/javascript; charset=utf-8", PackageResources.catalogue_js)
        manageScript = add("manage", "js", "text/javascript; charset=utf-8", PackageResources.manage_js)
        runningScript = add("running", "js", "text/javascript; charset=utf-8", PackageResources.running_js)
        embedSheet = add("embed", "css", "text/css; charset=utf-8", PackageResources.embed_css)
        embedScript = add("embed", "js", "text/javascript; charset=utf-8", PackageResources.embed_js)
        icon = add("icon", "svg", "image/svg+xml", Array(GalleryAssets.drawing.utf8))
        self.resources = resources
    }

    /// Four parts, one of which is another.
    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57d0"/>\
        <path d="M7 7h8v8H7zm0 10h8v8H7zm10 0h8v8h-8z" fill="#fff"/><circle cx="21" cy="11" r="4" fill="#9cc2ff"/></svg>
        """

    /// `GET /assets/gallery/{name}`
    @Sendable func answer(_ request: borrowing Request, _ name: String) -> Answer {
        resources[name].map { .resource($0) } ?? .refused(.noRoute)
    }

    /// Leaves out comment lines of scripts, and what lines begin with.
    static func sent(_ source: [UInt8]) -> [UInt8] {
        let lines = source.split(separator: 0x0A).map { $0.drop { $0 == 0x09 || $0 == 0x20 } }
        return Array(lines.filter { !$0.isEmpty && !$0.starts(with: Array("//".utf8)) }.joined(separator: [0x0A]))
    }
}

/// Answers with pages, and the fields that all of them have.
enum GalleryAnswer {
    /// The rights of a page.
    enum Powers: Sendable {
        /// It runs nothing, and shows stills of this server.
        case none
        /// It runs scripts of this server as well.
        case script
        /// It runs a widget in a frame without an origin, whose requests to these servers the reader may allow.
        case widget(servers: [String])
        /// It is a still, which pages of this server and of those hold in a frame.
        case still(FrameAncestors)
        /// It runs a widget alone, in a frame of a page of those.
        case embed(FrameAncestors)
    }

    private static let common =
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'"

    /// The rights that the element needs on a page, and nothing else.
    private static let running =
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; img-src 'self' blob: data:; "
        + "style-src 'self'; frame-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types page;"

    static func policy(_ powers: Powers) -> String {
        switch powers {
        case .none: "\(common); frame-src 'self'; form-action 'self'; frame-ancestors 'none'"
        case .script:
            "\(common); frame-src 'self'; form-action 'self'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'; "
                + "require-trusted-types-for 'script'; trusted-types page"
        // It has neither scripts nor forms, even if a printer wrote some.
        case .still(let ancestors):
            "\(common); form-action 'none'; frame-ancestors \(ancestors.withOwn); sandbox allow-same-origin"
        case .widget(let servers):
            "\(running) connect-src \((["'self'"] + servers).joined(separator: " ")); form-action 'self'; frame-ancestors 'none'"
        case .embed(let ancestors):
            "\(running) connect-src 'self'; form-action 'none'; frame-ancestors \(ancestors.text)"
        }
    }

    /// The pages that may use an answer.
    private static func users(_ powers: Powers) -> String {
        if case .embed = powers { return "cross-origin" }
        return "same-origin"
    }

    static func fields(_ powers: Powers) -> FieldBlock {
        FieldBlock([
            "Content-Security-Policy": policy(powers), "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": users(powers),
        ])
    }

    /// A representation that is prepared once and sent often.
    static func resource(
        _ mediaType: String, _ bytes: [UInt8], _ caching: Document.Caching, _ fields: FieldBlock,
        variesByType: Bool = false
    ) -> Resource {
        var all = Document.commonFields(caching)
        all.add(fields)
        return Document.resource(mediaType, bytes, all, variesByType: variesByType)
    }

    /// - Parameters:
    ///   - root: the path below which clients see this server.
    ///   - variesByType: true if the same address has a document for programs.
    static func page(
        _ bytes: [UInt8], below root: String, _ caching: Document.Caching, _ powers: Powers = .none,
        variesByType: Bool = false
    ) -> Resource {
        resource(
            GalleryFrame.mediaType, RootPath.filled(bytes, root), caching, fields(powers), variesByType: variesByType)
    }

    /// A page of one person, which nothing stores.
    static func response(
        _ bytes: [UInt8], _ status: Status = .ok, _ powers: Powers = .none, _ more: FieldBlock = FieldBlock()
    ) -> Answer {
        var all = FieldBlock([
            "Content-Type": GalleryFrame.mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ])
        all.add(fields(powers))
        all.add(more)
        return .response(Response(status, fields: all, body: bytes, lacksRoot: true))
    }

    /// Sends a browser to another page of this server.
    static func go(to path: String, _ more: FieldBlock = FieldBlock()) -> Answer {
        var all = FieldBlock(["Location": path, "Cache-Control": "no-store"])
        all.add(more)
        return .response(Response(.seeOther, fields: all))
    }

    /// A refusal as a page.
    static func refusal(_ problem: Problem) -> Answer {
        var html = GalleryFrame.begin(problem.title, .other)
        html.element(.div) {
            $0.set(.class, "stack")
        } content: { html in
            html.element(.p, text: "\(problem.status.rawValue)") { $0.set(.class, "soft number") }
            html.element(.h1, text: problem.title)
            html.element(.p, text: problem.detail)
            html.element(.p) { html in
                html.link("/", "All bundles")
                html.text(" · ")
                html.link("/problems/\(problem.code)", "What this means")
                html.text(" · ")
                html.link("/api", "Interface")
                html.text(" · ")
                html.link(ManualPages.path, "Documents")
            }
        }
        return response(GalleryFrame.end(&html), problem.status, .none, problem.fields)
    }
}

/// A value that is made once for each path below which clients see a server: for one, but where tests run several.
struct PerRoot<Value: Sendable>: Sendable {
    private let made = Guarded<[String: Value]>([:])
    private let make: @Sendable (String) -> Value

    init(_ make: @escaping @Sendable (String) -> Value) { self.make = make }

    subscript(root: String) -> Value {
        if let value = made.withLock({ $0[root] }) { return value }
        let value = make(root)
        made.withLock { $0[root] = value }
        return value
    }
}
