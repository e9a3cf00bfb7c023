import Files
import Nib
import TestSupport
import Testing

/// The files that fuzzing starts from, kept in step with what the tests forge.
@Suite struct `The corpus of interfaces` {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/nib"

    private static var files: [(path: String, bytes: [UInt8])] {
        let everyType = ArchiveForge.everyType
        let accepted: [(String, [UInt8])] = [
            ("every-type", everyType.bytes),
            ("coder-9", everyType.with { $0.coderVersion = 9 }.bytes),
            ("bytes-behind", everyType.with { $0.trailing = [0, 0, 0, 1] }.bytes),
            ("tables-in-another-order", everyType.with { $0.order = [2, 0, 3, 1] }.bytes),
            ("long-numbers", everyType.with { $0.tables[0][0] = ArchiveForge.object(0, 0, 11, width: 4) }.bytes),
            ("interface", SampleInterface.archive),
            ("keyed", KeyedForge.interface.forge.bytes),
            ("keyed.xml", Array(KeyedForge.interface.xml.utf8)),
            ("keyed.small", KeyedForge.small.forge.bytes),
            ("keyed.tangled", KeyedForge.tangled.bytes),
        ]
        let refused = RefusedArchive.all.map { refused in
            (refused.testDescription.split(separator: " ").joined(separator: "-"), refused.bytes)
        }
        return accepted.map { ("accept/\($0).nib", $1) } + refused.map { ("refuse/\($0).nib", $1) }
    }

    @Test(.enabled(if: Corpus.isWritten)) func `is written`() throws {
        for folder in ["accept", "refuse"] {
            let directory = try Directory(creating: "\(Self.folder)/\(folder)")
            for item in try directory.items(limit: .max) ?? [] { try directory.removeFile(item.name) }
            for (path, bytes) in Self.files where path.hasPrefix(folder) {
                try directory.replaceFile(String(path.dropFirst(folder.count + 1)), with: bytes)
            }
        }
    }

    @Test(.enabled(if: !Corpus.isWritten)) func `is what the tests forge, no more and no less`() throws {
        for folder in ["accept", "refuse"] {
            let found = Corpus.files(in: "nib/\(folder)")
            let expected = Self.files.filter { $0.path.hasPrefix(folder) }
                .map { (name: String($0.path.dropFirst(folder.count + 1)), bytes: $0.bytes) }
            #expect(found.map(\.name) == expected.map(\.name).sorted())
            for file in found {
                #expect(expected.contains { $0.name == file.name && $0.bytes == file.bytes }, "\(file.name)")
                let isAccepted = (try? NibDocument(parsing: file.bytes)) != nil
                #expect(isAccepted == (folder == "accept"), "\(file.name)")
            }
        }
    }
}
