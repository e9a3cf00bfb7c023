import JSONText
import Testing
import WidgetBytes
import WidgetCore
import WidgetPredicates
import WidgetRunning

@testable import WidgetHosting

/// Goal: answers become sample data, and what is secret or personal does not. Method: answers of a scripted network, and the
/// description that was made of them.
@Suite struct `A recording of answers` {
    private let written = Guarded(0)

    private func masked(_ text: String) throws -> String {
        let limits = JSONLimits(byteCount: 4 << 20, depth: 512)
        var mask = AnswerMask()
        var writer = JSONWriter()
        writer.value(mask.masked(try JSONValue(parsing: Array(text.utf8), limits: limits)))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"accessToken":"aB3-z"}"#, #"{"accessToken":"xX1-x"}"#),
        (#"{"api_key":"k9","Password":"Été 7"}"#, #"{"api_key":"x1","Password":"Xxx 1"}"#),
        (
            #"{"session":{"id":4711,"ok":true,"none":null,"rate":-2.5}}"#,
            #"{"session":{"id":1111,"ok":true,"none":null,"rate":-1.1}}"#
        ),
        (#"{"cookies":["ab","cd","ab"]}"#, #"{"cookies":["xx","xy","xx"]}"#),
        (#"{"email":"ann@example.org"}"#, #"{"email":"xxx@xxxxxxx.xxx"}"#),
        (#"{"birthDate":"1990-02-03","zipCode":1010}"#, #"{"birthDate":"1111-11-11","zipCode":1111}"#),
        (#"{"user":{"name":"Ann"},"users":[{"name":"Bob"}]}"#, #"{"user":{"name":"Xxx"},"users":[{"name":"Xxy"}]}"#),
        (#"{"name":"Ann","mail":"a@b.org"}"#, #"{"name":"Xxx","mail":"x@x.xxx"}"#),
        (#"{"firstname":"Ann","authorName":"Bob"}"#, #"{"firstname":"Xxx","authorName":"Xxy"}"#),
        (#"{"homePhone":"+43 660 1","ibanCode":"AT61"}"#, #"{"homePhone":"+11 111 1","ibanCode":"XX11"}"#),
    ]) func `Members with names of secrets and of people get placeholders of their shape`(
        answer: String, shown: String
    ) throws { #expect(try masked(answer) == shown) }

    @Test(arguments: [
        "write to ann@example.org soon", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "0123456789abcdef0123456789abcdef",
        "https://h.example/p?access_token=abc123&x=1", "https://h.example/0123456789abcdef0123456789abcdef/a",
        "dGhpcyBpcyBhIGxvbmcgc2VjcmV0IHRleHQ+MTIzNDU2Nzg5MA==", "ghp_0123456789abcdefghijABCDEFGHIJ0123",
    ]) func `Parts of texts that look like secrets get placeholders, wherever they are`(text: String) throws {
        for secret in text.split(whereSeparator: { "?&/ =".contains($0) }) where secret.contains(/[@]|\d{3}|eyJ|dGhp/) {
            for document in [#"{"note":"\#(text)"}"#, #"[["\#(text)"]]"#, #"{"\#(text)":1}"#] {
                #expect(try !masked(document).contains(secret), "\(document)")
            }
        }
    }

    @Test(arguments: [
        #"{"id":"123e4567-e89b-12d3-a456-426614174000","title":"High water at 04:12","keyboard":"qwerty","monkey":"Bo"}"#,
        #"{"product":{"name":"Boat","price":12.5},"shop":{"name":"Pier","street":"x"},"url":"https://h.example/a/b?page=2"}"#,
        #"{"filename":"a.png","rename":"b","tokens_left":null,"done":false,"pinned":true,"hotel":"Sun"}"#,
    ]) func `All else stays as it is`(answer: String) throws { #expect(try masked(answer) == answer) }

    @Test func `Long lists and deep values are cut, and a dollar begins no place`() throws {
        let list = "[" + Array(repeating: "1", count: 5_000).joined(separator: ",") + "]"
        #expect(try masked(list).split(separator: ",").count == AnswerMask.elementCount)
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(try masked(deep).utf8.count < 140)
        #expect(try masked(#"["$name costs $5"]"#) == "[\"\u{FF04}name costs \u{FF04}5\"]")
        let many = "{" + (0..<30_000).map { #""a\#($0)":{"key":"k\#($0)"}"# }.joined(separator: ",") + "}"
        #expect(try !masked(many).contains(#""k29999""#))
    }

    // MARK: - Descriptions

    private func recorder() -> AnswerRecorder { AnswerRecorder { [written] _ in written.withLock { $0 += 1 } } }

    private func ask(
        _ recorder: AnswerRecorder, _ action: String, _ outcome: RequestOutcome, of service: String = "Service"
    ) async {
        let request = ServiceRequest(
            method: "GET", url: "https://a.example/?token=hidden",
            headers: [.init(name: "Authorization", value: "Bearer hidden")], body: [], parts: [])
        let network = recorder.recording(ScriptedNetwork(["GET https://a.example/?token=hidden": outcome]))
        _ = await network.outcome(of: OutgoingRequest(number: 1, request: request, service: service, action: action)) {
            _ in
        }
    }

    @Test func `The first good answer of each action is kept, with how the author has it read`() async throws {
        let recorder = recorder()
        await ask(recorder, "notes", .failure("no host"))
        await ask(recorder, "notes", .response(status: 500, body: .string("fault")))
        await ask(recorder, "notes", .unreadable(status: 200, message: "no JSON"))
        #expect(recorder.count == 0 && written.withLock { $0 } == 0)
        await ask(recorder, "notes", .response(status: 200, body: .array([.string("first")])))
        await ask(recorder, "notes", .response(status: 200, body: .array([.string("second")])))
        await ask(recorder, "more", .notModified(body: .integer(3)))
        #expect(recorder.count == 2 && written.withLock { $0 } == 2 && recorder.services == ["Service"])
        let description = """
            {"defaults": {"baseUrl": "https://hidden.example", "headers": {"Cookie": "hidden"}, "resultKeyPath": "a"},
             "auth": {"setting": "hidden"}, "options": {"unknownActionFails": true},
             "actions": {"notes": {"path": "hidden", "headers": {"X-Key": "hidden"}, "parameters": {"key": "hidden"},
               "needAuth": true, "resultType": "[Note]", "clearPolicy": "after"}, "rest": {"path": "hidden"}}}
            """
        let stub = recorder.stub(of: "Service", describedBy: Array(description.utf8))
        #expect(!String(decoding: stub, as: UTF8.self).contains("hidden"))
        let json = try JSONValue(parsing: stub)
        #expect(json["defaults"]?["resultKeyPath"]?.string == "a")
        #expect(json["options"]?["unknownActionFails"]?.boolean == true)
        let notes = json["actions"]?["notes"]
        #expect(notes?["resultType"]?.string == "[Note]" && notes?["clearPolicy"]?.string == "after")
        #expect(notes?["response"]?.array?.first?.string == "first" && notes?["needAuth"] == nil)
        #expect(json["actions"]?["rest"]?.object?.isEmpty == true)
        #expect(json["actions"]?["more"]?["response"]?.integer == 3)
        for broken in ["", "[1]", #"{"actions": 1}"#, "{"] {
            let stub = recorder.stub(of: "Service", describedBy: Array(broken.utf8))
            #expect(try JSONValue(parsing: stub)["actions"]?["more"]?["response"]?.integer == 3)
        }
    }

    /// A network that has a picture, and no answers.
    private struct PictureNetwork: WidgetNetwork {
        var fetchesPictures: Bool { true }

        func outcome(
            of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
        ) async -> RequestOutcome { .failure("it has pictures alone") }

        func picture(at address: String) async -> FetchedPicture { .failed("seen: \(address)") }
    }

    @Test func `Pictures are fetched while answers are recorded`() async {
        let network = recorder().recording(PictureNetwork())
        #expect(network.fetchesPictures)
        #expect(await network.picture(at: "https://a.example/p.png") == .failed("seen: https://a.example/p.png"))
    }

    @Test func `An answer that is too large is a remark, and so are too many`() async throws {
        let recorder = recorder()
        let text = Value.string(String(repeating: "word ", count: 60_000))
        await ask(recorder, "large", .response(status: 200, body: text))
        #expect(recorder.count == 0 && recorder.remarks == ["the answer of large is too large to be recorded"])
        for number in 0..<300 { await ask(recorder, "a\(number)", .response(status: 200, body: .integer(1))) }
        #expect(recorder.count == 200 && recorder.remarks.count <= 50)
        await ask(self.recorder(), "", .response(status: 200, body: .integer(1)))
    }
}
