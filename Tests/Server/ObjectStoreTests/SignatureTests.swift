import Foundation
import Testing
import WidgetBytes
import WidgetTestSupport
import WidgetTransfers

@testable import ObjectStore

/// Goal: requests are signed as AWS documents it. Method: the examples of AWS's own documentation, and a second
/// implementation in Python, which is asked the same.
@Suite struct `Signatures of requests to a store` {
    private static let signer = ObjectSigner(
        ObjectCredentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private static let host = "examplebucket.s3.amazonaws.com"
    /// 24 May 2013, midnight in UTC.
    private static let time: Int64 = 1_369_353_600
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func signature(_ subject: ObjectSigner.Subject, _ payload: String = empty) -> String? {
        let fields = signer.fields(for: subject, payload: payload, at: time)
        return fields?.first { $0.name == "Authorization" }.flatMap {
            $0.value.components(separatedBy: "Signature=").last
        }
    }

    @Test func `Requests of the documentation have the signatures that it prints`() {
        let get = ObjectSigner.Subject(
            method: "GET", host: Self.host, path: "/test.txt", fields: [("range", "bytes=0-9")])
        #expect(Self.signature(get) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        let put = ObjectSigner.Subject(
            method: "PUT", host: Self.host, path: "/test%24file.text",
            fields: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")])
        let body = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
        #expect(Self.signature(put, body) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        let lifecycle = ObjectSigner.Subject(method: "GET", host: Self.host, path: "/", query: [("lifecycle", "")])
        #expect(Self.signature(lifecycle) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        let list = ObjectSigner.Subject(
            method: "GET", host: Self.host, path: "/", query: [("prefix", "J"), ("max-keys", "2")])
        #expect(Self.signature(list) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `The address of the documentation has the signature that it prints`() {
        let query = Self.signer.query(
            for: ObjectSigner.Subject(method: "GET", host: Self.host, path: "/test.txt"), expires: 86_400, at: Self.time
        )
        #expect(
            query
                == "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3"
                + "%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test func `A second implementation signs alike, for all kinds of paths, queries and times`() throws {
        var seed: UInt64 = 0x5EED
        func next(_ count: UInt64) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((seed >> 33) % count)
        }
        let letters = Array("abcXYZ019-._~+ /&=%*'()!:@,;ü€")
        func text(_ length: Int) -> String { String((0..<length).map { _ in letters[next(UInt64(letters.count))] }) }
        var lines: [String] = []
        var ours: [String] = []
        for round in 0..<200 {
            let key = text(1 + next(20))
            let names = Set((0..<next(4)).map { _ in "q\(text(next(4)))" })
            let query = names.map { (name: $0, value: text(next(6))) }
            let time = Int64(next(2_000_000_000))
            let token = round % 3 == 0 ? "session/token+\(round)=" : nil
            let credentials = ObjectCredentials(
                accessKey: "KEY\(round)", secret: "se/cr+et\(round)", sessionToken: token)
            let region = ["us-east-1", "eu-central-2", "here"][round % 3]
            let signer = ObjectSigner(credentials, region: region)
            let subject = ObjectSigner.Subject(
                method: ["GET", "PUT", "HEAD", "DELETE"][round % 4], host: "store.test:\(8_000 + round)",
                path: "/bucket/" + ObjectSigner.encoded(key, keepingSlashes: true), query: query)
            let payload = Digest.sha256(Array(key.utf8))?.hex ?? ""
            let fields = try #require(signer.fields(for: subject, payload: payload, at: time))
            ours.append(fields.first { $0.name == "Authorization" }?.value ?? "")
            ours.append(try #require(signer.query(for: subject, expires: 60 + round, at: time)))
            let json: [String: Any] = [
                "method": subject.method, "host": subject.host, "key": "bucket/\(key)",
                "query": query.map { [$0.name, $0.value] }, "payload": payload, "time": time, "region": region,
                "access": "KEY\(round)", "secret": "se/cr+et\(round)", "token": token ?? "", "expires": 60 + round,
            ]
            lines.append(String(decoding: try JSONSerialization.data(withJSONObject: json), as: UTF8.self))
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "sigv4-\(UUID().uuidString)")
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let answer = try Tool.run("python3", [Tool.oracle("sigv4.py"), file.path])
        #expect(answer.status == 0, "\(answer.output)")
        let theirs = answer.output.split(separator: "\n").map(String.init)
        #expect(theirs.count == 400)
        for (ours, theirs) in zip(ours, theirs) { #expect(ours == theirs) }
    }

    @Test func `HMAC gives the digests of RFC 4231`() {
        func hex(_ message: [UInt8], _ key: [UInt8]) -> String? { HMAC.sha256(message, key: key)?.hex }
        #expect(
            hex(Array("Hi There".utf8), [UInt8](repeating: 0x0B, count: 20))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            hex(Array("what do ya want for nothing?".utf8), Array("Jefe".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            hex(
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                [UInt8](repeating: 0xAA, count: 131))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func `A secret is in no text about its key`() throws {
        let credentials = try #require(
            ObjectCredentials(
                file: "[default]\n# made in May\naws_access_key_id = AKIA\naws_secret_access_key = s3cr3t=+/\r\n"))
        #expect(credentials == ObjectCredentials(accessKey: "AKIA", secret: "s3cr3t=+/"))
        for text in ["\(credentials)", String(reflecting: credentials), "\(Optional(credentials) as Any)"] {
            #expect(!text.contains("s3cr3t"))
        }
        var dumped = ""
        dump(ObjectSigner(credentials, region: "x").credentials.description, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
        #expect(
            ObjectCredentials(environment: ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B"])
                == ObjectCredentials(accessKey: "A", secret: "B"))
    }

    @Test(arguments: [
        "", "aws_access_key_id = A", "aws_secret_access_key = B", "aws_access_key_id =\naws_secret_access_key = B",
        "aws_access_key_id = A\naws_secret_access_key = B C", "aws_access_key_id = A\naws_secret_access_key = B\u{1}",
        "aws_access_key_id = A\naws_access_key_id = C\naws_secret_access_key = B",
    ])
    func `A file without exactly one key is refused`(_ text: String) {
        #expect(ObjectCredentials(file: text) == nil)
    }
}
