import MemoryStore
import Testing
import WidgetBytes
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: people notice nothing of the number of servers behind an address. Method: two or three services on one catalog and
/// one store of archives, and people each of whose requests goes to any of them.
@Suite struct `What people have begun` {
    /// One person's browser, which reaches another service with each request.
    private final class Person {
        let name: String
        let token: String
        var cookies: [String: String] = [:]
        var isIn = false
        /// The page of an upload that waits, and its version.
        var upload: (place: String, version: String)?

        init(_ name: String, _ token: String) {
            self.name = name
            self.token = token
        }

        func visit<Value>(_ service: Service, _ body: (Visitor) throws -> Value) rethrows -> Value {
            let visitor = Visitor(service)
            for (name, value) in cookies { visitor.set(name, value) }
            defer { cookies = visitor.cookies }
            return try body(visitor)
        }
    }

    private static func version(_ page: WireAnswer, _ version: String) -> Bool {
        page.status == 200 && page.text.contains("\(version)~1")
    }

    @Test func `Signing in, checking and publishing work with each request at another server`() throws {
        let store = try SharedStore()
        let services = try (0..<3).map { _ in try Service(on: store) }
        var next = 0
        func turn() -> Service {
            next += 1
            return services[next % services.count]
        }
        let token = try RightsToken.make(turn(), "desk", "publish", "promote")
        for number in 0..<30 {
            let person = Person("desk", token)
            #expect(try person.visit(turn()) { try $0.signIn(token) }.status == 303)
            #expect(try person.visit(turn()) { try $0.get("/manage") }.status == 200)
            let archive = TestBundle(version: "1.\(number)").archive
            let sent = try person.visit(turn()) { try $0.upload(archive, [("channel", "beta"), ("share", "100")]) }
            let place = try #require(sent.value("Location"))
            #expect(try Self.version(person.visit(turn()) { try $0.get(place) }, "1.\(number)"))
            #expect(try person.visit(turn()) { try $0.post(place, "word=publish&although=true") }.status == 303)
            #expect(try services[number % 3].registry.channel("com.example.Sample", "beta").release == "1.\(number)~1")
        }
    }

