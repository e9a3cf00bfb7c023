import ConformanceSupport
import TestSupport
import Testing

/// §1: from a widget identifier to a bundle.
@Suite struct `Resolution` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: ["", "-1", "-", ".news", "2", "_x", "-" + String(repeating: "a", count: 200)])
    func `finds the bundle whose identifier the widget's begins with`(_ suffix: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier + suffix)
        #expect(answer.status == 200)
        #expect(answer.text("widgetIdentifier") == identifier + suffix)
        #expect(answer.text("bundleIdentifier") == identifier)
    }

    @Test func `takes the longest of several`() throws {
        let identifier = fresh()
        for longer in ["", "A", "A.b"] { try registry.publish(BundleForge(identifier + longer)) }
        #expect(try registry.resolve(identifier).text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "A").text("bundleIdentifier") == identifier + "A")
        #expect(try registry.resolve(identifier + "A.").text("bundleIdentifier") == identifier + "A")
        #expect(try registry.resolve(identifier + "A.bc").text("bundleIdentifier") == identifier + "A.b")
        #expect(try registry.resolve(identifier + "A.c").text("bundleIdentifier") == identifier + "A")
    }

    @Test func `is not confused by bundles that sort between the widget and its bundle`() throws {
        let identifier = fresh()
        for other in ["", "A", "B-9", "B1", "B1.a", "BZ"] { try registry.publish(BundleForge(identifier + other)) }
        #expect(try registry.resolve(identifier + "C").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B.x").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B1.b").text("bundleIdentifier") == identifier + "B1")
        #expect(try registry.resolve(identifier + "B-95").text("bundleIdentifier") == identifier + "B-9")
    }

    @Test func `distinguishes case, and hints at the spelling that would have matched`() throws {
        let identifier = fresh("Weather")
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier.lowercased() + "-1")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-widget")
        #expect(answer.text("detail")?.contains(identifier) == true)
    }

    @Test func `of a widget nobody published is 404`() throws {
        let answer = try registry.resolve(fresh())
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-widget")
    }

    @Test func `of half a bundle identifier is 404`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        #expect(try registry.resolve(String(identifier.dropLast())).status == 404)
    }

    @Test func `takes 255 bytes and no more`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let room = 255 - identifier.utf8.count
        #expect(try registry.resolve(identifier + String(repeating: "x", count: room)).status == 200)
        let longer = try registry.resolve(identifier + String(repeating: "x", count: room + 1))
        #expect(longer.status == 404 || longer.status == 400)
    }

    @Test(arguments: ["%20", "!", "~", "%C3%BC", "@", ":", "%5C", "%2F", "%00", "+"])
    func `knows no widget identifier with other characters`(_ suffix: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier + suffix)
        #expect(answer.status == 404 || answer.status == 400)
    }

    @Test func `of a longest match that is withdrawn is 410, never a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-news"))
        #expect(try registry.withdraw(identifier + "-news", "1.0~1").status == 200)
        let answer = try registry.resolve(identifier + "-news-1")
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
    }

    @Test func `of a longest match without the channel is 404, never a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier), "channel=beta")
        try registry.publish(BundleForge(identifier + "-news"))
        #expect(try registry.resolve(identifier + "-news", "channel=beta").status == 404)
        #expect(try registry.resolve(identifier + "-other", "channel=beta").status == 200)
    }

    @Test func `of a longest match that is too new is 404, never a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-news").with { $0.info = [("MinimumOSVersion", "15.0")] })
        let answer = try registry.resolve(identifier + "-news", "os=10.0")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-compatible-release")
    }

    @Test func `with the right pin answers as without it`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        #expect(try registry.resolve(identifier + "-1", "pin=\(identifier)").status == 200)
    }

    @Test func `with another pin is a conflict`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-1"))
        let answer = try registry.resolve(identifier + "-1x", "pin=\(identifier)")
        #expect(answer.status == 409)
        #expect(answer.problemCode == "pin-mismatch")
        #expect(answer.text("detail")?.contains(identifier + "-1") == true)
    }

    @Test func `ignores parameters it does not know`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let plain = try registry.resolve(identifier)
        let decorated = try registry.resolve(identifier, "utm_source=x&device=%F0%9F%98%80&x&=&a=b=c")
        #expect(decorated.status == 200)
        #expect(decorated.body == plain.body)
    }
}

/// §1: which release is higher.
@Suite struct `Release order` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        (["1.9~1", "1.10~1"], "1.10~1"), (["1.2~1", "1.2.1~1"], "1.2.1~1"), (["2~1", "10~1"], "10~1"),
        (["1.0~9", "1.0~10"], "1.0~10"), (["1.10~1", "1.9~999"], "1.10~1"), (["2.0~1", "1.99.99~5"], "2.0~1"),
        (["1.0~1.9", "1.0~1.10"], "1.0~1.10"), (["0.9~1", "0.10~1", "0.2~1"], "0.10~1"),
        (["18446744073709551616~1", "18446744073709551615~1"], "18446744073709551616~1"),
    ])
    func `is numeric, part by part`(_ keys: [String], _ highest: String) throws {
        let identifier = fresh()
        for key in keys {
            let parts = key.split(separator: "~").map(String.init)
            try registry.publish(BundleForge(identifier, parts[0], parts[1]))
        }
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == highest)
        #expect(try registry.get("/v1/bundles/\(identifier)/releases").texts("items", "release").first == highest)
    }

    @Test func `puts equal versions in the order they came`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier, "1.0", "1"))
        try registry.publish(BundleForge(identifier, "1.00", "01"))
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "1.00~01")
    }

    @Test func `leaves a withdrawn release out of what is latest`() throws {
        let identifier = fresh()
        try registry.publish(identifier, releases: 3)
        #expect(try registry.withdraw(identifier, "1.2~1").status == 200)
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "1.1~1")
    }
}
