import Testing

@Suite struct `Service descriptions` {
    @Test(
        arguments: [
            .baseURL("‹service-url›file:///etc/passwd"),
            .baseURL("‹service-url›FILE:/etc"),
            .baseURL("‹service-url›ftp://example.com"),
            .baseURL("‹service-url›javascript:alert"),
            .baseURL("‹service-url›data:text/plain,x"),
            .baseURL("https://‹url-credentials›user:secret@example.com"),
            .baseURL("https://‹url-credentials›$user@example.com"),
            .baseURL("https:\\\\\\\\‹url-credentials›user@example.com"),
            .baseURL("‹plain-http›http://example.com"),
            .baseURL("‹plain-http›HTTP://example.com"),
            .baseURL("‹plain-http›http://‹private-address›localhost:8080"),
            .baseURL("https://‹private-address›127.0.0.1"),
            .baseURL("https://‹private-address›127.1"),
            .baseURL("https://‹private-address›2130706433/x"),
            .baseURL("https://‹private-address›0x7f.0.0.1"),
            .baseURL("https://‹private-address›0177.0.0.1"),
            .baseURL("https://‹private-address›10.1.2.3:8443/api"),
            .baseURL("https://‹private-address›172.31.0.1"),
            .baseURL("https://‹private-address›192.168.0.1"),
            .baseURL("https://‹private-address›169.254.169.254"),
            .baseURL("https://‹private-address›[::1]:8080"),
            .baseURL("https://‹private-address›[fe80::1]"),
            .baseURL("https://‹private-address›[fd00::1]"),
            .baseURL("https://‹private-address›[::ffff:10.0.0.1]"),
            .baseURL("https://‹private-address›printer.local"),
            .baseURL("https://‹private-address›Api.LocalHost."),
            .baseURL("https://‹url-credentials›example.com@‹private-address›10.0.0.1"),
            .service("\"defaults\": {\"socket\": \"‹plain-http›ws://example.com\"}"),
            .service("\"auth\": {\"tokenUrl\": \"‹service-url›file:///x\", \"secret\": \"file:///y\"}"),
            .service(
                "\"actions\": {\"a\": {\"path\": \"‹plain-http›http://example.com/a\"}}", name: "StubService.json"),
            .service("\"actions\": {\"a\": {\"path\": \"‹service-url›file:///a\"}}", name: "Service.dev.json"),
            .service("\"defaults\": {\"headers\": {\"X\": \"a‹line-break›\\r\\nHost: b\"}}"),
            .service("\"defaults\": {\"headers\": {\"X‹line-break›\\n\": \"a\"}}"),
            .service("\"actions\": {\"a\": {\"headers\": {\"X\": \"‹line-break›\\u000a\"}}}"),
            .service("\"actions\": {\"a\": {\"httpMethod\": \"GET‹line-break›\\n/ HTTP/1.1\"}}"),
            .service("\"actions\": {\"a\": {\"set\": {\"‹key-path›managedObjectContext.name\": 1}}}"),
            .service("\"actions\": {\"a\": {\"multipart\": {\"p\": \"‹key-path›superview.image\"}}}"),
        ] as [FindingCase])
    func `are found out`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }

    @Test(
        arguments: [
            .baseURL("https://test"), .baseURL(""), .baseURL("https://api.example.com:8443/v1/@me?x=a@b"),
            .baseURL("https://8.8.8.8"), .baseURL("https://172.32.0.1"), .baseURL("https://[2606:4700::1111]"),
            .baseURL("https://localhost.example.com"), .baseURL("https://10.example.com"),
            .baseURL("https://256.1.1.1.1"),
            .baseURL("example.com:8080/api"),
            .service(
                "\"defaults\": {\"socket\": \"wss://example.com\", \"headers\": {\"X\": \"a\", \"***\": \"a\\nb\"}}"),
            .service("\"actions\": {\"a\": {\"path\": \"posts/$id.json\", \"set\": {\"parent\": null}, \"more\": 1}}"),
            .service("\"actions\": {\"***\": {\"path\": \"file:///x\"}, \"a\": {\"response\": \"http://localhost\"}}"),
            .service("\"defaults\": 1, \"actions\": [], \"auth\": null"),
            .service("\"defaults\": {\"baseUrl\": \"file:///x\"}", name: "services.json"),
        ] as [FindingCase])
    func `are let pass when they are sound`(_ sample: FindingCase) throws {
        try expectMarks(sample)
    }
}
