internal import HTTPWire
internal import WidgetHTTPServer

/// The pages that everyone reads, as people get them who have signed in: with their token's name, and the way out.
///
/// What is kept of a page is the same for all. Such a copy of it is made for one answer, and is not stored.
struct SignedInPages: Sendable {
    let access: Access

    /// The change to an answer, where a person has signed in.
    @Sendable func change(_ request: borrowing Request) -> (@Sendable (Answer) -> Answer)? {
        guard let session = SessionCookie.session(request) else { return nil }
        let (root, client) = (request.root, request.client)
        if let person = access.person(inSession: session, from: client, asks: false) {
            return { SignedInPages.naming(person.caller.name, in: $0, below: root) }
        }
        // Another server may have begun it. The catalog is asked beside the requests.
        return { [access] answer in
            guard SignedInPages.isPage(answer) else { return answer }
            return .later { responder in
                access.perform {
                    let person = access.person(inSession: session, from: client)
                    responder.answer(
                        person.map { SignedInPages.naming($0.caller.name, in: answer, below: root) } ?? answer)
                }
            }
        }
    }

    /// True for the template of a route that may give a page with a bar.
    static func isPage(_ template: String) -> Bool {
        !["/v1", "/embed", "/livez", "/readyz", "/.well-known", "/assets", "/openapi.json"].contains {
            template.hasPrefix($0)
        }
            && !template.hasSuffix("feed.atom")
    }

    private static func isPage(_ answer: Answer) -> Bool {
        switch answer {
        case .resource(let resource): resource.mediaType == GalleryFrame.mediaType
        case .response: true
        case .problem, .refused, .failed, .readBody, .later: false
        }
    }

    private static func naming(_ person: String, in answer: Answer, below root: String) -> Answer {
        switch answer {
        case .resource(let resource):
            guard resource.mediaType == GalleryFrame.mediaType, case .bytes(let bytes) = resource.content,
                let page = GalleryFrame.naming(person, in: bytes, below: root)
            else { return answer }
            var fields = FieldBlock(["Content-Type": GalleryFrame.mediaType, "Cache-Control": "no-store"])
            fields.add(resource.fields.without("Cache-Control"))
            return .response(Response(.ok, fields: fields, body: page))
        case .response(var response):
            // Its marks are filled in as it is sent.
            guard case .bytes(let bytes) = response.body,
                let page = GalleryFrame.naming(person, in: bytes, below: response.lacksRoot ? nil : root)
            else { return answer }
            response.body = .bytes(page)
            return .response(response)
        case .problem, .refused, .failed, .readBody, .later: return answer
        }
    }
}
