import JSONText
import RegistryServer
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

/// A service with a token for each publisher.
struct RightsService {
    let service: Service
    static let bundle = "com.acme.Clock"

    init(review: any BundleReview = NoReview()) throws { service = try Service(review: review) }

    /// A token, by its name.
    func token(_ name: String, _ scopes: String..., channels: [String] = [], prefix: String = "") throws -> String {
        let answer = try create(name, scopes, channels: channels, prefix: prefix)
        try #require(answer.status == 201, "\(answer.text)")
        return try JSONDocument(parsing: answer.body).cursor.require("token")
    }

    func create(
        _ name: String, _ scopes: [String], channels: [String] = [], prefix: String = "",
        by maker: String = Service.admin
    ) throws -> WireAnswer {
        let list = { (words: [String]) in "[\(words.map { "\"\($0)\"" }.joined(separator: ", "))]" }
        let limit = channels.isEmpty ? "" : ", \"channels\": \(list(channels))"
        return try service.send(
            "POST", "/v1/tokens",
            "{\"name\": \"\(name)\", \"scopes\": \(list(scopes)), \"prefix\": \"\(prefix)\"\(limit)}", token: maker)
    }

    /// A token that was made before `publish` and `promote` were distinguished.
    func earlierToken(_ name: String, _ scopes: Set<Token.Scope>) throws -> String {
        let secret = "an-earlier-token-of-\(name)-with-some-length"
        _ = try service.registry.createToken(
            Token(name: name, prefix: "", scopes: scopes, created: 0, keepsEarlierRights: true),
            digest: try #require(TokenText.digest(secret)), by: "x")
        try service.access.reload()
        return secret
    }

    /// - Parameter files: further files of the bundle.
    static func archive(
        _ version: String, of bundle: String = bundle, build: String = "1", _ files: [(String, [UInt8])] = []
    ) -> [UInt8] {
        ZipForge(
            [
                .init(
                    "Clock.bundle/Info.plist",
                    "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>\(bundle)</string>"
                        + "<key>CFBundleShortVersionString</key><string>\(version)</string>"
                        + "<key>CFBundleVersion</key><string>\(build)</string></dict></plist>"),
                .init("Clock.bundle/a.json", "[\"\(version)\"]"),
            ] + files.map { ZipForge.Entry(Array("Clock.bundle/\($0.0)".utf8), $0.1) }
        ).build().bytes
    }

    func publish(
        _ version: String, _ query: String = "", token: String = Service.admin, of bundle: String = bundle,
        build: String = "1"
    ) throws -> WireAnswer {
        try service.send("POST", "/v1/bundles?\(query)", Self.archive(version, of: bundle, build: build), token: token)
    }

    func channel(_ name: String) throws -> WireAnswer {
        try service.get("/v1/bundles/\(Self.bundle)/channels/\(name)")
    }

    /// The release that a channel shows; `nil` if the channel does not exist.
    func shown(_ name: String) throws -> String? { try JSONValue(parsing: channel(name).body)["release"]?.string }

    func change(
        _ method: String, _ channel: String, _ body: String = "", match: String = "*", token: String
    ) throws -> WireAnswer {
        try service.send(
            method, "/v1/bundles/\(Self.bundle)/channels/\(channel)", body,
            match.isEmpty ? "" : "If-Match: \(match)\r\n",
            token: token)
    }

    func withdraw(_ key: String, token: String = Service.admin) throws -> WireAnswer {
        try service.send("DELETE", "/v1/bundles/\(Self.bundle)/releases/\(key)?reason=x", token: token)
    }

    func restore(_ key: String, token: String) throws -> WireAnswer {
        try service.send("POST", "/v1/bundles/\(Self.bundle)/releases/\(key)/restore", token: token)
    }

    /// Expects a refusal that says what was wanted, of which token, and what to do, both of the act and of its rehearsal.
    func expectRefusal(
        _ version: String, _ query: String = "", token: String, _ words: String...,
        location: SourceLocation = #_sourceLocation
    ) throws {
        for isRehearsal in [true, false] {
            let answer = try publish(version, isRehearsal ? "\(query)&dryRun=true" : query, token: token)
            #expect(
                answer.status == 403 && answer.problemCode == "forbidden", "\(answer.text)", sourceLocation: location)
            for word in words { #expect(answer.text.contains(word), "\(answer.text)", sourceLocation: location) }
        }
        #expect(
            try service.get("/v1/bundles/\(Self.bundle)/releases/\(version)~1").status == 404, sourceLocation: location)
        #expect(service.stagedNames == 0, sourceLocation: location)
    }
}
