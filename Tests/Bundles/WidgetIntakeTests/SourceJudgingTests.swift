import FoundationEssentials
import Testing
import WidgetBuild
import WidgetBundles
import WidgetFiles
import WidgetIntake
import WidgetTestSupport

/// Goal: an author sees all errors of a source in one run. Method: sources with several faults in a folder, built.
@Suite struct `The files of a source` {
    private static func manifest(_ members: String = "") -> String {
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.A</string>\(members)</dict></plist>
        """
    }

    private static func write(_ files: [String: [UInt8]], in root: String) throws {
        _ = try Directory(creating: root)
        for (path, bytes) in files {
            var folder = root
            for part in path.split(separator: "/").dropLast() {
                folder += "/\(part)"
                _ = try Directory(creating: folder)
            }
            try Directory(opening: folder).replaceFile(String(path.split(separator: "/").last ?? ""), with: bytes)
        }
    }

    /// Returns the errors of building a source, or none.
    private static func failure(
        _ texts: [String: String], _ files: [String: [UInt8]] = [:], in scratch: borrowing ScratchDirectory
    ) throws -> BuildFailure? {
        try write(texts.mapValues { Array($0.utf8) }.merging(files) { own, _ in own }, in: "\(scratch.path)/A")
        do throws(SourceError) {
            _ = try BundleSource(compiling: "\(scratch.path)/A")
            return nil
        } catch {
            guard case .build(let failure) = error else { throw error }
            return failure
        }
    }

    private static let webP = Array("RIFF".utf8) + [12, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [0, 0, 0, 0]

    @Test func `The errors of all files are found in one run, those of copied files among them`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let images = #"{"images": [{"filename": "a.png"}]}"#
        for folder in ["A", "A/Deep"] { _ = try Directory(creating: "\(scratch.path)/\(folder)") }
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/A/Deep/link.json", withDestinationPath: "/etc/passwd")
        let failure = try Self.failure(
            [
                "Info.plist": Self.manifest(
                    "<key>CFBundleVersion</key><integer>1</integer><key>MinimumOSVersion</key><string>a b</string>"),
                "First.json": "{\n  \"a\": }", "Second.json": "[1,]", "Broken.strings": "\"a\" = \"b\"\n\"c\" = \"d\";",
                "Main.storyboard": "<document>", "Data.plist": "<plist><dict><key>a</key></dict></plist>",
                "Art.xcassets/b.imageset/Contents.json": images,
                "Service.json": #"{"defaults": {"baseUrl": "file:///x"}}"#, "sound.json": #"{"a": 1}"#,
                String(repeating: "d/", count: 17) + "e.json": "{}",
            ], ["sun.png": Self.webP, "Art.xcassets/b.imageset/a.png": Self.webP, "empty.gif": []],
            in: scratch)
        let found = try #require(failure).errors.map { "\($0)".replacing("\(scratch.path)/A/", with: "") }
        let expected = [
            "Art.xcassets/b.imageset/a.png: it is a WebP picture; name it `.webp`",
            "Broken.strings:2:1: it is not a sound strings file", "Data.plist:1:", "Deep/link.json: this is neither",
            "First.json:2:8: ", "Info.plist: CFBundleVersion is not a string",
            "Info.plist: MinimumOSVersion is not a version", "Main.storyboard:1:11: ", "Second.json:1:3: ",
            "Service.json:1:27: \"file:\" is not the address of a web service",
            "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d: folders lie deeper than 16",
            "empty.gif: it is not a sound GIF file", "sun.png: it is a WebP picture; name it `.webp`",
        ]
        #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
        for (error, words) in zip(found, expected) { #expect(error.hasPrefix(words), "\(error)") }
    }

    @Test func `A fault of the property list that two rules find is one error`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let failure = try Self.failure(
            ["Info.plist": "<plist><dict><key>CFBundleVersion</key><string>/</string></dict></plist>"], in: scratch)
        #expect(
            failure?.errors.map(\.sentence) == [
                "CFBundleIdentifier is missing", "CFBundleVersion is not a version: 1 to 64 of A-Z a-z 0-9 . _ + -",
            ])
    }

    @Test func `The empty files of an interface with an error are not judged`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let storyboard = """
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB"><scenes><scene sceneID="s"><objects>
            <viewController id="vc" sceneMemberID="viewController"><view key="view" id="v"><subviews>
            <fluxView id="f"/></subviews></view></viewController></objects></scene></scenes></document>
            """
        let failure = try Self.failure(["Info.plist": Self.manifest(), "Main.storyboard": storyboard], in: scratch)
        let found = failure?.errors.map { "\($0)".replacing("\(scratch.path)/A/", with: "") }
        #expect(found == ["Main.storyboard:3:1: fluxView cannot be compiled"])
    }

    @Test func `Findings alone are left to the intake, which says more about each`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let texts = [
            "Info.plist": Self.manifest(), "Service.json": #"{"defaults": {"baseUrl": "file:///x"}}"#,
        ]
        #expect(try Self.failure(texts, in: scratch) == nil)
        do throws(SourceError) {
            _ = try BundleSource(compiling: "\(scratch.path)/A").take()
            Issue.record("the address was accepted")
        } catch {
            guard case .bundle(let refusal) = error else { throw error }
            #expect(refusal.code == .policyRefused)
        }
    }

    @Test func `Very many links end the reading with an error`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        _ = try Directory(creating: "\(scratch.path)/A")
        for number in 0...SourceFolder.faultCount {
            try FileManager.default.createSymbolicLink(
                atPath: "\(scratch.path)/A/link\(number)", withDestinationPath: "/etc/passwd")
        }
        let failure = try Self.failure(["Info.plist": Self.manifest()], in: scratch)
        #expect(failure?.errors.map(\.sentence) == ["the source has more than 200 files that cannot be read"])
    }
}
