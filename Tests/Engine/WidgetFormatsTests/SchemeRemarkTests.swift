import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetFormats

/// Goal: what works and is unwise is a finding at its place, and its neighbours have no finding. Method: schemes and descriptions of
/// services with one place of each kind, and their neighbours.
@Suite struct `Unwise declarations` {
    private static func scheme(_ text: String) -> [String] {
        let bytes = Array("{\"Feed\": {\n\(text)}}".utf8)
        return SchemeFile(bytes, path: "Feed.json", identifier: "Feed").diagnostics.map(\.spot)
    }

    private static func binding(_ members: String) -> [String] {
        scheme("\"elements\": {\"label\": {\"bindings\": [{\(members)}]}}")
    }

    private static func attributes(_ members: String) -> [String] {
        scheme("\"objects\": {\"posts\": {\"type\": \"ItemsCollection\", \"attrs\": {\(members)}}}")
    }

    @Test(arguments: [
        (#""to": "window.rootViewController""#, "2:37 key-path window"),
        (#""to": "imageView.superview.alpha""#, "2:37 key-path superview"),
        (#""from": "content.managedObjectContext.name""#, "2:37 key-path managedObjectContext"),
        (#""from": "table.delegate""#, "2:37 key-path delegate"),
        (#""format": "by $content.superview.tag""#, "2:37 key-path superview"),
        (#""ifTrue": "$label.nextResponder.x", "ifFalse": """#, "2:37 key-path nextResponder"),
        (#""predicateFormat": "content.superview.tag = 1""#, "2:66 key-path superview"),
        (#""predicateFormat": "label.parent.x = 1""#, "2:64 key-path parent"),
        (#""predicateFormat": "SELF.class = 'x'""#, "2:63 key-path class"),
        (#""predicateFormat": "name MATCHES '(a+)+'""#, "2:72 slow-pattern (a+)+"),
        (#""predicateFormat": "name MATCHES[c] '^([a-z]+)*$'""#, "2:75 slow-pattern ^([a-z]+)*$"),
        (#""predicateFormat": "name MATCHES '(x|(y*))+'""#, "2:72 slow-pattern (x|(y*))+"),
    ])
    func `One in a binding is found`(_ members: String, _ expected: String) {
        #expect(Self.binding(members) == [expected])
    }

    @Test(arguments: [
        #""to": "refreshControl.wx_value", "from": "content.parent.title", "placeholder": "100% %@%@""#,
        #""from": "window.title", "format": "100% reusable, 5 % off""#,
        #""predicateFormat": "content.next.parent.x = 1""#,
        #""predicateFormat": "name MATCHES '[a-z]+(-[a-z]+)*'""#, #""predicateFormat": "name MATCHES '(ab|cd)+'""#,
        #""predicateFormat": "name MATCHES '(a++)+'""#, #""predicateFormat": "name LIKE '(a+)+'""#,
    ])
    func `Its neighbour in a binding has no finding`(_ members: String) { #expect(Self.binding(members).isEmpty) }

    @Test(arguments: [
        (#""sortByFields": "name, owner.managedObjectContext""#, "key-path managedObjectContext"),
        (#""masterKeyPath": "class""#, "key-path class"),
        (#""resultChainArgs": ["managedObjectContext.x"]"#, "key-path managedObjectContext"),
        (#""viewController.title": "x""#, "key-path viewController"),
        (#""wx_imageUrl": "http://10.0.0.1/a.png""#, "plain-http http://10.0.0.1/a.png"),
    ])
    func `One in an attribute is found`(_ members: String, _ expected: String) {
        #expect(Self.attributes(members).contains { $0.hasSuffix(expected) }, "\(Self.attributes(members))")
    }

    @Test(arguments: [
        #""sortByFields": "author.name, parent.next""#, #""delegate": "x""#,
        #""wx_imageUrl": "https://example.com/a.png""#,
    ])
    func `Its neighbour in an attribute has no finding`(_ members: String) { #expect(Self.attributes(members).isEmpty) }

    @Test func `A scheme under another name has its own code`() {
        let bytes = Array(#"{"Fed": {"objects": {}}}"#.utf8)
        let found = SchemeFile(bytes, path: "Feed.json", identifier: "Feed").diagnostics
        #expect(found.map(\.code) == [.schemeName] && found[0].place?.column == 2)
    }

    @Test func `Very many are as many as are shown`() {
        let many = (0..<1_000).map { "\"superview.a\($0)\": 1" }.joined(separator: ", ")
        #expect(Self.attributes(many).count == Program.diagnosticCount + 1)
    }

    // MARK: - Services

    private static func service(_ members: String) -> [String] {
        ServiceReader(Array("{\(members)}".utf8), path: "Service.json", name: "S", isScripted: false).diagnostics
            .map(\.spot).filter { !$0.contains("unknown-key") && !$0.contains("missing-authorization") }
    }

    private static func baseURL(_ text: String) -> [String] { service("\"defaults\": {\"baseUrl\": \"\(text)\"}") }

    @Test(arguments: [
        ("http://example.com", ["1:27 plain-http http://example.com"]),
        ("HTTP://example.com", ["1:27 plain-http HTTP://example.com"]),
        // What stays on the machine is read by none.
        ("http://localhost:8080", ["1:34 private-address localhost"]),
        ("http://127.0.0.1:8081", ["1:34 private-address 127.0.0.1"]),
        ("http://192.168.0.2", ["1:27 plain-http http://192.168.0.2", "1:34 private-address 192.168.0.2"]),
        ("https://127.0.0.1", ["1:35 private-address 127.0.0.1"]), ("https://127.1", ["1:35 private-address 127.1"]),
        ("https://2130706433/x", ["1:35 private-address 2130706433"]),
        ("https://0x7f.0.0.1", ["1:35 private-address 0x7f.0.0.1"]),
        ("https://0177.0.0.1", ["1:35 private-address 0177.0.0.1"]),
        ("https://10.1.2.3:8443/api", ["1:35 private-address 10.1.2.3"]),
        ("https://172.31.0.1", ["1:35 private-address 172.31.0.1"]),
        ("https://169.254.169.254", ["1:35 private-address 169.254.169.254"]),
        ("https://[::1]:8080", ["1:35 private-address ::1"]), ("https://[fe80::1]", ["1:35 private-address fe80::1"]),
        ("https://[::ffff:10.0.0.1]", ["1:35 private-address ::ffff:10.0.0.1"]),
        ("https://printer.local", ["1:35 private-address printer.local"]),
        ("https://Api.LocalHost.", ["1:35 private-address api.localhost"]),
        ("https://example.com@10.0.0.1", ["1:47 private-address 10.0.0.1"]),
    ])
    func `An address that others can listen to, or that leads to the device, is found`(
        _ text: String, _ expected: [String]
    ) {
        #expect(Self.baseURL(text) == expected)
    }

    @Test(arguments: [
        "https://test", "", "https://api.example.com:8443/v1/@me?x=a@b", "https://8.8.8.8", "https://172.32.0.1",
        "https://[2606:4700::1111]", "https://localhost.example.com", "https://10.example.com", "https://256.1.1.1.1",
    ])
    func `Its neighbour has no finding`(_ text: String) { #expect(Self.baseURL(text).isEmpty) }

    @Test(arguments: [
        (#""defaults": {"socket": "ws://example.com"}"#, "plain-http ws://example.com"),
        (#""auth": {"twitter": {"tokenUrl": "demo://x"}}"#, "app-address demo://x"),
        (#""auth": {"authorizeUrl": "twitterdemo://oauth"}"#, "app-address twitterdemo://oauth"),
        (#""auth": {"callbackUrl": "http://example.com/back"}"#, "plain-http http://example.com/back"),
        (#""actions": {"a": {"path": "http://example.com/a"}}"#, "plain-http http://example.com/a"),
        (#""actions": {"a": {"set": {"managedObjectContext.name": 1}}}"#, "key-path managedObjectContext"),
        (#""actions": {"a": {"multipart": {"p": "superview.image"}}}"#, "key-path superview"),
    ])
    func `One in a description is found`(_ members: String, _ expected: String) {
        #expect(Self.service(members).contains { $0.hasSuffix(expected) }, "\(Self.service(members))")
    }

    @Test(arguments: [
        #""defaults": {"socket": "wss://example.com"}"#,
        #""defaults": {"baseUrl": "https://example.com"}, "actions": {"a": {"path": "posts/$id.json"}}"#,
        #""auth": {"callbackUrl": "twitterdemo://oauth", "requestTokenUrl": "https://example.com/t"}"#,
        #""auth": {"oauthRedirectURL": "com.example.app:/back", "tokenUrl": "oauth/token"}"#,
    ])
    func `Its neighbour in a description has no finding`(_ members: String) { #expect(Self.service(members).isEmpty) }
}

extension Finding {
    /// Line, column, code and value.
    fileprivate var spot: String { "\(place?.line ?? 0):\(place?.column ?? 0) \(code.rawValue) \(value ?? "")" }
}
