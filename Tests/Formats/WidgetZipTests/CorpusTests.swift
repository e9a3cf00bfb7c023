import Testing
import WidgetFiles
import WidgetTestSupport
import WidgetZip

/// The forged archives as files: seeds for the fuzzer, and samples for other tools.
///
/// `WIDGET_WRITE_CORPUS=1` writes them anew; otherwise the files must say what the tables say.
@Suite struct `The corpus of archives` {
    static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/zip"

    private static var refused: [(name: String, refusal: Refusal)] {
        let tables: [(String, [Refusal])] = [
            ("framing", `Framing of an archive`.refusals), ("zip64", `Zip64`.refusals),
            ("agreement", `The two headers of an entry`.refusals),
            ("feature", `Features beyond stored and deflate`.flags + `Features beyond stored and deflate`.extras),
            ("name", `A name without the flag of UTF-8`.refusals), ("type", `The type of an entry`.refusals),
            ("data", `The data of an entry`.refusals),
        ]
        return tables.flatMap { area, refusals in
            refusals.map { ("\(area)-\(slug($0.testDescription))", $0) }
        }
    }

    private static func slug(_ sentence: String) -> String {
        sentence.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    }

    private static var accepted: [(name: String, forge: ZipForge)] {
        [
            ("plain", Forged.plain()), ("descriptor", Forged.described()),
            ("descriptor-unsigned", Forged.describedUnsigned()),
            ("zip64", Forged.wide()), ("zip64-descriptor", Forged.wideDescribed()), ("empty", ZipForge()),
            ("unmarked-name-by-unix", `A name without the flag of UTF-8`.unmarked()),
            ("unmarked-name-by-macos", `A name without the flag of UTF-8`.unmarked(host: 19)),
            ("comment-with-line-breaks", Forged.commented()),
        ]
    }

    /// Every archive that is small enough to keep.
    private static var files: [(path: String, bytes: [UInt8])] {
        let refused = refused.map { name, refusal in
            var forge = refusal.base()
            refusal.defect(&forge)
            return ("refuse/\(name).zip", forge.build().bytes)
        }
        return (refused + accepted.map { ("accept/\($0).zip", $1.build().bytes) }).filter { $0.1.count < 16 << 10 }
    }

    @Test(.enabled(if: Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it")) func `The corpus of archives is written`()
        throws
    {
        for folder in ["accept", "refuse"] {
            let directory = try Directory(creating: "\(Self.folder)/\(folder)")
            for item in try directory.items(limit: .max) ?? [] { try directory.removeFile(item.name) }
            for (path, bytes) in Self.files where path.hasPrefix(folder) {
                try directory.replaceFile(String(path.dropFirst(folder.count + 1)), with: bytes)
            }
        }
    }

    @Test(.enabled(if: !Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `The corpus of archives is what the tables say, no more and no less`()
        throws
    {
        for (folder, isAccepted) in [("accept", true), ("refuse", false)] {
            let directory = try Directory(opening: "\(Self.folder)/\(folder)")
            let items = try #require(try directory.items(limit: 10_000))
            let expected = Dictionary(
                uniqueKeysWithValues: Self.files.filter { $0.path.hasPrefix(folder) }
                    .map { (String($0.path.dropFirst(folder.count + 1)), $0.bytes) })
            #expect(Set(items.map(\.name)) == Set(expected.keys))
            for item in items {
                let bytes = try directory.openFile(item.name).read(at: 0, count: item.status.byteCount)
                #expect(bytes == expected[item.name], "\(item.name)")
                #expect((try Archive.refusal(bytes) == nil) == isAccepted, "\(item.name)")
            }
        }
    }
}
