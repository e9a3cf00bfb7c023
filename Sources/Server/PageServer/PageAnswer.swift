internal import HTTPWire
internal import WidgetBytes
internal import WidgetCore
internal import WidgetDeflate
internal import WidgetHTTPServer
internal import WidgetLayout
internal import WidgetLive
internal import WidgetMarkup
internal import WidgetRender

/// Answers of a server of pages, with the fields that all of them have.
enum PageAnswer {
    enum Caching: String {
        case never = "no-store"
        /// For what may be kept, and is asked for again before it is shown.
        case asked = "no-cache"
        /// For addresses whose content never changes.
        case forever = "public, max-age=31536000, immutable"
    }

    static let html = "text/html; charset=utf-8"
    static let css = "text/css; charset=utf-8"
    static let script = "text/javascript; charset=utf-8"

    /// A form's post names its origin to this server; other servers learn nothing.
    static let referrers = "same-origin"

    static func fields(_ caching: Caching) -> FieldBlock { fields(caching.rawValue) }

    /// - Parameter caching: the value of `Cache-Control`.
    static func fields(_ caching: String) -> FieldBlock {
        FieldBlock([
            "Cache-Control": caching, "Content-Security-Policy": LiveFrame.policy,
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": referrers,
            "Cross-Origin-Resource-Policy": "same-origin",
        ])
    }

    /// The fields of a file that pages of any origin may use.
    private static func fieldsForAll(_ caching: Caching) -> FieldBlock {
        FieldBlock([
            "Cache-Control": caching.rawValue, "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*",
        ])
    }

    /// Bytes that fit into one packet are sent as they are.
    private static let compressionFloor = 860

    /// The bytes compressed, if that makes them smaller.
    private static func packed(_ type: String, _ bytes: [UInt8]) -> [UInt8]? {
        guard !type.hasPrefix("image/"), bytes.count >= compressionFloor, let packed = gzip(bytes, level: 6) else {
            return nil
        }
        return packed.count < bytes.count ? packed : nil
    }

    /// A document that is sent compressed to clients that take it. It is prepared once and sent often.
    ///
    /// - Parameters:
    ///   - brotli: the same compressed by Brotli, where that was done.
    ///   - isForAll: true for a file that pages of any origin may use.
    static func document(
        _ type: String, _ bytes: [UInt8], _ caching: Caching, brotli: [UInt8]? = nil, isForAll: Bool = false
    ) -> Resource {
        let fields = isForAll ? fieldsForAll(caching) : fields(caching)
        let packed = packed(type, bytes)
        func resource(
            _ bytes: [UInt8], _ coding: String?, _ other: Resource? = nil, _ brotli: Resource? = nil
        ) -> Resource {
            let tag = "\"\(Digest.sha256(bytes)?.hex.prefix(32) ?? "0")\""
            return Resource(
                mediaType: type, content: .bytes(bytes), validators: Validators(entityTag: tag), fields: fields,
                contentCoding: coding, gzipped: other, brotli: brotli)
        }
        return resource(bytes, nil, packed.map { resource($0, "gzip") }, brotli.map { resource($0, "br") })
    }

    /// A page of one viewer, at one moment.
    ///
    /// - Parameter isPacked: true if the client takes it compressed.
    static func page(_ bytes: [UInt8], isPacked: Bool) -> Answer {
        var fields = fields(.never)
        fields.add("Content-Type", html)
        fields.add("Vary", "Accept-Encoding")
        let packed = isPacked ? packed(html, bytes) : nil
        if packed != nil { fields.add("Content-Encoding", "gzip") }
        return .response(Response(.ok, fields: fields, body: packed ?? bytes))
    }

    static func response(
        _ status: Status, _ type: String, _ bytes: [UInt8], retryAfter: Int? = nil, lacksRoot: Bool = false
    ) -> Answer {
        var fields = fields(.never)
        fields.add("Content-Type", type)
        if let retryAfter { fields.add("Retry-After", retryAfter) }
        return .response(Response(status, fields: fields, body: bytes, lacksRoot: lacksRoot))
    }

    static func nothing() -> Answer { .response(Response(.noContent, fields: fields(.never))) }

    static func go(to address: String) -> Answer {
        var fields = fields(.never)
        fields.add("Location", address)
        return .response(Response(.seeOther, fields: fields))
    }

    /// The way on from a sentence.
    enum Way {
        /// A button that begins a widget, by posting to an address.
        case begin(String)
        /// A link to an address.
        case back(String)
    }

    /// A second sentence, of the system or a detail that is not translated.
    enum Hint {
        case word(SystemWord)
        case english(String)
    }

    /// A page that says what has happened.
    ///
    /// - Parameters:
    ///   - words: of the reader's language, in which the sentence is.
    ///   - kept: texts that were typed and would else be lost, with their names.
    static func sentence(
        _ status: Status, _ sentence: String, _ hint: Hint, in words: SystemWords = .english,
        retryAfter: Int? = nil, way: Way? = nil, keeping kept: [(name: String, value: String)] = []
    ) -> Answer {
        var html = HTMLWriter(addressMark: RootPath.mark)
        html.markup("<!DOCTYPE html>\n")
        html.begin(.html) { attributes in
            attributes.set(.lang, words.language)
            let direction = Viewport.Direction(of: words.language)
            if direction != .leftToRight { attributes.set(.dir, direction.rawValue) }
        }
        html.element(.head) { html in
            html.begin(.meta) { $0.set(.charset, "utf-8") }
            html.begin(.meta) { attributes in
                attributes.set(.name, "viewport")
                attributes.set(.content, "width=device-width, initial-scale=1")
            }
            html.element(.title, text: sentence)
            for sheet in [BaseSheet.fileName, LiveSheet.fileName] {
                html.begin(.link) { attributes in
                    attributes.set(.rel, "stylesheet")
                    attributes.set(.href, PageAddress.assets + sheet)
                }
            }
        }
        html.begin(.body)
        html.element(.main) { attributes in
            attributes.set(.class, "said")
        } content: { html in
            html.element(.h1, text: sentence)
            // The script of a page shows the text of all of it.
            html.text(" ")
            switch hint {
            case .word(let word): html.element(.p, text: words[word])
            case .english(let text):
                html.element(.p, text: text) { $0.set(.lang, words.isEnglish ? nil : SystemWords.english.language) }
            }
            switch way {
            case .begin(let address):
                html.element(.form) { attributes in
                    attributes.set(.method, "post")
                    attributes.set(.action, address)
                } content: { html in
                    html.element(.button, text: words[.begin])
                }
            case .back(let address):
                html.element(.p) { html in html.element(.a, text: words[.backToPage]) { $0.set(.href, address) } }
            case nil: break
            }
            if !kept.isEmpty { html.element(.h2, text: words[.typed]) }
            for (number, field) in kept.enumerated() {
                html.element(.p) { html in
                    html.element(.label, text: field.name) { $0.set(.for, "k\(number)") }
                    html.begin(.br)
                    html.element(.textarea, text: field.value) { attributes in
                        attributes.set(.id, "k\(number)")
                        attributes.set(.readonly, if: true)
                    }
                }
            }
        }
        return response(status, Self.html, html.finish(), retryAfter: retryAfter, lacksRoot: true)
    }
}
