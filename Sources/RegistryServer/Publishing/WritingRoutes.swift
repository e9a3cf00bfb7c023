internal import HTTPServer
internal import HTTPWire
internal import Registry

/// Every route that changes something, in one place.
struct WritingRoutes: Sendable {
    let publish: PublishRoutes
    let channels: ChannelRoutes
    let releases: ReleaseRoutes
    let tokens: TokenRoutes
    let audit: AuditRoutes

    func add(to routes: inout Routes) {
        routes.on(.post, "/v1/bundles(/)", publish.post)
        routes.on(.put, "/v1/bundles(/)", publish.post)
        routes.on(.put, "/v1/bundles/{id}", publish.putFile)
        routes.on(.put, "/v1/bundles/{id}/releases/{key}", publish.putRelease)
        routes.on(.delete, "/v1/bundles/{id}/releases/{key}", releases.withdraw)
        routes.on(.post, "/v1/bundles/{id}/releases/{key}/restore", releases.restore)
        routes.on(.put, "/v1/bundles/{id}/channels/{channel}", channels.put)
        routes.on(.delete, "/v1/bundles/{id}/channels/{channel}", channels.delete)
        routes.on(.post, "/v1/bundles/{id}/channels/{channel}/rollback", channels.rollback)
        tokens.add(to: &routes)
        audit.add(to: &routes)
    }
}

extension TokenRoutes {
    func add(to routes: inout Routes) {
        routes.get("/v1/tokens", list)
        routes.on(.post, "/v1/tokens", create)
        routes.on(.delete, "/v1/tokens/{name}", revoke)
    }
}
