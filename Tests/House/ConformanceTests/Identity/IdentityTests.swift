import ConformanceSupport
import Testing
import WidgetTestSupport

/// §1: valid identifiers.
@Suite struct `A bundle identifier` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        "id1.b", "id2.B-c", "ID3.Example.Widget", "id4.1", "5id.2.3.4", "id6.a--b.c",
        "id7." + String(repeating: "a", count: 151),
    ])
    func `A bundle identifier is made of labels of letters, digits and inner hyphens`(_ identifier: String) throws {
        #expect(identifier.utf8.count <= 155)
        let answer = try registry.post(BundleForge(identifier).archive)
        #expect(answer.status == 201)
        #expect(answer.text("bundleIdentifier") == identifier)
    }

    @Test(arguments: [
        "com", "", ".", "com.", ".com", "com..x", "-a.b", "a-.b", "a.-b", "a.b-", "a_b.c", "a b.c", "a.ü", "a/b.c",
        "a.b\u{0}c", "a." + String(repeating: "a", count: 154),
    ])
    func `Any other bundle identifier is refused`(_ identifier: String) throws {
        let answer = try registry.post(BundleForge(identifier).archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "info-plist-invalid")
    }

    @Test func `A missing bundle identifier is refused`() throws {
        let bundle = BundleForge("x.y").with { $0.files = [] }
        let plist = "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Sample</string></dict></plist>"
        let answer = try registry.post(ForgedArchive.of([("Sample.bundle/Info.plist", Array(plist.utf8))]))
        #expect(bundle.files.isEmpty && answer.status == 422)
        #expect(answer.problemCode == "info-plist-invalid")
    }

    @Test func `A bundle identifier in a second spelling is a conflict`() throws {
        let identifier = fresh("Widget")
        try registry.publish(BundleForge(identifier))
        let answer = try registry.post(BundleForge(identifier.replacing("Widget", with: "WIDGET")).archive)
        #expect(answer.status == 409)
        #expect(answer.problemCode == "identifier-case-conflict")
        #expect(try registry.get("/v1/bundles/\(identifier)").number("releases") == 1)
    }

    @Test func `The demo bundle's identifier is accepted`() throws {
        #expect(try registry.post(BundleForge("mobi.favio.WidgetDemo").archive).status == 201)
        #expect(try registry.resolve("mobi.favio.WidgetDemo-1").text("bundleIdentifier") == "mobi.favio.WidgetDemo")
    }
}

/// §1: valid versions.
@Suite struct `A version` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        ("1.0", "1"), ("2026.11.21", "312"), ("0", "0"), ("1.0-rc.1", "7b3"), ("1.0_2", "A"), ("1.0+5", "2+3"),
        (String(repeating: "9", count: 64), String(repeating: "z", count: 64)),
    ])
    func `A version and a build make the release key`(_ version: String, _ build: String) throws {
        let identifier = fresh()
        let answer = try registry.post(BundleForge(identifier, version, build).archive)
        #expect(answer.status == 201)
        #expect(answer.text("release") == "\(version)~\(build)")
        #expect(answer.text("shortVersion") == version)
        #expect(answer.text("build") == build)
    }

    @Test(arguments: ["", "1 0", "1/0", "1~0", "v\u{FC}", "1\n2", String(repeating: "1", count: 65)])
    func `A version with other characters is refused`(_ version: String) throws {
        let identifier = fresh()
        for bundle in [BundleForge(identifier, version, "1"), BundleForge(identifier, "1.0", version)] {
            let answer = try registry.post(bundle.archive)
            #expect(answer.status == 422)
            #expect(answer.problemCode == "info-plist-invalid")
        }
    }

    @Test func `A missing version is 1.0 and a missing build 1, with a warning each`() throws {
        let identifier = fresh()
        let answer = try registry.post(BundleForge(identifier, nil, nil).archive)
        #expect(answer.status == 201)
        #expect(answer.text("release") == "1.0~1")
        #expect(Set(answer.texts("report.warnings", "code")).isSuperset(of: ["version-defaulted", "build-defaulted"]))
    }

    @Test(arguments: ["1.0%2B5~2%2B3", "1.0+5~2+3", "1.0%2b5%7E2+3"])
    func `A version is found with its plus sign in either spelling`(_ key: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier, "1.0+5", "2+3"))
        let answer = try registry.get("/v1/bundles/\(identifier)/releases/\(key)")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.0+5~2+3")
    }
}

