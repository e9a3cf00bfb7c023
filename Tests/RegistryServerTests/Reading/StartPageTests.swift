import Bytes
import Registry
import RegistryServer
import TestSupport
import Testing

@Suite struct `The start page` {
    @Test func `shows bundles, channels and the lines that fetch them`() throws {
        let served = try ServedRegistry()
        try served.publish()
        try served.publish(TestBundle(version: "1.1"), rollout: 2_550)
        let answer = try served.get("/", "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n")
        #expect(answer.status == 200)
        #expect(answer.value("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.text.contains("<code>com.example.Sample</code>"))
        #expect(answer.text.contains("to 25.5 %, the others 1.0~1"))
        #expect(answer.text.contains("curl -OJ &#39;http://registry.test/v1/widgets/com.example.Sample/bundle&#39;"))
    }

    @Test func `runs nothing and loads nothing`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let answer = try served.get("/")
        let policy = try #require(answer.value("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(answer.value("Referrer-Policy") == "no-referrer")
        for word in ["<script", " style=", "onclick", "javascript:", "http-equiv", "<img", "<iframe"] {
            #expect(!answer.text.lowercased().contains(word), "\(word)")
        }
        #expect(answer.text.contains("prefers-color-scheme: dark"))
        let style = try #require(answer.text.firstMatch(of: /(?s)<style>(.*)<\/style>/)).1
        #expect(policy.contains("'sha256-\(Digest.sha256(Array(style.utf8))?.base64 ?? "")'"))
    }

    @Test func `shows what people published as text`() throws {
        let served = try ServedRegistry()
        try served.publish(TestBundle(name: "A&B 'quoted' $(x)"))
        let text = try served.get("/").text
        #expect(text.contains("A&amp;B &#39;quoted&#39; $(x)"))
        #expect(!text.contains("A&B"))
    }

    @Test func `says how to begin when there is nothing`() throws {
        #expect(try ServedRegistry().get("/").text.contains("Nothing is published yet"))
    }

    @Test func `leads from part to part`() throws {
        let served = try ServedRegistry()
        for index in 10..<13 { try served.publish(TestBundle(identifier: "com.example.b\(index)")) }
        let first = try served.get("/?limit=2").text
        let next = try #require(first.firstMatch(of: /href="(\/\?[^"]*cursor=[0-9a-f]+)"/)).1
        let second = try served.get(String(next).replacing("&amp;", with: "&")).text
        #expect(second.contains("com.example.b12"))
        #expect(!second.contains("com.example.b11"))
    }
}
