import HTTPWire
import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetHTTPServer
import WidgetRegistry
import WidgetTestSupport

@testable import RegistryServer

/// Goal: the description of the interface is the interface. Method: it is held against the routes that are served,
/// and real answers against it.
@Suite struct `The contract` {
    private static func served() throws -> JSONValue {
        try JSONValue(parsing: try ServedRegistry().get("/openapi.json").body)
    }

    @Test func `The contract describes every route that is served, and no other`() throws {
        let routes = try Service().service.publicRoutes().listing.map { "\($0.method.name) \($0.template)" }
        let described = Contract.routes.map { "\($0.method.name) \($0.template)" }
        let forPeople = ManageRoutes.templates + FormerPages.templates + ["GET /assets/gallery/{name}"]
        #expect(Set(routes).subtracting(described).sorted() == forPeople.sorted(), "served, but not described")
        #expect(Set(described).subtracting(routes).sorted().isEmpty, "described, but not served")
        #expect(described.count == Set(described).count)
    }

    @Test func `The contract is served as it is described`() throws {
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

    /// `/live` is a route of widgets that run.
    @Test func `A path of a public address begins like no path of the registry`() throws {
        let firsts = try Service().service.publicRoutes().listing.compactMap {
            $0.template.split(separator: "/").first.map { String($0).replacing("(", with: "") }
        }
        #expect(RegistryService.firstSegments == Set(firsts).union(["live"]))
    }

    /// A change of the interface is a change of this file, which reviewers see. `curl …/openapi.json` writes it anew.
    @Test func `The contract changes only together with its copy in the corpus`() throws {
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

    @Test func `The contract names all scopes and kinds of change`() {
        #expect(TokenDocument.scopeWords == Token.Scope.allCases.map(\.rawValue))
        let kinds = ChangeDocument.members.first { $0.name == "kind" }?.schema
        guard case .word(let words)? = kinds else {
            Issue.record("the kind of a change is not a word")
            return
        }
        for word in words { #expect(RegistryChange.Kind(rawValue: word) != nil) }
        #expect(words.count == 7)
    }

    @Test(arguments: ProblemCode.allCases) func `The contract gives every problem a status that the engine can send`(
        _ code: ProblemCode
    ) {
        #expect(Status(rawValue: code.status) == code.httpStatus)
    }

    @Test func `The contract holds for the problems that the engine writes`() throws {
        let served = try ServedRegistry()
        let answer = try served.get("/v1/widgets/com.example.Sample?bucket=x")
        let problem: ProblemDocument = try JSONDocument(parsing: answer.body).cursor.decode()
        #expect(problem.code == .malformedRequest && problem.status == 400)
        #expect(problem.title == ProblemCode.malformedRequest.title && !problem.instance.isEmpty)
        #expect(problem.detail == "The parameter bucket has to be a number from 0 to 9999, not \u{201C}x\u{201D}.")
        #expect(problem.bytes == answer.body)
    }

    @Test func `The contract gives every operation a different name`() {
        #expect(Set(Contract.routes.map(\.name)).count == Contract.routes.count)
    }

    @Test func `The contract knows every variable part of a path`() {
        for route in Contract.routes {
            let known = route.pathParameterNames.compactMap(ParameterDescription.path).map(\.name)
            #expect(known == route.pathParameterNames, "\(route.template)")
        }
    }

    @Test func `The contract leads to no missing part`() throws {
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
    func `The contract shows an example that fits each document`(_ name: String) throws {
        let described = try #require(WireDocuments.all.filter { $0.documentName == name }.first)
        #expect(WireDocuments.all.filter { $0.documentName == name }.count == 1)
        let document = try Self.served()
        let schema = try #require(document["components"]?["schemas"]?[name])
        #expect(schema["description"]?.string == described.about)
        let example = try #require(schema["examples"]?.array?.first)
        #expect(SchemaCheck(document: document).complaints(example, schema) == [])
    }

    @Test func `The contract holds for real answers`() throws {
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
    func `The contract holds for the documents about the server itself`(_ path: String) throws {
        let contract = try Self.served()
        let schema = try #require(
            contract["paths"]?[path]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?["schema"])
        let answer = try Service(limits: [("upload", 1)]).get(path)
        #expect(SchemaCheck(document: contract).complaints(try JSONValue(parsing: answer.body), schema) == [])
    }

    @Test func `The check of the contract notices a missing, foreign or mistyped member`() throws {
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

/// Checks JSON values against the part of JSON Schema that the contract uses, strictly: a member that no schema names
/// is a complaint too.
struct SchemaCheck {
    let document: JSONValue

    /// The rules that a value breaks, each with its path.
    func complaints(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return ["\(path): nothing is called \(reference)"] }
            return complaints(value, target, at: path)
        }
        let types = schema["type"]?.array?.compactMap(\.string) ?? [schema["type"]?.string ?? "any"]
        guard types.contains(SchemaCheck.type(of: value)) else {
            return ["\(path): is \(SchemaCheck.type(of: value)), not \(types.joined(separator: " or "))"]
        }
        if let text = value.string { return self.text(text, schema, path) }
        if let number = value.integer { return self.number(number, schema, path) }
        if let elements = value.array { return list(elements, schema, path) }
        if let object = value.object { return self.object(object, schema, path) }
        return []
    }

    func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(document as JSONValue?) { $0?[String($1)] }
    }

    private static func type(of value: JSONValue) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: "boolean"
        case .number: value.integer == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    private func text(_ text: String, _ schema: JSONValue, _ path: String) -> [String] {
        var complaints: [String] = []
        if let pattern = schema["pattern"]?.string {
            let matches = (try? Regex(pattern).matchingSemantics(.unicodeScalar).wholeMatch(in: text)) ?? nil
            if matches == nil { complaints.append("\(path): \(text) is not like \(pattern)") }
        }
        if let most = schema["maxLength"]?.integer, text.unicodeScalars.count > most {
            complaints.append("\(path): is longer than \(most)")
        }
        if let words = schema["enum"]?.array?.compactMap(\.string), !words.contains(text) {
            complaints.append("\(path): \(text) is not one of \(words)")
        }
        if schema["format"]?.string == "date-time", text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil {
            complaints.append("\(path): \(text) is not a time")
        }
        return complaints
    }

    private func number(_ number: Int64, _ schema: JSONValue, _ path: String) -> [String] {
        let low = schema["minimum"]?.integer ?? .min
        let high = schema["maximum"]?.integer ?? .max
        return number >= low && number <= high ? [] : ["\(path): \(number) is not in \(low)...\(high)"]
    }

    private func list(_ elements: [JSONValue], _ schema: JSONValue, _ path: String) -> [String] {
        guard let items = schema["items"] else { return ["\(path): the schema says nothing of elements"] }
        var complaints = elements.enumerated().flatMap { self.complaints($1, items, at: "\(path)[\($0)]") }
        if let least = schema["minItems"]?.integer, elements.count < least { complaints.append("\(path): too short") }
        if let most = schema["maxItems"]?.integer, elements.count > most { complaints.append("\(path): too long") }
        return complaints
    }

    private func object(_ object: JSONObject, _ schema: JSONValue, _ path: String) -> [String] {
        let properties = schema["properties"]?.object
        var complaints: [String] = []
        for member in object.members {
            if let known = properties?[member.name] {
                complaints += self.complaints(member.value, known, at: "\(path).\(member.name)")
            } else if let other = schema["additionalProperties"], other.object != nil {
                complaints += self.complaints(member.value, other, at: "\(path).\(member.name)")
            } else {
                complaints.append("\(path).\(member.name): the contract knows no such member")
            }
        }
        for name in schema["required"]?.array?.compactMap(\.string) ?? [] where object[name] == nil {
            complaints.append("\(path).\(name): is missing")
        }
        return complaints
    }
}
