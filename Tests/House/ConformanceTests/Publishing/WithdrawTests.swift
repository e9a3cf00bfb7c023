import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §3: taking a release back, and bringing it back.
@Suite struct `Withdrawing` {
    let registry: Registry
    let identifier = fresh()

    init() throws {
        registry = try Registries.open()
        try registry.publish(identifier, releases: 2)
    }

    private var base: String { "/v1/bundles/\(identifier)/releases/1.1~1" }

    @Test func `Withdrawing answers 200 with the release and the time of withdrawal`() throws {
        let answer = try registry.withdraw(identifier, "1.1~1")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.1~1")
        #expect(answer.names("withdrawn") == ["at", "reason"])
        #expect(answer.text("withdrawn.at")?.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
    }

    @Test(arguments: ["%C2%9B31m", "%E2%80%AEtxt", "a%E2%80%A8b", "%EF%BB%BF"])
    func `A reason with formatting characters is refused`(_ reason: String) throws {
        let answer = try registry.ask("DELETE", "\(base)?reason=\(reason)", token: Registry.adminToken)
        #expect(answer.status == 400)
        #expect(try registry.get(base).status == 200)
    }

    @Test(arguments: ["", "/report", "/files", "/files/Info.plist"])
    func `Withdrawing makes each address of the release 410`(_ part: String) throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.get(base + part)
        #expect(answer.status == 410)
        #expect(answer.problemCode == "withdrawn")
        #expect(answer.text("detail")?.contains(/20\d\d-\d\d-\d\d/) == true)
    }

    @Test func `Withdrawing makes the blob 410, also for conditional requests`() throws {
        let url = try #require(try registry.release(identifier, "1.1~1").text("url"))
        let tag = try #require(try registry.get(url).value("ETag"))
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.get(url).status == 410)
        #expect(try registry.get(url, "If-None-Match: \(tag)").status == 410)
        #expect(try registry.get(url, "Range: bytes=0-1").status == 410)
        #expect(try registry.head(url).status == 410)
    }

    @Test func `Withdrawing keeps a blob that another release shares`() throws {
        let bundle = BundleForge(identifier, "3.0")
        try registry.publish(bundle)
        let snapshot = try registry.publish(bundle, "channel=dev")
        #expect(try registry.withdraw(identifier, "3.0~1").status == 200)
        #expect(try registry.get(try #require(snapshot.text("url"))).status == 200)
    }

    @Test func `A withdrawn release shows the reason`() throws {
        let answer = try registry.write("DELETE", base, "{\"reason\": \"It shows the wrong year\"}")
        #expect(answer.status == 200)
        #expect(answer.text("withdrawn.reason") == "It shows the wrong year")
        #expect(try registry.get(base).text("detail")?.contains("It shows the wrong year") == true)
    }

    @Test func `A withdrawn release stays in the list`() throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.get("/v1/bundles/\(identifier)/releases")
        #expect(answer.texts("items", "release") == ["1.1~1", "1.0~1"])
        #expect(answer.names("items.0.withdrawn") == ["at", "reason"])
        #expect(answer["items.1.withdrawn"] == nil)
    }

    @Test func `The channel falls back to the highest release of its history`() throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.resolve(identifier)
        #expect(answer.texts("candidates", "release") == ["1.0~1"])
        #expect(answer.buckets == [[0, 10_000]])
        #expect(try registry.channel(identifier).text("release") == "1.0~1")
    }

    @Test func `Withdrawing raises the sequence of the channel`() throws {
        let before = try #require(try registry.channel(identifier).number("sequence"))
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.channel(identifier).number("sequence").map { $0 > before } == true)
    }

    @Test func `The channel never falls back to a release that it did not show`() throws {
        try registry.publish(BundleForge(identifier, "1.2"), "channel=beta")
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.0~1"])
    }

    @Test func `Withdrawing every release makes the widget 410`() throws {
        for key in ["1.1~1", "1.0~1"] { #expect(try registry.withdraw(identifier, key).status == 200) }
        for path in ["", "/bundle", "/Sample.zip"] {
            let answer = try registry.get("/v1/widgets/\(identifier)\(path)")
            #expect(answer.status == 410, "\(path)")
            #expect(answer.problemCode == "withdrawn")
        }
    }

    @Test func `Withdrawing every release leaves the bundle visible`() throws {
        for key in ["1.1~1", "1.0~1"] { #expect(try registry.withdraw(identifier, key).status == 200) }
        #expect(try registry.get("/v1/bundles/\(identifier)").status == 200)
        #expect(try registry.get("/v1/bundles/\(identifier)/releases")["items"]?.array?.count == 2)
    }

    @Test func `Withdrawing every release lets a new release be published`() throws {
        for key in ["1.1~1", "1.0~1"] { #expect(try registry.withdraw(identifier, key).status == 200) }
        try registry.publish(BundleForge(identifier, "1.2"))
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.2~1"])
    }

    @Test func `Withdrawing again changes nothing`() throws {
        let first = try registry.withdraw(identifier, "1.1~1")
        let sequence = try registry.channel(identifier).number("sequence")
        let second = try registry.withdraw(identifier, "1.1~1")
        #expect(second.status == 200)
        #expect(second.text("withdrawn.at") == first.text("withdrawn.at"))
        #expect(try registry.channel(identifier).number("sequence") == sequence)
    }

    @Test func `Withdrawing an unknown release is 404`() throws {
        #expect(try registry.withdraw(identifier, "9.9~9").problemCode == "no-such-release")
        #expect(try registry.withdraw(fresh(), "1.0~1").problemCode == "no-such-bundle")
    }

    // MARK: And back

    @Test func `Restoring undoes a withdrawal`() throws {
        let before = try registry.release(identifier, "1.1~1")
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        let answer = try registry.restore(identifier, "1.1~1")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.1~1")
        #expect(answer["withdrawn"] == nil)
        let after = try registry.release(identifier, "1.1~1")
        #expect(after.status == 200)
        #expect(after.text("sha256") == before.text("sha256"))
        #expect(try registry.get(try #require(after.text("url"))).status == 200)
        #expect(try registry.get(base + "/files/Info.plist").status == 200)
    }

    @Test func `Restoring brings back the channel that fell back because of the withdrawal`() throws {
        let before = try #require(try registry.channel(identifier).number("sequence"))
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.restore(identifier, "1.1~1").status == 200)
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.1~1"])
        #expect(try registry.channel(identifier).number("sequence").map { $0 >= before + 2 } == true)
    }

    @Test func `Restoring leaves a channel that has moved on`() throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        try registry.publish(BundleForge(identifier, "1.2"))
        #expect(try registry.restore(identifier, "1.1~1").status == 200)
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.2~1"])
    }

    @Test func `Restoring a widget without releases shows it again`() throws {
        for key in ["1.0~1", "1.1~1"] { #expect(try registry.withdraw(identifier, key).status == 200) }
        #expect(try registry.restore(identifier, "1.1~1").status == 200)
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.1~1"])
    }

    @Test func `Restoring twice changes nothing the second time`() throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.restore(identifier, "1.1~1").status == 200)
        let sequence = try registry.channel(identifier).number("sequence")
        let again = try registry.restore(identifier, "1.1~1")
        #expect(again.status == 200 || again.status == 409)
        #expect(try registry.channel(identifier).number("sequence") == sequence)
    }

    @Test func `Publishing the same after restoring works as usual`() throws {
        #expect(try registry.withdraw(identifier, "1.1~1").status == 200)
        #expect(try registry.restore(identifier, "1.1~1").status == 200)
        #expect(try registry.post(BundleForge(identifier, "1.1").archive).flag("changed") == false)
    }
}
