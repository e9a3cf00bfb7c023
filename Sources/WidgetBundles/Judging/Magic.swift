/// What the first bytes of a file say it is, whatever its name.
///
/// One table for everything that must not be in a bundle. What is legitimate has its own reader and needs no
/// row here.
enum Magic {
    /// How many bytes the table needs to see: an archive of the tar kind has its mark at 257.
    static let byteCount = 4 << 10

    /// `nil` when nothing foreign is recognised.
    static func foreign(_ head: [UInt8]) -> ContentKind? {
        for row in table where head.count >= row.offset + row.bytes.count {
            if head[row.offset...].starts(with: row.bytes) { return row.kind }
        }
        return fat(head) ?? windows(head) ?? python(head) ?? text(head)
    }

    private struct Row {
        var bytes: [UInt8]
        var offset = 0
        var kind: ContentKind

        init(_ bytes: [UInt8], _ kind: ContentKind, at offset: Int = 0) {
            self.bytes = bytes
            self.kind = kind
            self.offset = offset
        }

        init(_ text: String, _ kind: ContentKind, at offset: Int = 0) {
            self.init(Array(text.utf8), kind, at: offset)
        }
    }

    private static let table: [Row] = [
        Row([0xFE, 0xED, 0xFA, 0xCE], .machO), Row([0xCE, 0xFA, 0xED, 0xFE], .machO),
        Row([0xFE, 0xED, 0xFA, 0xCF], .machO), Row([0xCF, 0xFA, 0xED, 0xFE], .machO),
        Row([0xCA, 0xFE, 0xBA, 0xBF], .fatMachO), Row([0xBF, 0xBA, 0xFE, 0xCA], .fatMachO),
        Row([0xBE, 0xBA, 0xFE, 0xCA], .fatMachO),
        Row([0x7F, 0x45, 0x4C, 0x46], .elf),
        Row([0x00, 0x61, 0x73, 0x6D], .wasm),
        Row([0x42, 0x43, 0xC0, 0xDE], .bitcode), Row([0xDE, 0xC0, 0x17, 0x0B], .bitcode),
        Row([0x0B, 0x17, 0xC0, 0xDE], .bitcode),
        Row("!<arch>\n", .staticLibrary), Row("!<thin>\n", .staticLibrary),
        Row("dex\n", .dex), Row("cdex", .dex),
        Row([0x1B, 0x4C, 0x75, 0x61], .lua), Row([0x1B, 0x4C, 0x4A], .lua),
        Row("MTLB", .metalLibrary),
        Row("#!", .script), Row([0xEF, 0xBB, 0xBF, 0x23, 0x21], .script),
        Row([0xFF, 0xFE, 0x23, 0x00, 0x21, 0x00], .script), Row([0xFE, 0xFF, 0x00, 0x23, 0x00, 0x21], .script),
        Row("FasdUAS", .appleScript), Row([0x4A, 0x73, 0x4F, 0x73, 0x61, 0x44, 0x41, 0x53], .appleScript),
        Row("PK\u{3}\u{4}", .archive), Row("PK\u{5}\u{6}", .archive), Row("PK\u{7}\u{8}", .archive),
        Row("Rar!\u{1A}\u{7}", .archive), Row([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive),
        Row("xar!", .archive), Row([0x1F, 0x8B], .archive), Row([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive),
        Row([0x28, 0xB5, 0x2F, 0xFD], .archive), Row("MSCF\0\0\0\0", .archive), Row("LZIP", .archive),
        Row("BZh", .archive), Row("070701", .archive), Row("070707", .archive), Row("AA01", .archive),
        Row("pbze", .archive), Row("ustar", .archive, at: 257),
        Row("%PDF-", .pdf),
    ]

    /// `CAFEBABE` begins a universal binary as well as a Java class; the next word tells which.
    private static func fat(_ head: [UInt8]) -> ContentKind? {
        guard head.starts(with: [0xCA, 0xFE, 0xBA, 0xBE]) else { return nil }
        // A count of architectures is small, a class file's version is at least 45.
        let isFat = head.count < 8 || (head[4] == 0 && head[5] == 0 && head[6] == 0 && head[7] < 30)
        return isFat ? .fatMachO : .javaClass
    }

    /// `MZ` could begin a text; a program has bytes there that no text has.
    private static func windows(_ head: [UInt8]) -> ContentKind? {
        guard head.starts(with: "MZ".utf8) || head.starts(with: "ZM".utf8) else { return nil }
        return head.prefix(64).contains(0) || head.count == 2 ? .portableExecutable : nil
    }

    /// Compiled Python begins with a version number and CR LF. The numbers of all versions have a second byte
    /// that no text has there.
    private static func python(_ head: [UInt8]) -> ContentKind? {
        guard head.count >= 4, head[2] == 0x0D, head[3] == 0x0A else { return nil }
        return switch (head[0], head[1]) {
        case (_, 0x0B...0x0E), (_, 0xEB...0xF3), (0x99, 0x4E), (0xFC, 0xC4), (0x87, 0xC6): .python
        default: nil
        }
    }

    /// Documents a browser would act on, whatever white space or mark they begin with.
    private static func text(_ head: [UInt8]) -> ContentKind? {
        var start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        start = skip(head, from: start)
        let isXML = holds("<?xml", head, at: start)
        if isXML, let end = head[start...].firstIndex(of: UInt8(ascii: ">")) { start = skip(head, from: end + 1) }
        // Comments may stand before anything else.
        while holds("<!--", head, at: start) {
            guard let end = end(of: "-->", head, from: start + 4) else { return nil }
            start = skip(head, from: end)
        }
        for word in ["<!doctype html", "<html", "<head", "<body", "<script", "<iframe"]
        where holds(word, head, at: start) {
            return .html
        }
        return holds("<svg", head, at: start) || holds("<!doctype svg", head, at: start) ? .svg : nil
    }

    private static func skip(_ head: [UInt8], from start: Int) -> Int {
        var index = start
        while index < head.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(head[index]) { index += 1 }
        return index
    }

    private static func holds(_ word: String, _ head: [UInt8], at start: Int) -> Bool {
        guard start + word.utf8.count <= head.count else { return false }
        return zip(word.utf8, head[start...]).allSatisfy { $0 == ((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
    }

    private static func end(of word: String, _ head: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + word.utf8.count <= head.count {
            if holds(word, head, at: index) { return index + word.utf8.count }
            index += 1
        }
        return nil
    }
}
