import Bytes
import HTTPServer
import HTTPWire
import JSONText
import Registry
import RegistryContract
import TestSupport
import Testing

@testable import RegistryServer

/// Goal: the description of the interface is the interface. Method: it is held against the routes that are served,
/// and real answers against it.
@Suite struct `The contract` {
    private static func served() throws -> JSONValue {
        try JSONValue(parsing: try ServedRegistry().get("/openapi.json").body)
    }

    @Test func `describes every route that is served, and no other`() throws {
        let routes = try Service().service.publicRoutes().listing.map { "\($0.method.name) \($0.template)" }
        let described = Contract.routes.map { "\($0.method.name) \($0.template)" }
        #expect(Set(routes).subtracting(described).sorted().isEmpty, "served, but not described")
        #expect(Set(described).subtracting(routes).sorted().isEmpty, "described, but not served")
        #expect(described.count == Set(described).count)
    }

    @Test func `is written down as it is described`() throws {
        let document = try Self.served()
        #expect(document["openapi"]?.string == "3.1.0")
        let paths = try #require(document["paths"]?.object)
        var count = 0
        for path in paths.members { count += path.value.object?.members.count ?? 0 }
        #expect(count == Contract.routes.count)
        for route in Contract.routes {
            let written = paths[route.path]?[route.method.name.lowercased()]
            #expect(written?["operationId"]?.string == route.name)
        }
    }

    /// A change of the interface is a change of this file, which reviewers see. `curl …/openapi.json` writes it anew.
    @Test func `changes only together with its copy in the corpus`() throws {
        let kept = try #require(Corpus.files(in: "contract").first { $0.name == "openapi.json" })
        let (old, new) = (try JSONValue(parsing: kept.bytes), try Self.served())
        #expect(Self.differences(old, new, at: "$") == [])
    }

    private static func differences(_ old: JSONValue, _ new: JSONValue, at path: String) -> [String] {
        if let old = old.object, let new = new.object {
            let names = Set(old.members.map(\.name) + new.members.map(\.name))
            return names.sorted().flatMap { name in
                guard let before = old[name], let after = new[name] else { return ["\(path).\(name)"] }
                return differences(before, after, at: "\(path).\(name)")
            }
        }
        if let old = old.array, let new = new.array, old.count == new.count {
            return zip(old, new).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
        }
        return old == new ? [] : [path]
    }

