import JSONText
import Testing
import WidgetPlist
import WidgetTestSupport

@testable import WidgetBundles

/// Goal: the schema of `Info.plist` allows what the registry takes. Method: the same values, asked of both.
@Suite struct `The schema of the manifest` {
    private let check: DraftSevenCheck

    init() throws { check = DraftSevenCheck(try PlainJSON(BundleManifest.schema.json)) }

    private func complaints(_ members: [String: PlainJSON]) -> [String] { check.complaints(.object(members)) }

    @Test(arguments: ["Aviary", "HarbourLog", "Herbarium", "Planetarium", "Postcard"])
    func `The schema of the manifest accepts the manifests of the samples`(name: String) throws {
        let files = Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
        let root = try PlistValue(parsing: try #require(files["Info.plist"]))
        let dictionary = try #require(root.dictionary)
        var members: [String: PlainJSON] = [:]
        for (key, value) in zip(dictionary.keys, dictionary.values) {
            members[key] = value.string.map { .text($0) } ?? .boolean(true)
        }
        #expect(members.count >= 4)
        #expect(complaints(members) == [])
    }

    @Test(arguments: [
        "a.b", "com.example.Sample-1", "com", "", "a..b", "-a.b", "a-.b", "a.b.", "a b.c", "ä.b", "a.b/c",
        "a.\(String(repeating: "b", count: 153))", "a.\(String(repeating: "b", count: 154))",
    ])
    func `The schema of the manifest has the law of identifiers`(text: String) {
        #expect(complaints(["CFBundleIdentifier": .text(text)]).isEmpty == BundleManifest.isIdentifier(text))
    }

    @Test(arguments: [
        "1.0", "1", "2.3-beta+4_x", "", "1 0", "1/0", "½", String(repeating: "9", count: 64),
        String(repeating: "9", count: 65),
    ])
    func `The schema of the manifest has the law of versions`(text: String) {
        for key in ["CFBundleVersion", "CFBundleShortVersionString", "MinimumOSVersion", "WidgetHostMinimumVersion"] {
            let members: [String: PlainJSON] = ["CFBundleIdentifier": .text("a.b"), key: .text(text)]
            #expect(complaints(members).isEmpty == BundleManifest.isVersion(text))
        }
    }

    @Test func `The schema of the manifest accepts variables that a build replaces, and keys of hosts`() {
        let members: [String: PlainJSON] = [
            "CFBundleIdentifier": .text("com.example.$(PRODUCT_NAME:rfc1034identifier)"),
            "CFBundleVersion": .text("${CURRENT_PROJECT_VERSION}"), "UIDeviceFamily": .array([.number(1)]),
        ]
        #expect(complaints(members) == [])
    }
}
