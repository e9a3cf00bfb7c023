import HostileServer
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetHosting
import WidgetRunning
import WidgetTestSupport
import WidgetTransfers

@testable import WidgetHost

/// Goal: a picture comes over the same granted network as answers, with nothing of the widget but its address, and
/// hostile servers bring a page nothing but pictures. Method: servers on loopback that lie, lead away and do not end.
@Suite(.ownThreads) struct `A picture from a server` {
    private static let picture = PictureForge.png(width: 30, height: 20)

    private static func network(_ addresses: String...) throws -> WebNetwork {
        WebNetwork(
            try NetworkGrant(addresses, privateRanges: [try #require(AddressRange("127.0.0.0/8"))]))
    }

    private static func reason(_ picture: FetchedPicture) -> String? {
        if case .failed(let reason) = picture { reason } else { nil }
    }

    @Test func `The request has no credentials, no cookies and no field of the widget or the app`() async throws {
        let server = try HostileServer { visit in
            visit.answer(200, ["Set-Cookie: user=1", "Content-Type: text/html"], body: Self.picture)
        }
        let network = try Self.network(server.url).reviewed { _ in
            .send(adding: [AddedField(TransferField("Authorization", "Bearer 0123456789"), isSecret: true)])
        }
        for name in ["a", "b"] {
            guard case .file(let file) = await network.picture(at: "\(server.url)/\(name).png") else {
                Issue.record("no picture")
                return
            }
            #expect(file.bytes == Self.picture && file.kind == .png, "its server's word does not count")
        }
        #expect(server.requests.map(\.target) == ["/a.png", "/b.png"])
        for request in server.requests {
            #expect(Set(request.fields.map { $0.name.lowercased() }) == ["host", "accept", "accept-encoding"])
            #expect(request.value("Accept") == "image/png, image/jpeg, image/gif, image/webp")
        }
        server.stop()
    }

    @Test func `An address beside the grant is not asked`() async throws {
        let server = try HostileServer { $0.answer(body: Self.picture) }
        let network = try Self.network("\(server.url)/shop/")
        for address in [
            "\(server.url)/a.png", "\(server.url)/shop/../a.png", "http://localhost:\(server.port)/shop/a.png",
            "https://127.0.0.1:\(server.port)/shop/a.png", "file:///etc/passwd", "data:image/png;base64,AAAA", "a.png",
        ] {
            #expect(Self.reason(await network.picture(at: address)) != nil, "\(address)")
        }
        #expect(server.requests.isEmpty)
        let bare = WebNetwork(try NetworkGrant([server.url]))
        let reason = Self.reason(await bare.picture(at: "\(server.url)/a.png")) ?? ""
        #expect(reason.contains("is not allowed"), "a private address needs its range: \(reason)")
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test func `A redirect into a private address or out of the grant is refused, and one within it is followed`()
        async throws
    {
        let inner = try HostileServer { $0.answer(body: Self.picture) }
        let places = [
            "/link": "http://169.254.169.254/latest/meta-data", "/other": "http://127.0.0.1:\(inner.port)/a.png",
            "/file": "file:///etc/passwd", "/home": "/a.png", "/loop": "/loop",
        ]
        let outer = try HostileServer { visit in
            if let place = places[visit.request.target] {
                visit.answer(302, ["Location: \(place)"], text: "")
            } else {
                visit.answer(body: Self.picture)
            }
        }
        let network = try Self.network(outer.url, "http://169.254.169.254/")
        for path in ["/link", "/other", "/file", "/loop"] {
            #expect(Self.reason(await network.picture(at: outer.url + path)) != nil, "\(path)")
        }
        #expect(inner.requests.isEmpty)
        #expect(Self.reason(await network.picture(at: "\(outer.url)/home")) == nil)
        outer.stop()
        inner.stop()
    }

    @Test func `Other files are refused, with the reason`() async throws {
        let answers: [String: (Int, [UInt8], String)] = [
            "/svg": (200, Array("<svg><script>alert(1)</script></svg>".utf8), "it is SVG"),
            "/page": (200, Array("<html><script>alert(1)</script>".utf8), "it is SVG or other markup"),
            "/bomb": (200, PictureForge.png(width: 60_000, height: 60_000), "it has more than 16777216 pixels"),
            "/gone": (404, Self.picture, "its server answers with status 404"),
            "/some": (206, Self.picture, "its server answers with status 206"),
            "/none": (200, [], "it is of another kind"),
        ]
        let server = try HostileServer { visit in
            let (status, body, _) = answers[visit.request.target] ?? (500, [], "")
            visit.answer(status, ["Content-Type: image/png"], body: body)
        }
        let network = try Self.network(server.url)
        for (path, answer) in answers {
            let reason = Self.reason(await network.picture(at: server.url + path)) ?? ""
            #expect(reason.hasPrefix(answer.2), "\(path): \(reason)")
        }
        server.stop()
    }

    @Test func `A picture without end is ended at eight mebibytes`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
            visit.send(Self.picture)
            visit.sendForever([UInt8](repeating: 0, count: 64 << 10))
        }
        let reason = Self.reason(await (try Self.network(server.url)).picture(at: "\(server.url)/a.png"))
        #expect(reason == "the answer is larger than \(8 << 20) bytes")
        server.stop()
    }

    @Test func `An app may refuse a picture, or bring it by itself`() async throws {
        let server = try HostileServer { $0.answer(body: Self.picture) }
        let address = "\(server.url)/a.png"
        let network = try Self.network(server.url)
        let refusing = network.reviewed { _ in .refuse("not today") }
        #expect(await refusing.picture(at: address) == .failed("not today"))
        let answering = network.reviewed { _ in .answer(status: 200, body: Self.picture, retryAfter: nil) }
        #expect(Self.reason(await answering.picture(at: address)) == nil)
        let missing = network.reviewed { _ in .answer(status: 404, body: Self.picture, retryAfter: nil) }
        #expect(await missing.picture(at: address) == .failed("its server answers with status 404"))
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test func `One address is one fetch, in each of its spellings and for all who show it`() async throws {
        let server = try HostileServer { $0.answer(body: Self.picture) }
        let network = try Self.network(server.url)
        await withTaskGroup { group in
            for name in ["a.png", "%61.png", "b/../a.png", "a.png"] {
                group.addTask { _ = await network.picture(at: "\(server.url)/\(name)") }
            }
        }
        #expect(Set(server.requests.map(\.target)).count == server.requests.count)
        let count = server.requests.count
        _ = await network.picture(at: "\(server.url)/a.png")
        #expect(server.requests.count == count)
        server.stop()
    }
}