    @Test func `A restart signs no person out and loses no upload`() throws {
        let store = try SharedStore()
        var service = try Service(on: store)
        let token = try RightsToken.make(service, "desk", "publish")
        let person = Person("desk", token)
        try person.visit(service) { _ = try $0.signIn(token) }
        let place = try #require(
            try person.visit(service) { try $0.upload(TestBundle().archive, [("channel", "beta"), ("share", "100")]) }
                .value("Location"))
        service = try Service(on: store)
        #expect(try Self.version(person.visit(service) { try $0.get(place) }, "1.0"))
        service = try Service(on: store)
        #expect(try person.visit(service) { try $0.post(place, "word=publish&although=true") }.status == 303)
    }

    /// Requests of people at random servers, which are also replaced, have the outcomes of one server.
    @Test(arguments: 1...12) func `Any order of requests has the outcome of one server`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let store = try SharedStore()
        var services = try (0..<2).map { _ in try Service(on: store) }
        let people = try (0..<3).map { number in
            Person("person\(number)", try RightsToken.make(services[0], "person\(number)", "publish", "promote"))
        }
        var (revoked, published): (Set<String>, Set<String>) = ([], [])
        for step in 0..<40 {
            let place = Int.random(in: services.indices, using: &random)
            let (service, person) = (services[place], people[Int.random(in: people.indices, using: &random)])
            let words = "seed \(seed), step \(step), \(person.name)"
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let status = try person.visit(service) { try $0.signIn(person.token) }.status
                #expect(status == (revoked.contains(person.name) ? 401 : 303), "\(words)")
                if !revoked.contains(person.name) { person.isIn = true }
            case 3, 4:
                #expect(
                    try person.visit(service) { try $0.get("/manage") }.status == (person.isIn ? 200 : 303), "\(words)")
            case 5, 6:
                guard person.upload == nil else { continue }
                let version = "1.\(step)"
                let archive = TestBundle(version: version).archive
                let sent = try person.visit(service) {
                    try $0.upload(archive, [("channel", "beta"), ("share", "100")])
                }
                let wanted = sent.value("Location")?.hasPrefix("/manage/publish/") == true
                #expect(wanted == person.isIn, "\(words): \(sent.status)")
                if wanted, let found = sent.value("Location") { person.upload = (found, version) }
            case 7, 8:
                guard let upload = person.upload else { continue }
                let page = try person.visit(service) { try $0.get(upload.place) }
                #expect(person.isIn ? Self.version(page, upload.version) : page.status == 303, "\(words)")
            case 9:
                guard let upload = person.upload else { continue }
                let answer = try person.visit(service) { try $0.post(upload.place, "word=publish&although=true") }
                guard person.isIn else { continue }
                #expect(answer.value("Location")?.contains("done=publish") == true, "\(words): \(answer.status)")
                published.insert(upload.version)
                person.upload = nil
            case 10:
                try person.visit(service) { _ = try $0.post("/sign-out") }
                person.isIn = false
            default:
                guard Int.random(in: 0..<3, using: &random) == 0 else {
                    services[place] = try Service(on: store)
                    continue
                }
                _ = try service.send("DELETE", "/v1/tokens/\(person.name)")
                revoked.insert(person.name)
                person.isIn = false
            }
        }
        for version in published {
            for service in services {
                #expect(try service.registry.release("com.example.Sample", "\(version)~1").withdrawal == nil)
            }
        }
    }

    @Test func `The administrator of a prefix ends no session of others, and pushes out no upload of theirs`() throws {
        let service = try Service()
        let registry = service.registry
        let owner = Visitor(service)
        try owner.signIn()
        let waiting = try #require(
            try owner.upload(TestBundle().archive, [("channel", "beta"), ("share", "100")]).value("Location"))
        for token in 0..<64 {
            for number in 0..<64 {
                let key = try #require(Digest.sha256(Array("\(token) \(number)".utf8)))
                _ = try registry.beginSession(key, of: Int64(100 + token), prefix: "com.acme.t\(token)")
            }
        }
        #expect(try registry.sessions().count == DeskLimits.sessions)
        #expect(try owner.get("/manage").status == 200)
        for token in 0..<8 {
            let name = try RightsToken.make(service, "t\(token)", "publish", prefix: "com.example.Sample")
            let visitor = Visitor(service)
            try visitor.signIn(name)
            for number in 0..<16 {
                let archive = TestBundle(version: "\(token).\(number)").archive
                #expect(try visitor.upload(archive, [("channel", "beta"), ("share", "100")]).status == 303)
            }
        }
        #expect(try owner.get(waiting).status == 200)
        #expect(try owner.get("/manage").status == 200)
    }

    @Test func `What is published pushes out nothing that waits`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        try visitor.signIn()
        func send(_ version: String) throws -> String {
            // The oldest makes room.
            service.clock.advance(by: .seconds(1))
            return try #require(
                try visitor.upload(TestBundle(version: version).archive, [("channel", "beta"), ("share", "100")])
                    .value("Location"))
        }
        let waiting = try send("9.9")
        for number in 0..<2 * DeskLimits.uploadsOfToken {
            let place = try send("1.\(number)")
            #expect(try visitor.post(place, "word=publish&although=true").status == 303)
        }
        #expect(try visitor.get(waiting).text.contains("9.9~1"))
        // Those that wait are bounded.
        for number in 0..<DeskLimits.uploadsOfToken { _ = try send("2.\(number)") }
        #expect(try visitor.get(waiting).status == 404)
    }

    @Test func `Signing in is a write, signing out with a made-up name writes nothing, and guesses lock no one out`()
        throws
    {
        let service = try Service()
        service.knobs.withLock { $0.access.writesPerMinute = 3 }
        service.knobs.withLock { $0.access.failuresPerMinute = 9 }
        func commits() -> UInt64 { service.registry.figures[.commit].counts.last ?? 0 }
        let before = commits()
        for number in 0..<9 {
            let stranger = Visitor(service)
            stranger.set("session", String(repeating: "\(number)", count: 64))
            #expect(try stranger.post("/sign-out").status == 303)
            #expect(try stranger.signIn("wdg_guess").status == 401)
        }
        #expect(commits() == before)
        for _ in 0..<3 { #expect(try Visitor(service).signIn().status == 303) }
        let fourth = try Visitor(service).signIn()
        #expect(fourth.status == 429 && fourth.value("Retry-After") != nil)
        #expect(commits() > before)
    }

    @Test func `The session that makes room for a 65th of its token is over at once`() throws {
        let service = try Service()
        let token = try RightsToken.make(service, "desk", "publish")
        let first = Visitor(service)
        try first.signIn(token)
        for _ in 0..<DeskLimits.sessionsOfToken {
            #expect(try first.get("/manage").status == 200)
            service.clock.advance(by: .seconds(1))
            try Visitor(service).signIn(token)
        }
        #expect(try first.get("/manage").status == 303)
    }

    @Test func `A session whose token of the settings was replaced is over`() throws {
        let service = try Service()
        let visitor = Visitor(service)
        try visitor.signIn()
        #expect(try visitor.get("/manage").status == 200)
        service.knobs.withLock { $0.access.adminToken = Secret("another-token-of-more-than-thirty-two-letters") }
        #expect(try visitor.get("/manage").status == 303)
    }
}
