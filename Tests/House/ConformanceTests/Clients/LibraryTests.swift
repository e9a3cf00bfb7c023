import ConformanceSupport
import Foundation
import FoundationNetworking
import Testing
import WidgetTestSupport

/// Python's http.client, which reads answers by its own rules. `make test` has its first case, and what it makes of an early
/// refusal (`EarlyRefusalTests`).
@Suite(.enabled(if: Shell.has("python3"), "needs python3")) struct `Python's http.client` {
    let registry: Registry
    let bundle = BundleForge(fresh(), text: Noise.text(1_000))

    init() throws { registry = try Registries.open() }

    /// Runs a script that finds a connection `c`, the token `token`, the bundle's bytes `archive` and its name `id`.
    private func python(_ script: String) throws -> String {
        let archive = try registry.home.file("\(bundle.identifier).py.zip", bundle.archive)
        let text = """
            import hashlib, http.client, io, json, sys, zipfile
            c = http.client.HTTPConnection('127.0.0.1', \(registry.port), timeout=60)
            token = {'Authorization': 'Bearer \(Registry.adminToken)'}
            id = '\(bundle.identifier)'
            archive = open('\(archive)', 'rb').read()
            def ask(method, path, body=None, headers={}):
                c.request(method, path, body=body, headers=headers)
                r = c.getresponse()
                return r, r.read()

            """ + script
        let file = try registry.home.file("\(bundle.identifier).py", Array(text.utf8))
        let run = try Tool.run("python3", [file])
        return run.output
    }

    @Test func `http.client publishes, resolves, downloads and verifies over one connection`() throws {
        let output = try python(
            """
            r, b = ask('POST', '/v1/bundles', archive, token)
            assert r.status == 201, b
            r, b = ask('GET', '/v1/widgets/' + id + '-1')
            candidate = json.loads(b)['candidates'][0]
            r, b = ask('GET', candidate['url'])
            assert hashlib.sha256(b).hexdigest() == candidate['sha256']
            z = zipfile.ZipFile(io.BytesIO(b))
            assert z.testzip() is None
            for file in candidate['files']:
                content = z.read('Sample.bundle/' + file['path'])
                assert hashlib.sha256(content).hexdigest() == file['sha256']
            print('fine')
            """)
        #expect(output == "fine\n")
    }

    @Test(.part(.contract)) func `http.client publishes in chunks`() throws {
        let output = try python(
            """
            def pieces():
                for i in range(0, len(archive), 77): yield archive[i:i + 77]
            c.request('POST', '/v1/bundles', body=pieces(), headers=token, encode_chunked=True)
            print(c.getresponse().status)
            """)
        #expect(output == "201\n")
    }

    @Test(.part(.contract)) func `http.client continues on the same connection after every refusal`() throws {
        let output = try python(
            """
            seen = []
            for method, path, body, headers in [
                ('GET', '/nowhere', None, {}), ('DELETE', '/v1/changes', None, {}), ('POST', '/v1/bundles', b'x', {}),
                ('POST', '/v1/bundles', b'x', token), ('POST', '/v1/bundles', b'x', {**token, 'Content-Type': 'text/html'}),
                ('GET', '/v1/widgets/no.such', None, {}), ('GET', '/livez', None, {})]:
                r, b = ask(method, path, body, headers)
                seen.append(r.status)
                if r.status >= 400: assert json.loads(b)['status'] == r.status
            print(seen)
            """)
        #expect(output == "[404, 405, 401, 400, 415, 404, 200]\n")
    }

    @Test(.part(.contract)) func `http.client receives the refusal of a large upload`() throws {
        #expect(try python("r, b = ask('POST', '/v1/bundles', bytes(8 << 20)); print(r.status)") == "401\n")
    }

    @Test(.part(.contract)) func `http.client fetches only the changed files of a new release`() throws {
        try registry.publish(bundle)
        let next = BundleForge(bundle.identifier, "1.1", text: Noise.text(1_000))
            .adding("new.json", "{\"new\": true}")
        try registry.publish(next)
        let output = try python(
            """
            import zlib
            r, b = ask('GET', '/v1/bundles/' + id + '/releases/1.0~1/files')
            held = {f['path']: f['sha256'] for f in json.loads(b)['items']}
            r, b = ask('GET', '/v1/widgets/' + id)
            candidate = json.loads(b)['candidates'][0]
            fetched = []
            for f in candidate['files']:
                if held.get(f['path']) == f['sha256']: continue
                last = f['offset'] + f['compressedSize'] - 1
                r, b = ask('GET', candidate['url'], headers={'Range': 'bytes=%d-%d' % (f['offset'], last)})
                assert r.status == 206 and len(b) == f['compressedSize']
                content = zlib.decompress(b, -15) if f['method'] == 'deflate' else b
                assert hashlib.sha256(content).hexdigest() == f['sha256']
                fetched.append(f['path'])
            print(fetched)
            """)
        #expect(output == "['Info.plist', 'new.json']\n")
    }

    @Test(.part(.contract)) func `http.client reads the parts of a multipart range`() throws {
        try registry.publish(bundle)
        let output = try python(
            """
            import email.parser, email.policy
            url = json.loads(ask('GET', '/v1/widgets/' + id)[1])['candidates'][0]['url']
            whole = ask('GET', url)[1]
            r, b = ask('GET', url, headers={'Range': 'bytes=0-9,20-29,-5'})
            head = ('Content-Type: ' + r.getheader('Content-Type') + '\\r\\n\\r\\n').encode()
            parts = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + b).get_payload()
            got = [p['Content-Range'] for p in parts]
            size = len(whole)
            assert got == ['bytes 0-9/%d' % size, 'bytes 20-29/%d' % size, 'bytes %d-%d/%d' % (size - 5, size - 1, size)], got
            print(r.status, len(parts))
            """)
        #expect(output == "206 3\n")
    }
}

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

    @Test func `URLSession publishes, and downloads what it published`() async throws {
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

    @Test func `URLSession reads JSON documents, compressed or not`() async throws {
        let many = (0..<50).reduce(BundleForge(fresh())) { $0.adding("f\($1).json", "{}") }
        try registry.publish(many)
        let (response, data) = try await answer(try request("/v1/widgets/\(many.identifier)"))
        #expect(response.statusCode == 200)
        #expect(response.mimeType == "application/json")
        let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(document["bundleIdentifier"] as? String == many.identifier)
    }

    @Test func `URLSession gets 304 for a cached document`() async throws {
        try registry.publish(bundle)
        let path = "/v1/widgets/\(bundle.identifier)"
        let (first, _) = try await answer(try request(path))
        let tag = try #require(first.value(forHTTPHeaderField: "ETag"))
        let (second, data) = try await answer(try request(path, "GET", ["If-None-Match": tag]))
        #expect(second.statusCode == 304)
        #expect(data.isEmpty)
    }

    @Test func `URLSession resumes a download with a range`() async throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let whole = Data(try registry.get(url).body)
        let (response, data) = try await answer(try request(url, "GET", ["Range": "bytes=100-"]))
        #expect(response.statusCode == 206)
        #expect(data == whole.dropFirst(100))
    }

    @Test func `URLSession reads problems`() async throws {
        let (response, data) = try await answer(try request("/v1/widgets/\(fresh())"))
        #expect(response.statusCode == 404)
        #expect(response.mimeType == "application/problem+json")
        let problem = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(problem["type"] as? String == "/problems/no-such-widget")
    }

    @Test func `URLSession asks for the head only`() async throws {
        let url = try #require(try registry.publish(bundle).text("url"))
        let (response, data) = try await answer(try request(url, "HEAD"))
        #expect(response.statusCode == 200)
        #expect(data.isEmpty)
        #expect(response.value(forHTTPHeaderField: "Repr-Digest") != nil)
    }

    @Test func `URLSession receives the refusal of a large upload`() async throws {
        let (_, response) = try await session.upload(
            for: try request("/v1/bundles", "POST", ["Content-Type": "application/zip"]), from: Data(count: 4 << 20))
        #expect((response as? HTTPURLResponse)?.statusCode == 401)
    }
}
