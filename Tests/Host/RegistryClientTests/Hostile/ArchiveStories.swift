import ConformanceSupport
import HostileServer
import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetTestSupport

/// Archives whose size and digest are as announced, and that no registry would have taken.
enum ArchiveStories {
    static let all = bundles + archives

    static func story(_ name: String, _ words: String, _ archive: [UInt8]) -> Story {
        Story(name, .refused(words)) { lie in
            lie.document = { document in
                var candidate = document.candidates[0]
                var file = FileDocument()
                file.path = "Info.plist"
                file.digest = Digest.sha256([]) ?? file.digest
                candidate.files = [file]
                candidate.fit()
                candidate.byteCount = archive.count
                candidate.digest = Digest.sha256(archive) ?? candidate.digest
                candidate.url = RegistryPath.blob(candidate.digest)
                document.candidates[0] = candidate
            }
            lie.archive = { _ in archive }
        }
    }

    /// The corpus of archives that are not read in exactly one way.
    private static var archives: [Story] {
        Corpus.files(in: "zip/refuse").map { story("an archive: \($0.name)", "the bundle is refused", $0.bytes) }
    }

    private static let mach: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1] + [UInt8](repeating: 0, count: 64)

    private static var bundles: [Story] {
        let sample = BundleForge.sample()
        func named(_ names: String...) -> [UInt8] {
            ZipForge(
                sample.contents.map { .init(Array("Sample.bundle/\($0.path)".utf8), $0.bytes) }
                    + names.map { .init(Array($0.utf8), Array("{}".utf8)) }
            ).build().bytes
        }
        func with(_ path: String, _ bytes: [UInt8]) -> [UInt8] { sample.adding(path, bytes: bytes).archive }
        func with(_ path: String, _ text: String) -> [UInt8] { sample.adding(path, text).archive }
        return [
            story("a bundle with a path up", "the bundle is refused", named("Sample.bundle/../../up.json")),
            story("a bundle with an absolute path", "the bundle is refused", named("/tmp/absolute.json")),
            story("a bundle with a drive", "the bundle is refused", named("C:/drive.json")),
            story("a bundle with a backslash", "the bundle is refused", named("Sample.bundle\\..\\back.json")),
            story("a bundle with a NUL in a name", "the bundle is refused", named("Sample.bundle/a\0b.json")),
            story("a bundle with a line end in a name", "the bundle is refused", named("Sample.bundle/a\nb.json")),
            story("a bundle with a name twice", "the bundle is refused", named("Sample.bundle/Scheme.json")),
            story("a bundle with a name in two cases", "the bundle is refused", named("Sample.bundle/SCHEME.json")),
            story(
                "a bundle with a name in two forms", "the bundle is refused",
                named("Sample.bundle/\u{E9}.json", "Sample.bundle/e\u{301}.json")),
            story("a bundle with a file for a folder", "the bundle is refused", named("Sample.bundle/en.lproj")),
            story("a bundle beside another", "the bundle is refused", named("Other.bundle/Info.plist")),
            story("a bundle with a file beside it", "the bundle is refused", named("beside.json")),
            story(
                "a bundle with a program", "the bundle is refused",
                sample.adding("Sample", bytes: mach).with { $0.info = [("CFBundleExecutable", "Sample")] }.archive),
            story("a bundle with a program named as a picture", "the bundle is refused", with("image.png", mach)),
            story(
                "a bundle with ELF named as JSON", "the bundle is refused",
                with("elf.json", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0])),
            story("a bundle with a framework", "the bundle is refused", with("Frameworks/A.framework/A", mach)),
            story("a bundle with a script", "the bundle is refused", with("run.sh", "#!/bin/sh\n")),
            story("a bundle with an archive", "the bundle is refused", with("more.zip", sample.archive)),
            story("a bundle with a page", "the bundle is refused", with("index.html", "<script>1</script>")),
            story("a bundle with litter", "the bundle is refused", with(".DS_Store", "x")),
            story("a bundle with invalid JSON", "the bundle is refused", with("Bad.json", "{")),
            story(
                "a bundle with entities", "the bundle is refused",
                with(
                    "Entities.plist",
                    "<!DOCTYPE p [<!ENTITY a \"b\">]><plist version=\"1.0\"><string>&a;</string></plist>")),
            story(
                "a bundle without Info.plist", "the bundle is refused",
                ZipForge([.init(Array("Sample.bundle/Scheme.json".utf8), Array("{}".utf8))]).build().bytes),
            story("a bundle of five thousand files", "the bundle is refused", many(sample)),
            story(
                "a bundle forty folders deep", "the bundle is refused",
                named("Sample.bundle/" + String(repeating: "a/", count: 40) + "a.json")),
            story(
                "a bundle with a call in a predicate", "the bundle is refused",
                with("FeedViewController.json", RefusalTexts.call)),
            story(
                "a bundle with files for a service", "the bundle is refused", with("Service.json", RefusalTexts.service)
            ),
            story("no archive at all", "the bundle is refused", Array("PK nonsense".utf8)),
        ]
    }

    private static func many(_ sample: BundleForge) -> [UInt8] {
        sample.with { forge in
            for number in 0..<5_000 { forge.files.append(("\(number).json", Array("{}".utf8))) }
        }.archive
    }
}

