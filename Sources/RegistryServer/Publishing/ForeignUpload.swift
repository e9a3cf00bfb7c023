internal import Bytes
internal import HTTPServer
internal import RegistryContract

/// What was sent in place of a zip archive, as far as its first bytes tell, and what to type instead.
enum ForeignUpload {
    /// How many bytes tell it, if they are there: a tar archive has its mark at 257.
    static let byteCount = 512
    /// How many bytes tell a zip archive.
    static let markByteCount = 4

    private static let remedy =
        "Send the archive itself as the body, for example with: curl -T WidgetDemo.zip …/v1/bundles/"
    private static let packing =
        "Pack the bundle's folder as a zip and send that: zip -r WidgetDemo.zip WidgetDemo.bundle && "
        + "curl -T WidgetDemo.zip …/v1/bundles/"

    /// Whether bytes could be the beginning of a zip archive: of a file's record, or of the end of an empty one.
    static func mayBeZip(_ head: [UInt8]) -> Bool {
        let beginnings: [[UInt8]] = [[0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x05, 0x06], [0x50, 0x4B, 0x07, 0x08]]
        return beginnings.contains { $0.starts(with: head.prefix(markByteCount)) }
    }

    /// - Parameter head: the first bytes, all of them where there were few.
    static func problem(_ head: [UInt8]) -> Problem {
        ProblemCatalogue.problem(.notAZip, detail(head))
    }

    private static func detail(_ head: [UInt8]) -> String {
        if head.isEmpty { return "The request has no body: nothing was sent, or the file is empty. \(remedy)" }
        if let form = packed(head) { return "What was sent is \(form), not a zip archive. \(packing)" }
        if let name = fileName(head) {
            return
                "What was sent is the text \(ProblemCatalogue.quoted(name)), the name of a file and not what is in it. With "
                + "curl, -T FILE sends a file, and so does an @ before its name: --data-binary @FILE, -F bundle=@FILE."
        }
        if head.starts(with: "--".utf8) {
            return
                "What was sent begins like a form, and its Content-Type does not say so. Let the client write both, as "
                + "curl -F bundle=@WidgetDemo.zip does."
        }
        if head.starts(with: "bplist".utf8) || text(head).hasPrefix("<?xml") {
            return "What was sent is a property list, not a zip archive. An Info.plist alone is no bundle. \(packing)"
        }
        if text(head).hasPrefix("<") {
            return
                "What was sent is a page of HTML, not a zip archive: perhaps what a server said when the archive was "
                + "downloaded. Look into the file. \(remedy)"
        }
        return "What was sent does not begin like a zip archive. \(remedy)"
    }

    /// The kind of archive that it is instead.
    private static func packed(_ head: [UInt8]) -> String? {
        let kinds: [(bytes: [UInt8], name: String)] = [
            ([0x1F, 0x8B], "gzip (.gz, .tgz)"), (Array("BZh".utf8), "bzip2 (.bz2, .tbz)"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz (.xz, .txz)"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd (.zst)"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"), (Array("Rar!".utf8), "a rar archive"),
            (Array("xar!".utf8), "a xar archive (.pkg, .xip)"),
            ([0xCF, 0xFA, 0xED, 0xFE], "a program (Mach-O)"), ([0xCA, 0xFE, 0xBA, 0xBE], "a program (Mach-O)"),
        ]
        if let kind = kinds.first(where: { head.starts(with: $0.bytes) }) { return kind.name }
        return head.count >= 262 && head[257..<262].elementsEqual("ustar".utf8) ? "a tar archive" : nil
    }

    /// The name of a file in place of its content, as curl sends it when an `@` is missing or is not understood.
    private static func fileName(_ head: [UInt8]) -> String? {
        guard head.count < 256, head.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let name = text(head)
        let endings = [".zip", ".ipa", ".bundle", ".app", ".xcarchive", ".tgz", ".tar.gz"]
        return name.hasPrefix("@") || endings.contains(where: name.lowercased().hasSuffix) ? name : nil
    }

    private static func text(_ head: [UInt8]) -> String {
        String(decoding: head.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }, as: UTF8.self)
    }

    /// The refusal of an archive that was damaged on its way, in the words of what has damaged it.
    ///
    /// - Parameter lostLineEnds: whether it came as `curl -d` sends, and without a single end of a line.
    static func explaining(_ problem: Problem, _ byteCount: Int, lostLineEnds: Bool) -> Problem {
        let codes: [ProblemCode] = [.notAZip, .archiveRefused, .entryRefused, .expansionRefused]
        guard codes.contains(where: { $0.rawValue == problem.code }) else { return problem }
        var problem = problem
        if lostLineEnds {
            problem.detail =
                "The archive is damaged: it holds no end of a line, as curl -d takes them out of what it sends. Send the file "
                + "as it is: curl -T FILE, or --data-binary @FILE in place of -d @FILE."
        } else if problem.code == ProblemCode.notAZip.rawValue {
            problem.detail =
                "The archive begins like a zip and has no end within the \(byteCount) bytes that arrived: it was cut off, on its way or "
                + "before. Compare with the size of the file, see whether unzip -t reads it, and send it again; nothing was stored."
        }
        return problem
    }
}