    @Test func `names the scopes and the kinds of change that there are`() {
        #expect(TokenDocument.scopeWords == Token.Scope.allCases.map(\.rawValue))
        let kinds = ChangeDocument.members.first { $0.name == "kind" }?.schema
        guard case .word(let words)? = kinds else {
            Issue.record("the kind of a change is no word")
            return
        }
        for word in words { #expect(RegistryChange.Kind(rawValue: word) != nil) }
        #expect(words.count == 6)
    }

    @Test(arguments: ProblemCode.allCases) func `gives every problem a status that the engine can send`(
        _ code: ProblemCode
    ) {
        #expect(Status(rawValue: code.status) == code.httpStatus)
    }

    @Test func `is kept by the problems that the engine writes`() throws {
        let served = try ServedRegistry()
        let answer = try served.get("/v1/widgets/com.example.Sample?bucket=x")
        let problem: ProblemDocument = try JSONDocument(parsing: answer.body).cursor.decode()
        #expect(problem.code == .malformedRequest && problem.status == 400)
        #expect(problem.title == ProblemCode.malformedRequest.title && !problem.instance.isEmpty)
        #expect(problem.detail == "The parameter bucket has to be a number from 0 to 9999, not \u{201C}x\u{201D}.")
        #expect(problem.bytes == answer.body)
    }

    @Test func `gives every operation a name of its own`() {
        #expect(Set(Contract.routes.map(\.name)).count == Contract.routes.count)
    }

    @Test func `knows every variable part of a path`() {
        for route in Contract.routes {
            let known = route.pathParameterNames.compactMap(ParameterDescription.path).map(\.name)
            #expect(known == route.pathParameterNames, "\(route.template)")
        }
    }

    @Test func `leads nowhere that is not there`() throws {
        let document = try Self.served()
        let check = SchemaCheck(document: document)
        var pending = [document]
        var count = 0
        while let value = pending.popLast() {
            if let reference = value["$ref"]?.string {
                count += 1
                #expect(check.resolve(reference) != nil, "\(reference)")
            }
            pending += value.array ?? value.object?.members.map(\.value) ?? []
        }
        #expect(count > 50)
    }

    @Test(arguments: WireDocuments.all.map { $0.documentName })
    func `shows an example of each document that is one`(_ name: String) throws {
        let described = try #require(WireDocuments.all.filter { $0.documentName == name }.first)
        #expect(WireDocuments.all.filter { $0.documentName == name }.count == 1)
        let document = try Self.served()
        let schema = try #require(document["components"]?["schemas"]?[name])
        #expect(schema["description"]?.string == described.about)
        let example = try #require(schema["examples"]?.array?.first)
        #expect(SchemaCheck(document: document).complaints(example, schema) == [])
    }

    @Test func `is kept by real answers`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(files: [("gone.json", Array("[0]".utf8))]))
        let second = try served.publish(TestBundle(version: "1.1", minimumOS: "10.0"), rollout: 2_500)
        try served.publish(TestBundle(version: "1.1"), to: "dev")
        try served.publish(TestBundle(identifier: "org.other.Thing"))
        let bundle = "/v1/bundles/com.example.Sample"
        let release = "\(bundle)/releases/1.1~1"
        let answers: [(String, String)] = [
            ("/v1/widgets/com.example.Sample", "/v1/widgets/{widgetIdentifier}"), ("/v1/bundles", "/v1/bundles"),
            ("/v1/bundles?limit=1", "/v1/bundles"),
            (bundle, "/v1/bundles/{id}"), ("\(bundle)/channels", "/v1/bundles/{id}/channels"),
            ("\(bundle)/channels/stable", "/v1/bundles/{id}/channels/{channel}"),
            ("\(bundle)/releases", "/v1/bundles/{id}/releases"), (release, "/v1/bundles/{id}/releases/{key}"),
            ("\(release)/report", "/v1/bundles/{id}/releases/{key}/report"),
            ("\(release)/files", "/v1/bundles/{id}/releases/{key}/files"),
            ("\(bundle)/releases/1.0~1/diff/1.1~1", "/v1/bundles/{id}/releases/{key}/diff/{otherKey}"),
            ("/v1/changes", "/v1/changes"), ("/v1/changes?limit=1", "/v1/changes"),
        ]
        let contract = try Self.served()
        func check(_ path: String, _ template: String, status: Int = 200) throws {
            let answer = try served.get(path)
            try #require(answer.status == status, "\(path): \(answer.text)")
            let responses = contract["paths"]?[template]?["get"]?["responses"]
            let mediaType = status == 200 ? "application/json" : "application/problem+json"
            let schema = try #require(responses?[String(status)]?["content"]?[mediaType]?["schema"], "\(path)")
            let complaints = SchemaCheck(document: contract).complaints(try JSONValue(parsing: answer.body), schema)
            #expect(complaints == [], "\(path)")
            guard status >= 400 else { return }
            let codes = responses?[String(status)]?["x-problems"]?.array?.compactMap(\.string) ?? []
            #expect(codes.contains(answer.problemCode ?? ""), "\(path): \(answer.problemCode ?? "")")
        }
        for (path, template) in answers { try check(path, template) }
        try served.withdraw(second)
        try check("\(bundle)/releases", "/v1/bundles/{id}/releases")
        try check("/v1/changes", "/v1/changes")
        for (path, template) in answers where path.hasPrefix(release) { try check(path, template, status: 410) }
        try check("/v1/widgets/no.such.Widget", "/v1/widgets/{widgetIdentifier}", status: 404)
        try check("/v1/widgets/com.example.Sample?pin=a.b", "/v1/widgets/{widgetIdentifier}", status: 409)
        try check("/v1/widgets/com.example.Sample?bucket=x", "/v1/widgets/{widgetIdentifier}", status: 400)
        try check("/v1/bundles/no.such", "/v1/bundles/{id}", status: 404)
        try check("/v1/blobs/sha256/x", "/v1/blobs/sha256/{hex}", status: 404)
        try check("/v1/blobs/sha256/\(second.digest.hex)", "/v1/blobs/sha256/{hex}", status: 410)
    }

    @Test(arguments: ["/.well-known/widget-registry", "/livez", "/readyz"])
    func `is kept by what the server says of itself`(_ path: String) throws {
        let contract = try Self.served()
        let schema = try #require(
            contract["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"])
        let answer = try Service(limits: [("upload", 1)]).get(path)
        #expect(SchemaCheck(document: contract).complaints(try JSONValue(parsing: answer.body), schema) == [])
    }

    @Test func `would notice what does not belong`() throws {
        let contract = try Self.served()
        let schema = try #require(contract["components"]?["schemas"]?["Withdrawal"])
        let check = SchemaCheck(document: contract)
        func complaints(_ text: String) throws -> Int {
            check.complaints(try JSONValue(parsing: Array(text.utf8)), schema).count
        }
        #expect(try complaints(#"{"at":"2026-11-22T08:30:00Z","reason":"x"}"#) == 0)
        #expect(try complaints(#"{"at":"2026-11-22T08:30:00Z"}"#) == 1)
        #expect(try complaints(#"{"at":"yesterday","reason":1}"#) == 2)
        #expect(try complaints(#"{"at":"2026-11-22T08:30:00Z","reason":"x","more":1}"#) == 1)
        #expect(try complaints("[]") == 1)
    }
}
