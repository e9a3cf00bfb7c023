import ConformanceSupport
import TestSupport
import Testing

/// §1: which identifiers there are.
@Suite struct `A bundle identifier` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        "id1.b", "id2.B-c", "ID3.Example.Widget", "id4.1", "5id.2.3.4", "id6.a--b.c",
        "id7." + String(repeating: "a", count: 151),
    ])
    func `is labels of letters, digits and inner hyphens`(_ identifier: String) throws {
        #expect(identifier.utf8.count <= 155)
        let answer = try registry.post(BundleForge(identifier).archive)
        #expect(answer.status == 201)
        #expect(answer.text("bundleIdentifier") == identifier)
    }

    @Test(arguments: [
        "com", "", ".", "com.", ".com", "com..x", "-a.b", "a-.b", "a.-b", "a.b-", "a_b.c", "a b.c", "a.ü", "a/b.c",
        "a.b\u{0}c", "a." + String(repeating: "a", count: 154),
    ])
    func `that is anything else is refused`(_ identifier: String) throws {
        let answer = try registry.post(BundleForge(identifier).archive)
        #expect(answer.status == 422)
        #expect(answer.problemCode == "info-plist-invalid")
    }

    @Test func `cannot be missing`() throws {
        let bundle = BundleForge("x.y").with { $0.files = [] }
        let plist = "<plist version=\"1.0\"><dict><key>CFBundleName</key><string>Sample</string></dict></plist>"
        let answer = try registry.post(ForgedArchive.of([("Sample.bundle/Info.plist", Array(plist.utf8))]))
        #expect(bundle.files.isEmpty && answer.status == 422)
        #expect(answer.problemCode == "info-plist-invalid")
    }

    @Test func `in a second spelling is a conflict`() throws {
        let identifier = fresh("Widget")
        try registry.publish(BundleForge(identifier))
        let answer = try registry.post(BundleForge(identifier.replacing("Widget", with: "WIDGET")).archive)
        #expect(answer.status == 409)
        #expect(answer.problemCode == "identifier-case-conflict")
        #expect(try registry.get("/v1/bundles/\(identifier)").number("releases") == 1)
    }

    @Test func `of the demo bundle is taken`() throws {
        #expect(try registry.post(BundleForge("mobi.favio.WidgetDemo").archive).status == 201)
        #expect(try registry.resolve("mobi.favio.WidgetDemo-1").text("bundleIdentifier") == "mobi.favio.WidgetDemo")
    }
}

/// §1: which versions there are.
@Suite struct `A version` {
    let registry: Registry

    init() throws { registry = try Registries.open() }

    @Test(arguments: [
        ("1.0", "1"), ("2026.11.21", "312"), ("0", "0"), ("1.0-rc.1", "7b3"), ("1.0_2", "A"), ("1.0+5", "2+3"),
        (String(repeating: "9", count: 64), String(repeating: "z", count: 64)),
    ])
    func `pair makes the release key`(_ version: String, _ build: String) throws {
        let identifier = fresh()
        let answer = try registry.post(BundleForge(identifier, version, build).archive)
        #expect(answer.status == 201)
        #expect(answer.text("release") == "\(version)~\(build)")
        #expect(answer.text("shortVersion") == version)
        #expect(answer.text("build") == build)
    }

    @Test(arguments: ["", "1 0", "1/0", "1~0", "v\u{FC}", "1\n2", String(repeating: "1", count: 65)])
    func `of other characters is refused`(_ version: String) throws {
        let identifier = fresh()
        for bundle in [BundleForge(identifier, version, "1"), BundleForge(identifier, "1.0", version)] {
            let answer = try registry.post(bundle.archive)
            #expect(answer.status == 422)
            #expect(answer.problemCode == "info-plist-invalid")
        }
    }

    @Test func `that is absent is 1.0 and 1, with a warning each`() throws {
        let identifier = fresh()
        let answer = try registry.post(BundleForge(identifier, nil, nil).archive)
        #expect(answer.status == 201)
        #expect(answer.text("release") == "1.0~1")
        #expect(Set(answer.texts("report.warnings", "code")).isSuperset(of: ["version-defaulted", "build-defaulted"]))
    }

    @Test(arguments: ["1.0%2B5~2%2B3", "1.0+5~2+3", "1.0%2b5%7E2+3"])
    func `is found with its plus sign in either spelling`(_ key: String) throws {
        let identifier = fresh()
        try registry.publish(BundleForge(identifier, "1.0+5", "2+3"))
        let answer = try registry.get("/v1/bundles/\(identifier)/releases/\(key)")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.0+5~2+3")
    }
}
