import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetTestSupport

@testable import RegistryServer

/// Goal: what the document says of a request is what the server does with it. Method: values are held against the schemas,
/// and sent; `Tests/Contract/run` does the same with many more.
@Suite struct `OpenAPI says what the server does` {
    private let service: Service
    private let document: JSONValue
    private let check: SchemaCheck

    init() throws {
        service = try Service()
        service.knobs.withLock { $0.access.isRateLimited = false }
        document = try JSONValue(parsing: try service.get("/openapi.json").body)
        check = SchemaCheck(document: document)
    }

    private func operation(_ name: String) throws -> JSONValue {
        for path in document["paths"]?.object?.members ?? [] {
            for operation in path.value.object?.members ?? [] where operation.value["operationId"]?.string == name {
                return operation.value
            }
        }
        throw MatrixOperation.Unknown(description: "no operation \(name)")
    }

    private func parameter(_ operation: String, _ name: String) throws -> JSONValue {
        try #require(try self.operation(operation)["parameters"]?.array?.first { $0["name"]?.string == name })
    }

    private func schema(_ name: String) throws -> JSONValue {
        try #require(document["components"]?["schemas"]?[name])
    }

    private func allows(_ schema: JSONValue, _ json: String) throws -> Bool {
        check.complaints(try JSONValue(parsing: Array(json.utf8)), schema).isEmpty
    }

    @Test func `at each place OPTIONS names the methods that are described there`() throws {
        for path in document["paths"]?.object?.members ?? [] {
            let target = path.name.replacing(/\{\w+\}/, with: "x")
            let answer = try service.get(target, method: "OPTIONS")
            let allowed = Set((answer.value("Allow") ?? "").split(separator: ",").map { $0.filter { $0 != " " } })
            var described = Set((path.value.object?.members ?? []).map { $0.name.uppercased() } + ["OPTIONS"])
            if described.contains("GET") { described.insert("HEAD") }
            #expect(allowed == described, "\(path.name)")
        }
    }

    @Test func `setting a channel takes either condition, and refuses the lack of both with 428`() throws {
        let operation = try operation("setChannel")
        for name in ["If-Match", "If-None-Match"] {
            #expect(try parameter("setChannel", name)["required"] == nil)
        }
        #expect(operation["responses"]?["428"]?["x-problems"]?.array?.first?.string == "precondition-required")
        let path = "/v1/bundles/com.example.Sample/channels/new"
        let body = #"{"release":"1.0~1"}"#
        try #require(try service.send("POST", "/v1/bundles", TestBundle().archive).status == 201)
        #expect(try service.send("PUT", path, body).status == 428)
        #expect(try service.send("PUT", path, body, "If-None-Match: *\r\n").status == 200)
    }

    /// Numbers are written as queries have them.
    private static let values = [
        "", "0", "1", "-1", "200", "201", "1000", "1001", "9999", "10000", "9223372036854775807", "9223372036854775808",
        "99999999999999999999", "true", "false", "force", "latest", "x", "stable", "-stable", "a.b", "a", "a.b-",
        "a..b",
        "A.b-c.d9",
        "312e30", "312e3", "1f30", "80", "7f30", "312E30", "a b", "1.0+2_3-4", "%C3%A9",
        String(repeating: "a", count: 64),
        String(repeating: "a", count: 65), "a.\(String(repeating: "b", count: 153))",
        "a.\(String(repeating: "b", count: 154))", String(repeating: "30", count: 512),
        String(repeating: "30", count: 513), String(repeating: "q", count: 256), String(repeating: "q", count: 257),
        String(repeating: "0", count: 64), String(repeating: "g", count: 64),
    ]

