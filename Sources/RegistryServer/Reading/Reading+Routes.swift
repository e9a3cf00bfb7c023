package import HTTPServer

extension Reading {
    /// Every route that only reads, in one place.
    package func add(to routes: inout Routes) {
        routes.get("/", startPage)
        routes.get("/openapi.json", OpenAPIDocument().answer)
        routes.get("/v1/widgets/{widgetIdentifier}", resolve)
        routes.get("/v1/widgets/{widgetIdentifier}/bundle", bundleArchive)
        routes.get("/v1/widgets/{widgetIdentifier}/{Name}.zip", namedArchive)
        routes.get("/v1/blobs/sha256/{hex}", blob)
        routes.get("/v1/bundles", bundles)
        routes.get("/v1/bundles/{id}", bundle)
        routes.get("/v1/bundles/{id}/channels", channels)
        routes.get("/v1/bundles/{id}/channels/{channel}", channel)
        routes.get("/v1/bundles/{id}/releases", releases)
        routes.get("/v1/bundles/{id}/releases/{key}", release)
        routes.get("/v1/bundles/{id}/releases/{key}/report", report)
        routes.get("/v1/bundles/{id}/releases/{key}/files", files)
        routes.get("/v1/bundles/{id}/releases/{key}/files/{path...}", file)
        routes.get("/v1/bundles/{id}/releases/{key}/diff/{otherKey}", diff)
        routes.get("/v1/changes", changes)
    }
}