/// §1: from a widget identifier to a bundle.
@Suite struct `Resolution` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: ["", "-1", "-", ".news", "2", "_x", "-" + String(repeating: "a", count: 200)])
    func `A widget resolves to the bundle whose identifier its own begins with`(_ suffix: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier + suffix)
        #expect(answer.status == 200)
        #expect(answer.text("widgetIdentifier") == identifier + suffix)
        #expect(answer.text("bundleIdentifier") == identifier)
    }

    @Test func `A widget resolves to the longest of several identifiers`() throws {
        let identifier = fresh()
        for longer in ["", "A", "A.b"] { try registry.publish(BundleForge(identifier + longer)) }
        #expect(try registry.resolve(identifier).text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "A").text("bundleIdentifier") == identifier + "A")
        #expect(try registry.resolve(identifier + "A.").text("bundleIdentifier") == identifier + "A")
        #expect(try registry.resolve(identifier + "A.bc").text("bundleIdentifier") == identifier + "A.b")
        #expect(try registry.resolve(identifier + "A.c").text("bundleIdentifier") == identifier + "A")
    }

    @Test func `Bundles that sort between the widget and its bundle do not matter`() throws {
        let identifier = fresh()
        for other in ["", "A", "B-9", "B1", "B1.a", "BZ"] { try registry.publish(BundleForge(identifier + other)) }
        #expect(try registry.resolve(identifier + "C").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B.x").text("bundleIdentifier") == identifier)
        #expect(try registry.resolve(identifier + "B1.b").text("bundleIdentifier") == identifier + "B1")
        #expect(try registry.resolve(identifier + "B-95").text("bundleIdentifier") == identifier + "B-9")
    }

    @Test func `Resolution is case-sensitive, and suggests the spelling that would have matched`() throws {
        let identifier = fresh("Weather")
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier.lowercased() + "-1")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-widget")
        #expect(answer.text("detail")?.contains(identifier) == true)
    }

    @Test func `An unpublished widget is 404`() throws {
        let answer = try registry.resolve(fresh())
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-widget")
    }

    @Test func `Half a bundle identifier is 404`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        #expect(try registry.resolve(String(identifier.dropLast())).status == 404)
    }

    @Test func `A widget identifier has at most 255 bytes`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let room = 255 - identifier.utf8.count
        #expect(try registry.resolve(identifier + String(repeating: "x", count: room)).status == 200)
        let longer = try registry.resolve(identifier + String(repeating: "x", count: room + 1))
        #expect(longer.status == 404 || longer.status == 400)
    }

    @Test(arguments: ["%20", "!", "~", "%C3%BC", "@", ":", "%5C", "%2F", "%00", "+"])
    func `A widget identifier with other characters is refused`(_ suffix: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let answer = try registry.resolve(identifier + suffix)
        #expect(answer.status == 404 || answer.status == 400)
    }

    @Test func `A withdrawn longest match is 410, and not replaced by a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-news"))
        #expect(try registry.withdraw(identifier + "-news", "1.0~1").status == 200)
        let answer = try registry.resolve(identifier + "-news-1")
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
    }

    @Test func `A longest match without the channel is 404, and not replaced by a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier), "channel=beta")
        try registry.publish(BundleForge(identifier + "-news"))
        #expect(try registry.resolve(identifier + "-news", "channel=beta").status == 404)
        #expect(try registry.resolve(identifier + "-other", "channel=beta").status == 200)
    }

    @Test func `A longest match that is too new is 404, and not replaced by a shorter match`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-news").with { $0.info = [("MinimumOSVersion", "15.0")] })
        let answer = try registry.resolve(identifier + "-news", "os=10.0")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-compatible-release")
    }

    @Test func `The right pin gives the same answer as none`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        #expect(try registry.resolve(identifier + "-1", "pin=\(identifier)").status == 200)
    }

    @Test func `Another pin is a conflict`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge(identifier + "-1"))
        let answer = try registry.resolve(identifier + "-1x", "pin=\(identifier)")
        #expect(answer.status == 409)
        #expect(answer.problemCode == "pin-mismatch")
        #expect(answer.text("detail")?.contains(identifier + "-1") == true)
    }

    @Test func `Unknown parameters are ignored`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier))
        let plain = try registry.resolve(identifier)
        let decorated = try registry.resolve(identifier, "utm_source=x&device=%F0%9F%98%80&x&=&a=b=c")
        #expect(decorated.status == 200)
        #expect(decorated.body == plain.body)
    }
}

/// §1: the order of releases.
@Suite struct `Release order` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        (["1.9~1", "1.10~1"], "1.10~1"), (["1.2~1", "1.2.1~1"], "1.2.1~1"), (["2~1", "10~1"], "10~1"),
        (["1.0~9", "1.0~10"], "1.0~10"), (["1.10~1", "1.9~999"], "1.10~1"), (["2.0~1", "1.99.99~5"], "2.0~1"),
        (["1.0~1.9", "1.0~1.10"], "1.0~1.10"), (["0.9~1", "0.10~1", "0.2~1"], "0.10~1"),
        (["18446744073709551616~1", "18446744073709551615~1"], "18446744073709551616~1"),
    ])
    func `Release order is numeric, part by part`(_ keys: [String], _ highest: String) throws {
        let identifier = fresh()
        for key in keys {
            let parts = key.split(separator: "~").map(String.init)
            try registry.publish(BundleForge(identifier, parts[0], parts[1]))
        }
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == highest)
        #expect(try registry.get("/v1/bundles/\(identifier)/releases").texts("items", "release").first == highest)
    }

    @Test func `Equal versions are in the order of publishing`() throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier, "1.0", "1"))
        try registry.publish(BundleForge(identifier, "1.00", "01"))
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "1.00~01")
    }

    @Test func `A withdrawn release is never the latest`() throws {
        let identifier = fresh()
        try registry.publish(identifier, releases: 3)
        #expect(try registry.withdraw(identifier, "1.2~1").status == 200)
        #expect(try registry.get("/v1/bundles/\(identifier)").text("latest") == "1.1~1")
    }
}