    @Test func `queries of reading take exactly the values that their schemas describe`() throws {
        var count = (allowed: 0, refused: 0)
        for operation in MatrixOperation.all(of: document) where operation.isReading {
            for name in operation.queryNames {
                let schema = try #require(try parameter(operation.name, name)["schema"])
                for value in Self.values {
                    let target = operation.path.replacing("{key}", with: "1~1").replacing(/\{\w+\}/, with: "no.such")
                    let answer = try service.get("\(target)?\(name)=\(value.replacing(" ", with: "%20"))")
                    // A parameter that may be repeated is a list of values; each is tried.
                    let alternatives = schema["anyOf"]?.array ?? [schema["items"] ?? schema]
                    let isDigits = !value.isEmpty && value.allSatisfy(\.isNumber)
                    let text = value.replacing("%C3%A9", with: "\u{E9}")
                    // Schemas say nothing of leading zeros.
                    let hasNumber = alternatives.contains { $0["type"]?.string == "integer" }
                    if hasNumber, isDigits, value.count > 1, value.first == "0" { continue }
                    let isAllowed = try alternatives.contains { schema in
                        schema["type"]?.string == "integer"
                            ? try isDigits && value.count < 100 && allows(schema, value)
                            : try allows(schema, "\"\(text)\"")
                    }
                    // Nor of where the changes of this registry end.
                    let isTaken = answer.status != 400 || answer.text.contains("is beyond the last change")
                    #expect(isTaken == isAllowed, "\(operation.name): \(name)=\(value): \(answer.text)")
                    if isAllowed { count.allowed += 1 } else { count.refused += 1 }
                }
            }
        }
        #expect(count.allowed > 100 && count.refused > 100)
    }

    @Test func `the cursor of changes is described, and what the last event wins over is read nevertheless`() throws {
        #expect(try parameter("listChanges", "cursor")["schema"]?["minimum"]?.integer == 0)
        #expect(try parameter("listChanges", "since")["schema"]?["anyOf"]?.array?.first?["maximum"]?.integer == .max)
        #expect(try service.get("/v1/changes?since=-1", "Last-Event-ID: 5\r\n").status == 400)
        #expect(try service.get("/v1/changes?cursor=3", "Last-Event-ID: 0\r\n").status == 200)
    }