enum RefusalTexts {
    static let call = """
        {"FeedViewController": {"elements": {"label": {"bindings": [{"predicateFormat":
        "FUNCTION(SELF, 'terminate') = 1"}]}}}}
        """
    static let service = "{\"defaults\": {\"baseUrl\": \"file:///etc\"}}"
}

/// A mandatory release, announced by a registry that lies.
enum MandatoryStories {
    /// Announcements of something that has to be run instead of what is there, and cannot be had.
    static var all: [Story] {
        func story(_ name: String, _ words: String, _ change: @escaping (inout HostileRegistry.Lie) -> Void) -> Story {
            Story("mandatory, \(name)", .refused(words)) { lie in
                change(&lie)
                let document = lie.document
                lie.document = {
                    document(&$0)
                    $0.isMandatory = true
                }
            }
        }
        return [
            story("and gone", "does not have it") { lie in
                lie.document = { $0.candidates[0] = nowhere($0.candidates[0]) }
                lie.onArchive = { visit, _ in visit.answer(404) }
            },
            story("and of another digest", "SHA-256") { lie in
                lie.document = { $0.candidates[0] = nowhere($0.candidates[0]) }
            },
            story("and of another bundle", "does not begin") { lie in
                lie.document = { $0.bundleIdentifier = "com.example.Other" }
            },
            story("and an archive elsewhere", "not at the registry") { lie in
                lie.document = { $0.candidates[0].url = "http://elsewhere.test/x" }
            },
            story("and no answer", "the connection was lost") { lie in lie.onArchive = { visit, _ in visit.reset() } },
            story("and cut off for ever", "the connection was lost") { lie in
                lie.onArchive = { visit, bytes in
                    let tag = "sha256-\(visit.request.target.suffix(64))"
                    visit.send("HTTP/1.1 200 OK\r\nETag: \"\(tag)\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
                }
            },
            story("and of another size", "size is impossible") { lie in
                lie.document = { $0.candidates[0].byteCount = .max }
            },
            Story("mandatory, and there", .right) { lie in lie.document = { $0.isMandatory = true } },
            Story(
                "mandatory, and a number", .refused("cannot be read"), replacing: "\"mandatory\":false",
                with: "\"mandatory\":1"),
            Story(
                "mandatory, and nothing", empty: .refused("no release for this installation"), there: .same
            ) { lie in lie.document = { ($0.isMandatory, $0.candidates) = (true, []) } },
        ]
    }

    /// A candidate of which the host has nothing, and which does not exist.
    private static func nowhere(_ candidate: ReleaseCandidate) -> ReleaseCandidate {
        var candidate = candidate
        candidate.digest = Digest(repeating: 9)
        candidate.url = RegistryPath.blob(candidate.digest)
        candidate.files = candidate.files.map { file in
            var file = file
            file.digest = Digest(repeating: 9)
            return file
        }
        candidate.fit()
        return candidate
    }
}
