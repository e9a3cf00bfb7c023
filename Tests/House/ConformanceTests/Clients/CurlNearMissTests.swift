import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// Commands that users type instead of those of docs/publishing.md. Each case starts curl; `make test` has one run for several
/// (`CurlSmokeTests`).
@Suite(.part(.contract), .enabled(if: Shell.has("curl"), "needs curl")) struct `A user of curl who types something near`
{
    let registry: Registry
    let bundle: BundleForge

    init() throws {
        registry = try Registries.open()
        bundle = BundleForge(fresh(), text: Noise.text(4_000))
    }

    private func curl(_ arguments: String, authorization: String = "Bearer \(Registry.adminToken)") -> String {
        Shell.run("curl -sS -m 60 -w '\\n%{http_code}' -H 'Authorization: \(authorization)' \(arguments)").output
    }

    private var bundles: String { "\(registry.url)/v1/bundles" }

    private func file(_ name: String, _ bytes: [UInt8]? = nil) throws -> String {
        let folder = "\(registry.home.folder.path)/\(bundle.identifier)"
        #expect(Shell.run("mkdir -p '\(folder)'").status == 0)
        return try registry.home.file("\(bundle.identifier)/\(name)", bytes ?? bundle.archive)
    }

    @Test(arguments: [
        "x.ipa", "x.bundle", "x", "x.bundle.zip", "X.ZIP", "My Widget (1).zip", "x.tgz", ".zip", "größe.zip",
    ])
    func `-T publishes a file of any name`(_ name: String) throws {
        #expect(curl("-T '\(try file(name))' '\(bundles)/'").hasSuffix("\n201"))
        #expect(try registry.resolve(bundle.identifier).status == 200)
    }

    @Test(arguments: ["", "/"])
    func `-T, --data-binary and -F publish with and without a slash at the end of the address`(_ end: String) throws {
        let path = try file("x.zip")
        #expect(curl("-T '\(path)' '\(bundles)\(end)'").hasSuffix("\n201"))
        #expect(curl("--data-binary '@\(path)' '\(bundles)\(end)'").hasSuffix("\n200"))
        #expect(curl("-F 'bundle=@\(path)' '\(bundles)\(end)'").hasSuffix("\n200"))
        #expect(curl("-T - '\(bundles)\(end)' < '\(path)'").hasSuffix("\n200"))
    }

    @Test func `A .tgz is refused as gzip, with the way to make a zip`() throws {
        let folder = try file("Info.plist").dropLast("/Info.plist".count)
        #expect(Shell.run("tar -czf '\(folder)/x.tgz' -C '\(folder)' Info.plist").status == 0)
        let answer = curl("-T '\(folder)/x.tgz' '\(bundles)/'")
        #expect(answer.hasSuffix("\n400") && answer.contains("gzip") && answer.contains("zip -r"), "\(answer)")
        #expect(Shell.run("tar -cf '\(folder)/x.tar' -C '\(folder)' Info.plist").status == 0)
        let tar = curl("-T '\(folder)/x.tar' '\(bundles)/'")
        #expect(tar.hasSuffix("\n400") && tar.contains("a tar archive"), "\(tar)")
    }

    @Test func `-d is refused because it removes bytes from a file`() throws {
        let answer = curl("-d '@\(try file("x.zip"))' '\(bundles)'")
        #expect(answer.hasSuffix("\n400") || answer.hasSuffix("\n422"))
        #expect(answer.contains("--data-binary @FILE"), "\(answer)")
        #expect(try registry.resolve(bundle.identifier).status == 404)
    }

    @Test(arguments: ["--data-binary x.zip", "-d x.zip", "--data-raw @x.zip"])
    func `A file's name in place of the file is refused`(_ arguments: String) {
        let answer = curl("\(arguments) '\(bundles)'")
        #expect(answer.hasSuffix("\n400") && answer.contains("the name of a file"), "\(answer)")
    }

    @Test func `A form's file without an @ before its name is refused with that hint`() {
        let answer = curl("-F bundle=x.zip '\(bundles)'")
        #expect(answer.hasSuffix("\n400") && answer.contains("bundle=@WidgetDemo.zip"), "\(answer)")
    }

    @Test(arguments: [
        ("Token SECRET", "the scheme Token;"), ("SECRET", "no scheme before the token"), ("Bearer", "and no token"),
        ("Bearer SECRET more", "more than one word"),
    ])
    func `A misspelled Authorization field is explained, not reported as an unknown token`(
        _ value: String, _ words: String
    )
        throws
    {
        let secret = Registry.adminToken
        let answer = curl(
            "-T '\(try file("x.zip"))' '\(bundles)/'", authorization: value.replacing("SECRET", with: secret))
        #expect(answer.hasSuffix("\n401") && answer.contains(words), "\(answer)")
        #expect(answer.contains("send Authorization: Bearer wdg_") && !answer.contains(secret))
    }

    @Test func `-u is refused because it sends Basic`() throws {
        let path = try file("x.zip")
        let answer = Shell.run(
            "curl -sS -m 60 -w '\\n%{http_code}' -u 'x:\(Registry.adminToken)' -T '\(path)' '\(bundles)/'"
        ).output
        #expect(answer.hasSuffix("\n401") && answer.contains("the scheme Basic, as curl -u"), "\(answer)")
    }

    @Test func `An .xcarchive with one application is published, with a warning`() throws {
        let app = "W.xcarchive/Products/Applications/Weather.app"
        let archive = ForgedArchive.of(
            bundle.contents.map { ("\(app)/\($0.path)", $0.bytes) } + [
                ("W.xcarchive/Info.plist", bundle.infoPlist), ("W.xcarchive/dSYMs/Weather.app.dSYM/x", [1, 2]),
            ])
        let answer = curl("-T '\(try file("W.xcarchive.zip", archive))' '\(bundles)/'")
        #expect(answer.hasSuffix("\n201") && answer.contains("from-xcode-archive"), "\(answer)")
        #expect(try registry.resolve(bundle.identifier).text("candidates.0.name") == "Weather")
    }

    @Test func `An ambiguous .xcarchive is refused with the folder to zip`() throws {
        let inside = ForgedArchive.of(
            bundle.contents.map { ("Products/Applications/Weather.app/\($0.path)", $0.bytes) } + [
                ("Info.plist", bundle.infoPlist)
            ])
        let answer = curl("-T '\(try file("inside.zip", inside))' '\(bundles)/'")
        #expect(answer.hasSuffix("\n422") && answer.contains("zip Products/Applications/Weather.app"), "\(answer)")
        let none = ForgedArchive.of([("W.xcarchive/Info.plist", bundle.infoPlist)])
        let empty = curl("-T '\(try file("none.zip", none))' '\(bundles)/'")
        #expect(empty.hasSuffix("\n422") && empty.contains("no application in Products/Applications"), "\(empty)")
    }

    @Test(arguments: [
        (["Feed.json"], "Info.plist is missing beside Feed.json"),
        (["X.bundle/Feed.json"], "Info.plist is missing beside Feed.json"),
        (["X.bundle/info.plist"], "Rename info.plist to Info.plist"),
        (["Clock/Info.plist"], "it has to be called Clock.bundle"), (["a/X.bundle/Info.plist"], "zip a/X.bundle alone"),
        ([], "the archive is empty"),
    ])
    func `A missing Info.plist is refused with its expected place`(_ paths: [String], _ words: String) throws {
        let archive = ForgedArchive.of(paths.map { ($0, bundle.infoPlist) })
        let answer = curl("-T '\(try file("x.zip", archive))' '\(bundles)/'")
        #expect(answer.hasSuffix("\n422") && answer.contains(words), "\(answer)")
    }
}