    @Test(arguments: ["ChannelSetting", "Rollback", "TokenRequest", "Withdraw"])
    func `documents of requests have the members of their schemas and no others`(_ name: String) throws {
        let schema = try schema(name)
        #expect(schema["additionalProperties"]?.boolean == false)
        #expect(try !allows(schema, #"{"surplus":1}"#))
        let example = try #require(schema["examples"]?.array?.first?.object)
        let all = WireDocuments.all.filter { $0 is any WireRequest.Type }.map { $0.documentName }
        #expect(all == ["ChannelSetting", "Rollback", "Withdraw", "TokenRequest"])
        let members = example.members + [JSONObject.Member("surplus", JSONValue(.null))]
        var writer = JSONWriter()
        writer.value(JSONValue(.object(try #require(JSONObject(members)))))
        let bundle = "/v1/bundles/com.example.Sample"
        let (method, path) =
            switch name {
            case "ChannelSetting": ("PUT", "\(bundle)/channels/stable")
            case "Rollback": ("POST", "\(bundle)/channels/stable/rollback")
            case "Withdraw": ("DELETE", "\(bundle)/releases/1.0~1")
            default: ("POST", "/v1/tokens")
            }
        let answer = try service.send(method, path, writer.finish(), "If-Match: \"x\"\r\n")
        #expect(answer.status == 400 && answer.text.contains("surplus"), "\(answer.text)")
    }

    @Test(arguments: [
        #""90d""#, #""1m""#, #""99999w""#, #""2999-12-31T23:59:59Z""#, "null", #""90""#, #""d""#, #""tomorrow""#,
        #""""#,
        #""2999-12-31""#, #""2999-13-01T00:00:00Z""#, #""2999-12-31T24:00:00Z""#, #""2999-12-31T00:00:00+01:00""#, "90",
    ])
    func `a token expires at the times that the schema describes`(_ expires: String) throws {
        let body = #"{"name":"brief","scopes":["read"],"expires":\#(expires)}"#
        let answer = try service.send("POST", "/v1/tokens", body)
        #expect((answer.status == 201) == (try allows(try schema("TokenRequest"), body)), "\(answer.text)")
    }

    @Test(arguments: [
        "", "ci", "-ci", "c i", "c/i", ".", String(repeating: "c", count: 64), String(repeating: "c", count: 65),
    ])
    func `a token has the names that the schema describes, in bodies and in paths`(_ name: String) throws {
        let body = #"{"name":"\#(name)","scopes":["read"]}"#
        let isAllowed = try service.send("POST", "/v1/tokens", body).status == 201
        #expect(isAllowed == (try allows(try schema("TokenRequest"), body)))
        let inPath = try #require(try parameter("revokeToken", "name")["schema"])
        #expect(isAllowed == (try allows(inPath, "\"\(name)\"")))
    }

    @Test(arguments: ["", "com", "com.acme", "com.acme.", ".com", "com..acme", "com-", "c_m", "com.acme-x.y"])
    func `a token has the prefixes that the schema describes, and one scope at least`(_ prefix: String) throws {
        let body = #"{"name":"ci","prefix":"\#(prefix)","scopes":["read"]}"#
        let answer = try service.send("POST", "/v1/tokens", body)
        #expect((answer.status == 201) == (try allows(try schema("TokenRequest"), body)), "\(answer.text)")
        let none = body.replacing(#"["read"]"#, with: "[]")
        #expect(try service.send("POST", "/v1/tokens", none).status == 400)
        #expect(try !allows(try schema("TokenRequest"), none))
    }

    @Test func `a reason is a line, in each character that the schema describes`() throws {
        let parameter = try parameter("withdraw", "reason")
        let pattern = try Regex(try #require(parameter["schema"]?["pattern"]?.string)).matchingSemantics(.unicodeScalar)
        for value in UInt32(0)..<0x1_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            let isLine = (try? WithdrawOptions.reason.value(of: text)) != nil
            #expect((text.wholeMatch(of: pattern) != nil) == isLine, "U+\(String(value, radix: 16))")
        }
        let limit = try #require(parameter["schema"]?["maxLength"]?.integer)
        let longest = String(repeating: "\u{E9}", count: Int(limit))
        #expect((try? WithdrawOptions.reason.value(of: longest)) != nil)
        #expect((try? WithdrawOptions.reason.value(of: longest + "x")) == nil)
    }

    @Test(arguments: ["Content-Digest", "Repr-Digest"])
    func `a digest is of the form that the schema describes`(_ name: String) throws {
        let schema = try #require(try parameter("publish", name)["schema"])
        let archive = TestBundle().archive
        let digest = "sha-256=:\(Digest.sha256(archive)?.base64 ?? ""):"
        #expect(try allows(schema, "\"\(digest)\""))
        #expect(try service.send("POST", "/v1/bundles?dryRun=true", archive, "\(name): \(digest)\r\n").status == 200)
        for wrong in ["", "x", "sha-256=abc", "sha-256=:abc:"] {
            #expect(try !allows(schema, "\"\(wrong)\""))
            #expect(try service.send("POST", "/v1/bundles?dryRun=true", archive, "\(name): \(wrong)\r\n").status == 400)
        }
    }

    @Test func `a whole number is one however it is written`() throws {
        try #require(try service.send("POST", "/v1/bundles", TestBundle().archive).status == 201)
        let path = "/v1/bundles/com.example.Sample/channels/beta"
        for (rollout, status) in [("2500.0", 200), ("25e2", 200), ("2500.5", 400), ("1e400", 400)] {
            let body = #"{"release":"1.0~1","rollout":\#(rollout)}"#
            _ = try service.send("DELETE", path)
            let condition = try service.get(path).value("ETag").map { "If-Match: \($0)\r\n" } ?? "If-None-Match: *\r\n"
            let answer = try service.send("PUT", path, body, condition)
            #expect(answer.status == status, "\(rollout): \(answer.status) \(answer.text)")
        }
    }

    @Test func `each operation names 400, which a malformed target gives everywhere`() throws {
        for operation in MatrixOperation.all(of: document) {
            #expect(operation.problems["400"]?.contains("malformed-request") == true, "\(operation.name)")
            let target = operation.path.replacing(/\{\w+\}/, with: "%zz")
            let answer = try service.get("\(target)?a=%zz", method: operation.method)
            #expect(answer.status == 400, "\(operation.name): \(answer.status)")
        }
    }
}
