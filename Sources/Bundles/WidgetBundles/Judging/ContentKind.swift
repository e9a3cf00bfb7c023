/// The kind of a file, according to its content or its name. Reports show the raw value.
package enum ContentKind: String, Equatable, Sendable {
    // Code in any form: never kept.
    case machO = "Mach-O"
    case fatMachO = "universal Mach-O"
    case elf = "ELF"
    case portableExecutable = "Windows executable"
    case wasm = "WebAssembly"
    case bitcode = "LLVM bitcode"
    case staticLibrary = "static library"
    case objectFile = "object file"
    case dynamicLibrary = "dynamic library"
    case javaClass = "Java class"
    case dex = "Dalvik code"
    case python = "Python code"
    case lua = "Lua code"
    case metalLibrary = "Metal library"
    case script = "script"
    case appleScript = "AppleScript"
    case javaScript = "JavaScript"
    case flash = "Flash"
    case executable = "executable"
    case debugSymbols = "debug symbols"

    // Documents that can act when shown: kept only where a policy asks for them.
    case html = "HTML"
    case svg = "SVG"
    case pdf = "PDF"

    // Containers whose content has not been judged.
    case archive = "archive"

    // Signing, packaging and files that desktops add.
    case signature = "code signature"
    case provisioning = "provisioning profile"
    case packaging = "packaging"
    case noise = "desktop metadata"

    // The content of bundles.
    case json = "JSON"
    case plist = "property list"
    case strings = "strings"
    case nib = "interface"
    case model = "data model"
    case optimizedModel = "optimized data model"
    case assetCatalog = "asset catalogue"
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case heic = "HEIC"
    case webp = "WebP"
    case font = "font"

    case other = "other"

    /// True for content that no kept name may have.
    var isForeign: Bool {
        switch self {
        case .json, .plist, .strings, .nib, .model, .optimizedModel, .assetCatalog, .png, .jpeg, .gif, .heic, .webp,
            .font, .signature, .provisioning, .packaging, .noise, .other:
            false
        default: true
        }
    }

    /// True for kinds that are read as a whole, hence bounded by ``BundleLimits/parsedByteCount``.
    var isParsed: Bool {
        switch self {
        case .json, .plist, .strings, .nib, .model, .optimizedModel: true
        default: false
        }
    }

    /// Returns the kind that a file of that name claims to be.
    static func named(_ path: String) -> ContentKind {
        guard let suffix = path.lastPathComponent.nameExtension else { return .other }
        return switch suffix {
        case "json": .json
        case "plist", "stringsdict": .plist
        case "strings": .strings
        case "nib": .nib
        case "mom": .model
        case "omo": .optimizedModel
        case "car": .assetCatalog
        case "png": .png
        case "jpg", "jpeg": .jpeg
        case "gif": .gif
        case "heic": .heic
        case "webp": .webp
        case "ttf", "otf": .font
        case "dylib", "tbd", "so", "dll": .dynamicLibrary
        case "a", "lib": .staticLibrary
        case "o", "obj": .objectFile
        case "exe", "com", "scr", "msi": .portableExecutable
        case "wasm": .wasm
        case "bc": .bitcode
        case "class": .javaClass
        case "dex": .dex
        case "py", "pyc", "pyo": .python
        case "lua", "luac": .lua
        case "metallib", "metal", "air": .metalLibrary
        case "sh", "bash", "zsh", "command", "rb", "pl", "php", "tcl", "bat", "cmd", "ps1": .script
        case "scpt", "scptd", "applescript": .appleScript
        case "js", "mjs", "cjs", "jsbundle", "jsx", "ts": .javaScript
        case "swf": .flash
        case "html", "htm", "xhtml", "shtml", "webarchive", "mht": .html
        case "svg", "svgz": .svg
        case "pdf": .pdf
        case "zip", "ipa", "jar", "tar", "tgz", "gz", "bz2", "xz", "7z", "rar", "xar", "pkg", "dmg", "cab", "zst",
            "aar":
            .archive
        case "mobileprovision", "provisionprofile": .provisioning
        default: .other
        }
    }
}

/// Recognises foreign content by a file's first bytes, independent of its name.
///
/// One table for all content that must not be in a bundle. Legitimate content is checked by its reader and needs no row
/// here.
enum Magic {
    /// The number of bytes that the table needs: an archive of the tar kind has its mark at 257.
    static let byteCount = 4 << 10

    /// Returns `nil` when no foreign content is recognised.
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

    /// Distinguishes universal binaries from Java classes, which both begin with `CAFEBABE`, by the next word.
    private static func fat(_ head: [UInt8]) -> ContentKind? {
        guard head.starts(with: [0xCA, 0xFE, 0xBA, 0xBE]) else { return nil }
        // A count of architectures is small, a class file's version is at least 45.
        let isFat = head.count < 8 || (head[4] == 0 && head[5] == 0 && head[6] == 0 && head[7] < 30)
        return isFat ? .fatMachO : .javaClass
    }

    /// Recognises programs of Windows. `MZ` could begin a text; a program has further bytes that no text has.
    private static func windows(_ head: [UInt8]) -> ContentKind? {
        guard head.starts(with: "MZ".utf8) || head.starts(with: "ZM".utf8) else { return nil }
        return head.prefix(64).contains(0) || head.count == 2 ? .portableExecutable : nil
    }

    /// Recognises compiled Python, which begins with a version number and CR LF. In all versions, the number's second
    /// byte is one that no text has there.
    private static func python(_ head: [UInt8]) -> ContentKind? {
        guard head.count >= 4, head[2] == 0x0D, head[3] == 0x0A else { return nil }
        return switch (head[0], head[1]) {
        case (_, 0x0B...0x0E), (_, 0xEB...0xF3), (0x99, 0x4E), (0xFC, 0xC4), (0x87, 0xC6): .python
        default: nil
        }
    }

    /// Recognises documents that a browser would act on, after any white space or mark.
    private static func text(_ head: [UInt8]) -> ContentKind? {
        var start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        start = skip(head, from: start)
        let isXML = holds("<?xml", head, at: start)
        if isXML, let end = head[start...].firstIndex(of: UInt8(ascii: ">")) { start = skip(head, from: end + 1) }
        // Comments may precede anything else.
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
