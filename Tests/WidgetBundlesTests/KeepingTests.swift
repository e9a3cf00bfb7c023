import Bytes
import TestSupport
import Testing
import WidgetBundles
import Zip

@Suite struct `What is kept` {
    @Test(arguments: Media.sound.indices) func `is every kind of the allow-list, byte for byte`(_ index: Int) throws {
        let (name, content) = Media.sound[index]
        let taken = try Intake.take(Intake.archive([(name, content)]), strict: true)
        #expect(taken.report.isClean)
        #expect(taken.report.kept.map(\.path).contains(name))
        #expect(try Opened.contents(taken.bytes)["Sample.bundle/\(name)"] == content)
    }

    @Test func `does not depend on who packed it`() throws {
        let one = try Intake.take(Intake.archive(Media.sound))
        let other = try Intake.take(Intake.archive(Media.sound.reversed(), stored: true))
        #expect(one.report.contentDigest == other.report.contentDigest)
        #expect(one.report.digest != other.report.digest)
        #expect(one.bundle.manifest == other.bundle.manifest)
    }

    @Test func `is written the same a second time`() throws {
        let once = try Intake.take(Intake.archive(Media.sound + [("Sample", [0xFE, 0xED, 0xFA, 0xCE])]))
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
        #expect(try Intake.take(Intake.archive([("a.pdf", pdf)]), strict: true, policy: policy).report.isClean)
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
