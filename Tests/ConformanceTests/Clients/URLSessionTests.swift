import ConformanceSupport
import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// URLSession, which hosts on Apple systems use.
@Suite struct `A host with URLSession` {
    let registry: Registry
    let bundle = BundleForge(fresh(), text: Noise.text(1_000))
    let session: URLSession

    init() throws {
        registry = try Registries.open()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        session = URLSession(configuration: configuration)
    }

    private func request(_ path: String, _ method: String = "GET", _ fields: [String: String] = [:]) throws
        -> URLRequest
    {
        var request = URLRequest(url: try #require(URL(string: registry.url + path)))
        request.httpMethod = method
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func answer(_ request: URLRequest) async throws -> (HTTPURLResponse, Data) {
        let (data, response) = try await session.data(for: request)
        return (try #require(response as? HTTPURLResponse), data)
    }

    private let authorization = ["Authorization": "Bearer \(Registry.adminToken)", "Content-Type": "application/zip"]

    @Test func `publishes, and downloads what it published`() async throws {
        let (data, response) = try await session.upload(
            for: try request("/v1/bundles", "POST", authorization), from: Data(bundle.archive))
        #expect((response as? HTTPURLResponse)?.statusCode == 201)
        let released = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let digest = try #require(released["sha256"] as? String)
        let (fetched, archive) = try await answer(try request("/v1/widgets/\(bundle.identifier)-1/bundle"))
        #expect(fetched.statusCode == 200)
        #expect(BundleForge.sha256([UInt8](archive)) == digest)
        #expect(fetched.suggestedFilename == "Sample.zip")
    }

    @Test func `reads documents as JSON, packed on the way or not`() async throws {
        let many = (0..<50).reduce(BundleForge(fresh())) { $0.adding("f\($1).json", "{}") }
        try registry.publish(many)
        let (response, data) = try await answer(try request("/v1/widgets/\(many.identifier)"))
        #expect(response.statusCode == 200)
        #expect(response.mimeType == "application/json")
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(document["bundleIdentifier"] as? String == many.identifier)
    }

    @Test func `is told 304 for what it has`() async throws {
        try registry.publish(bundle)
        let path = "/v1/widgets/\(bundle.identifier)"
        let (first, _) = try await answer(try request(path))
        let tag = try #require(first.value(forHTTPHeaderField: "ETag"))
        let (second, data) = try await answer(try request(path, "GET", ["If-None-Match": tag]))
        #expect(second.statusCode == 304)
        #expect(data.isEmpty)
    }

    @Test func `resumes a download with a range`() async throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let whole = Data(try registry.get(url).body)
        let (response, data) = try await answer(try request(url, "GET", ["Range": "bytes=100-"]))
        #expect(response.statusCode == 206)
        #expect(data == whole.dropFirst(100))
    }

    @Test func `reads problems`() async throws {
        let (response, data) = try await answer(try request("/v1/widgets/\(fresh())"))
        #expect(response.statusCode == 404)
        #expect(response.mimeType == "application/problem+json")
        let problem = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(problem["type"] as? String == "/problems/no-such-widget")
    }

    @Test func `asks for the head alone`() async throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let (response, data) = try await answer(try request(url, "HEAD"))
        #expect(response.statusCode == 200)
        #expect(data.isEmpty)
        #expect(response.value(forHTTPHeaderField: "Repr-Digest") != nil)
    }

    @Test func `sees a refusal of a large upload`() async throws {
        let (_, response) = try await session.upload(
            for: try request("/v1/bundles", "POST", ["Content-Type": "application/zip"]), from: Data(count: 4 << 20))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }
}