/// Addresses that hosts and people try.
@Suite struct `An address that is nearly right` {
    let registry: Registry
    let identifier = fresh()

    init() throws {
        registry = try Registries.open()
        try registry.publish(BundleForge(identifier))
    }

    @Test func `An address with the archive's folder gives the archive`() throws {
        let plain = try registry.get("/v1/widgets/\(identifier)/Sample.zip")
        let full = try registry.get("/v1/widgets/\(identifier)/Sample.bundle.zip")
        #expect(plain.status == 200 && full.status == 200 && plain.body == full.body)
        #expect(try registry.get("/v1/widgets/\(identifier)/Other.bundle.zip").status == 404)
        #expect(try registry.get("/v1/widgets/\(identifier)/.bundle.zip").status == 404)
    }

    @Test func `The address of the version introduces the registry`() throws {
        for path in ["/v1", "/v1/"] {
            let answer = try registry.get(path)
            #expect(answer.status == 200 && answer["api.0"]?.string == "v1", "\(path)")
        }
    }

    @Test func `The address of the problems lists them all`() throws {
        for path in ["/problems", "/problems/"] {
            let answer = try registry.get(path)
            #expect(answer.status == 200 && answer.text.contains("404  /problems/not-found  "), "\(path)")
        }
        let page = try registry.get("/problems/", "Accept: text/html")
        #expect(page.value("Content-Type") == "text/html; charset=utf-8")
        #expect(
            page.text.contains("<a href=\"/problems/withdrawn\">") && page.value("Vary")?.contains("Accept") == true)
    }

    @Test func `The address of a problem is text, and HTML for browsers`() throws {
        #expect(try registry.get("/problems/not-found").value("Content-Type") == "text/plain; charset=utf-8")
        let browser = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        let answer = try registry.get("/problems/not-found", browser)
        #expect(answer.status == 200 && answer.text.contains("<h1>There is nothing here</h1>"))
        #expect(answer.value("Content-Security-Policy")?.contains("default-src 'none'") == true)
    }

    @Test func `The start page is the list of bundles for programs`() throws {
        let answer = try registry.get("/?limit=1", "Accept: application/json")
        #expect(answer.status == 200 && answer.value("Content-Type") == "application/json")
        #expect(answer.names().contains("items") && answer.value("Vary")?.contains("Accept") == true)
        let page = try registry.get("/")
        #expect(page.value("Content-Type") == "text/html; charset=utf-8")
        #expect(page.value("Vary")?.contains("Accept") == true && page.text.contains("<h1>Bundles</h1>"))
    }

    @Test func `OPTIONS on a nearly right address answers as on the right one`() throws {
        let allowed = try ["/v1/bundles/\(identifier)", "/v1/bundles/Any.zip"].map {
            try registry.ask("OPTIONS", $0).value("Allow")
        }
        #expect(allowed == ["GET, HEAD, PUT, OPTIONS", "GET, HEAD, PUT, OPTIONS"])
        let paths = try #require(JSONNames.of(try registry.get("/openapi.json"), "paths"))
        #expect(
            paths.filter { $0.hasPrefix("/v1/bundles/{") && !$0.dropFirst(12).contains("/") } == ["/v1/bundles/{id}"])
    }

    private enum JSONNames {
        static func of(_ answer: WireAnswer, _ path: String) -> [String]? { answer.names(path) }
    }
}
