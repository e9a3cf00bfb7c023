import Bytes
import Plist
import TestSupport
import Testing
import WidgetBundles
import Zip

@Suite struct `What is kept` {
    @Test(arguments: Media.sound.indices) func `is every kind of the allow-list, byte for byte`(_ index: Int) throws {
        let (name, content) = Media.sound[index]
        let taken = try Intake.take(Intake.archive([(name, content)] + FirstScreenFiles.all), strict: true)
        #expect(taken.report.isClean)
        #expect(taken.report.kept.map(\.path).contains(name))
        #expect(try Opened.contents(taken.bytes)["Sample.bundle/\(name)"] == content)
    }

    @Test func `is judged with the whole bundle in view, however much lies between its files`() throws {
        let screen = "{\"A\": {\"elements\": {\"e\": {\"bindings\": [{\"transformer\": \"toDate\"}]}}}}"
        let service = "{\"options\": {\"transformers\": {\"date\": {\"toDate\": {}}}}}"
        let data = Array("{\"a\": \"\(String(repeating: "x", count: 700_000))\"}".utf8)
        let between = (0..<4).map { ("Data\($0).json", data) }
        let files = [("A.json", Array(screen.utf8))] + between
        let whole = try Intake.take(
            Intake.archive(files + [("Z/StubService.json", Array(service.utf8))], stored: true))
        // It has no interface, so nothing is said of the names of elements.
        #expect(whole.report.findings.map(\.code) == ["no-interface"])
        let paths = whole.report.kept.map(\.path)
        #expect(paths == paths.sorted())
        let without = try Intake.take(Intake.archive(files, stored: true))
        #expect(without.report.findings.map(\.code) == ["no-interface", "unknown-transformer"])
    }

    @Test func `is as large as its limits allow, and no larger`() throws {
        var policy = BundlePolicy()
        policy.limits.listObjectCount = 3
        policy.limits.parsedByteCount = 1_000
        let strings = { (count: Int) in Array((0..<count).map { "k\($0)=v;" }.joined().utf8) }
        #expect(
            try Intake.refusal(Intake.archive([("a.json", Media.json)]), policy: policy)?.path
                == "Sample.bundle/Info.plist")
        policy.limits.listObjectCount = 20
        #expect(try Intake.refusal(Intake.archive([("a.strings", strings(20))]), policy: policy) == nil)
        let many = try Intake.refusal(Intake.archive([("a.strings", strings(21))]), policy: policy)
        guard case .plist(.strings, let error) = many?.reason else {
            Issue.record("\(String(describing: many))")
            return
        }
        #expect(error.reason == .limitReached(.objectCount, limit: 20))
        let large = Array("[\(String(repeating: " ", count: 999))]".utf8)
        let error2 = try Intake.refusal(Intake.archive([("a.json", large)], stored: true), policy: policy)
        #expect(error2?.reason == .tooLargeToRead(limit: 1_000))
        policy.limits.parsedByteCount = 2 << 20
        let larger = Array("[\(String(repeating: " ", count: 1 << 20))]".utf8)
        #expect(try Intake.refusal(Intake.archive([("a.json", larger)], stored: true), policy: policy) == nil)
    }

    @Test func `does not depend on who packed it`() throws {
        let one = try Intake.take(Intake.archive(Media.sound))
        let other = try Intake.take(Intake.archive(Media.sound.reversed(), stored: true))
        #expect(one.report.contentDigest == other.report.contentDigest)
        #expect(one.report.digest != other.report.digest)
        #expect(one.bundle.manifest == other.bundle.manifest)
    }

    @Test func `is written the same a second time`() throws {
        let once = try Intake.take(
            Intake.archive(Media.sound + FirstScreenFiles.all + [("Sample", [0xFE, 0xED, 0xFA, 0xCE])]))
        let twice = try Intake.take(once.bytes, strict: true)
        #expect(once.bytes == twice.bytes)
    }

    @Test func `has the content digest that anyone can compute`() throws {
        let taken = try Intake.take(Intake.archive([("a.json", Media.json)]))
        var list = ""
        for file in taken.bundle.files { list += "\(file.path)\0\(file.byteCount)\0\(file.digest.hex)\n" }
        #expect(taken.bundle.files.map(\.path) == ["Info.plist", "a.json"])
        #expect(taken.bundle.contentDigest == .sha256(Array(list.utf8)))
        #expect(taken.bundle.digest == .sha256(taken.bytes))
    }

    @Test func `can be read at its offset in the archive`() throws {
        let taken = try Intake.take(Intake.archive([("a.json", Media.json), ("b.png", Media.png())], stored: true))
        for file in taken.bundle.files {
            #expect(file.method == .stored && file.compressedByteCount == file.byteCount)
            let content = Array(taken.bytes[file.offset..<(file.offset + file.byteCount)])
            #expect(file.digest == .sha256(content))
        }
    }

    @Test func `begins with its folder and holds the folders of its files`() throws {
        let taken = try Intake.take(Intake.archive([("en.lproj/x/a.json", Media.json)]))
        let names = try Opened.contents(taken.bytes).keys.sorted()
        #expect(
            names == [
                "Sample.bundle/", "Sample.bundle/Info.plist", "Sample.bundle/en.lproj/", "Sample.bundle/en.lproj/x/",
                "Sample.bundle/en.lproj/x/a.json",
            ])
    }

    @Test func `follows the policy`() throws {
        var policy = BundlePolicy()
        policy.kept.append("*.pdf")
        let pdf = Array("%PDF-1.7\n%%EOF".utf8)
        let archive = Intake.archive([("a.pdf", pdf)] + FirstScreenFiles.all)
        #expect(try Intake.take(archive, strict: true, policy: policy).report.isClean)
        policy.kept = ["Info.plist"]
        let taken = try Intake.take(Intake.archive([("a.json", Media.json)]), policy: policy)
        #expect(taken.report.stripped.map(\.rule) == [.notAllowed])
    }

    @Test func `never is code, whatever the policy`() throws {
        var policy = BundlePolicy()
        policy.kept = ["*"]
        for name in ["a.dylib", "a.js", "a.sh", "a.py", "a.zip", "a.mobileprovision"] {
            let taken = try Intake.take(Intake.archive([(name, [1, 2, 3])]), policy: policy)
            #expect(taken.report.stripped.map(\.path) == ["Sample.bundle/\(name)"])
        }
        let error = try Intake.refusal(Intake.archive([("a.txt", [0x7F, 0x45, 0x4C, 0x46])]), policy: policy)
        #expect(error?.reason == .disguised(name: .other, content: .elf))
    }
}
