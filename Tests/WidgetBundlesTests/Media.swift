import TestSupport

/// Small sound files of every kind that is kept, made field by field.
enum Media {
    static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    static func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value & 0xFFFF) }
    static func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
    static func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }

    // PNG.
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big32(data.count) + body + ZipForge.bytes(ZipForge.checksum(body)).reversed()
    }
    static func header(_ width: Int, _ height: Int, depth: UInt8 = 8, color: UInt8 = 6) -> [UInt8] {
        chunk("IHDR", big32(width) + big32(height) + [depth, color, 0, 0, 0])
    }
    static func png(_ width: Int = 4, _ height: Int = 4, before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        pngSignature + before + header(width, height) + chunk("gAMA", [0, 0, 0xB1, 0x8F])
            + chunk("IDAT", Array(repeating: 7, count: 40)) + chunk("IEND") + after
    }
    static let cgbi = png(before: chunk("CgBI", [0x50, 0, 0x20, 2]))

    // JPEG.
    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + big16(data.count + 2) + data }
    static func jpeg(
        _ width: Int = 16, _ height: Int = 16, application: [UInt8] = Array("JFIF\0".utf8), marker: UInt8 = 0xE0,
        after: [UInt8] = []
    ) -> [UInt8] {
        [0xFF, 0xD8] + segment(marker, application)
            + segment(0xC0, [8] + big16(height) + big16(width) + [1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0xFF, 0xD9] + after
    }
    /// Two pictures in one file, as phones write them.
    static let multiPicture = jpeg(
        application: Array("MPF\0MM\0*".utf8), marker: 0xE2, after: [0, 0, 0] + jpeg(8, 8) + [0, 0])

    // GIF.
    static func gif(_ width: Int = 3, _ height: Int = 3, after: [UInt8] = []) -> [UInt8] {
        Array("GIF89a".utf8) + little16(width) + little16(height) + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
            + [0x21, 0xF9, 4, 0, 0, 0, 0, 0] + [0x2C] + little16(0) + little16(0) + little16(width)
            + little16(height) + [0, 2, 2, 0x4C, 1, 0, 0x3B] + after
    }

    // WebP.
    static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }
    static func part(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + little32(data.count) + data + (data.count % 2 == 1 ? [0] : [])
    }
    static func lossy(_ width: Int = 5, _ height: Int = 5) -> [UInt8] {
        part("VP8 ", [0x30, 1, 0, 0x9D, 1, 0x2A] + little16(width) + little16(height) + [1, 2, 3])
    }
    static func webp(_ width: Int = 5, _ height: Int = 5) -> [UInt8] { riff(lossy(width, height)) }
    static let losslessWebP = riff(part("VP8L", [0x2F, 4, 0, 1, 0, 9, 9, 9, 9, 9]))
    static let extendedWebP = riff(part("VP8X", [0, 0, 0, 0, 4, 0, 0, 4, 0, 0]) + lossy() + part("EXIF", [1]))

    // HEIC.
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big32(content.count + 8) + Array(type.utf8) + content
    }
    static func heic(_ width: Int = 64, _ height: Int = 48, brand: String = "heic", after: [UInt8] = []) -> [UInt8] {
        box("ftyp", Array(brand.utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
            + box(
                "meta",
                [0, 0, 0, 0] + box("hdlr", Array(repeating: 0, count: 24))
                    + box("iprp", box("ipco", box("ispe", [0, 0, 0, 0] + big32(width) + big32(height))))
                    + box("iloc", [0, 0, 0, 0]))
            + box("mdat", Array(repeating: 5, count: 99)) + after
    }

    // Fonts.
    static func font(
        _ magic: [UInt8] = [0, 1, 0, 0], offset: Int = 44, second: Int? = nil, padding: [UInt8] = [0, 0],
        after: [UInt8] = []
    ) -> [UInt8] {
        magic + big16(2) + [0, 0, 0, 0, 0, 0] + Array("cmap".utf8) + big32(0) + big32(offset) + big32(6)
            + Array("glyf".utf8) + big32(0) + big32(second ?? 50 + padding.count) + big32(4) + [1, 2, 3, 4, 5, 6]
            + padding + [9, 9, 9, 9] + after
    }

    /// One table under two names.
    static let sharingFont: [UInt8] =
        [0, 1, 0, 0] + big16(2) + [0, 0, 0, 0, 0, 0] + Array("EBLC".utf8) + big32(0) + big32(44) + big32(4)
        + Array("bloc".utf8) + big32(0) + big32(44) + big32(4) + [1, 2, 3, 4]

    // Asset catalogues.
    static func car(block: Int = 32, version: Int = 1, index: Int = 40) -> [UInt8] {
        Array("BOMStore".utf8) + big32(version) + big32(1) + big32(index) + big32(20) + big32(32) + big32(8)
            + Array(repeating: 3, count: 8) + big32(2) + big32(0) + big32(0) + big32(block) + big32(8)
    }
    /// With a number that is marked as not in use.
    static let sparseCar =
        Array("BOMStore".utf8) + big32(1) + big32(2) + big32(40) + big32(28) + big32(32) + big32(8)
        + Array(repeating: 3, count: 8) + big32(3) + big32(0) + big32(0) + Array(repeating: 0xFF, count: 8) + big32(32)
        + big32(8)

    // Interfaces and models.
    static func nib(version: Int = 1, classOffset: Int = 59, classCount: Int = 1) -> [UInt8] {
        Array("NIBArchive".utf8)
            + [version, 9, 1, 50, 1, 53, 2, 55, classCount, classOffset].flatMap(little32)
            + [0x80, 0x80, 0x81] + [0x81, 0x61] + [0x80, 0x09, 0x80, 0x09] + [0x81, 0x80, 0x61]
    }
    static let keyedArchive = PlistForge(
        PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 6]), PlistForge.ascii("$archiver"),
        PlistForge.ascii("$objects"), PlistForge.ascii("$top"), PlistForge.ascii("NSKeyedArchiver"),
        PlistForge.array([]), PlistForge.dictionary(keys: [], values: [])
    ).bytes
    static let binaryPlist = PlistForge(PlistForge.dictionary(keys: [], values: [])).bytes
    static let optimizedModel = Array("momv2$whatever".utf8) + [0, 1, 2, 3]

    static let json = Array("{\"a\": [1, 2]}".utf8)
    static let strings = Array("/* words */ \"key\" = \"value\";\n".utf8)
    static let plist = Array("<plist version=\"1.0\"><dict/></plist>".utf8)

    /// The same in the XML form; a menu's key is a control character.
    static let keyedText = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>$archiver</key><string>NSKeyedArchiver</string><key>$objects</key>
        <array><string>$null</string><string>\u{1B}</string></array>
        <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        </dict></plist>

        """.utf8)

    /// One sound file for each name that is kept.
    static let sound: [(String, [UInt8])] = [
        ("a.json", json), ("b.plist", plist), ("b2.plist", binaryPlist), ("en.lproj/c.strings", strings),
        ("en.lproj/c2.strings", binaryPlist), ("d.stringsdict", plist), ("Main.storyboardc/e.nib", nib()),
        ("tail.nib", nib() + [0, 0, 0, 1]), ("text.nib", keyedText),
        ("e2.nib/runtime.nib", keyedArchive), ("M.momd/f.mom", keyedArchive), ("M.momd/f.omo", optimizedModel),
        ("Assets.car", car()), ("Padded.car", car() + [0, 0, 0]), ("Sparse.car", sparseCar), ("g.png", png()),
        ("g2.png", cgbi), ("h.jpg", jpeg()),
        ("h2.jpeg", multiPicture),
        ("i.gif", gif()), ("j.webp", webp()), ("j2.webp", losslessWebP), ("j3.webp", extendedWebP),
        ("k.heic", heic()), ("l.ttf", font()), ("l2.otf", font(Array("OTTO".utf8))),
        ("l3.ttf", font(padding: [])), ("l4.ttf", font(padding: [0, 0, 0], after: [0, 0, 0])),
        ("l5.ttf", sharingFont), ("UPPER.PNG", png()),
        ("plain.jpg", jpeg(after: [0, 0, 0, 0])),
    ]

    /// The beginnings of everything that must not be in a bundle.
    static let foreign: [(String, [UInt8], ContentName)] = [
        ("macho32", [0xFE, 0xED, 0xFA, 0xCE, 0, 0, 0, 1], "Mach-O"),
        ("macho32-swapped", [0xCE, 0xFA, 0xED, 0xFE, 7, 0, 0, 0], "Mach-O"),
        ("macho64", [0xFE, 0xED, 0xFA, 0xCF, 0, 0, 0, 1], "Mach-O"),
        ("macho64-swapped", [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1], "Mach-O"),
        ("fat", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2], "universal Mach-O"),
        ("fat-swapped", [0xBE, 0xBA, 0xFE, 0xCA, 2, 0, 0, 0], "universal Mach-O"),
        ("fat64", [0xCA, 0xFE, 0xBA, 0xBF, 0, 0, 0, 2], "universal Mach-O"),
        ("fat64-swapped", [0xBF, 0xBA, 0xFE, 0xCA, 2, 0, 0, 0], "universal Mach-O"),
        ("java", [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52], "Java class"),
        ("elf", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1], "ELF"),
        ("pe", [0x4D, 0x5A, 0x90, 0, 3, 0, 0, 0], "Windows executable"),
        ("wasm", [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0], "WebAssembly"),
        ("bitcode", [0x42, 0x43, 0xC0, 0xDE, 0x35], "LLVM bitcode"),
        ("bitcode-wrapped", [0xDE, 0xC0, 0x17, 0x0B, 0], "LLVM bitcode"),
        ("bitcode-wrapped-swapped", [0x0B, 0x17, 0xC0, 0xDE, 0], "LLVM bitcode"),
        ("ar", Array("!<arch>\nfoo".utf8), "static library"), ("thin", Array("!<thin>\nfoo".utf8), "static library"),
        ("dex", Array("dex\n035\0".utf8), "Dalvik code"),
        ("pyc2", [0x03, 0xF3, 0x0D, 0x0A, 1, 2], "Python code"), ("pyc3", [0xA7, 0x0D, 0x0D, 0x0A, 0], "Python code"),
        ("lua", [0x1B, 0x4C, 0x75, 0x61, 0x53], "Lua code"), ("luajit", [0x1B, 0x4C, 0x4A, 2], "Lua code"),
        ("metal", Array("MTLB\u{1}".utf8), "Metal library"),
        ("script", Array("#!/bin/sh\n".utf8), "script"),
        ("script-mark", [0xEF, 0xBB, 0xBF] + Array("#!/bin/sh\n".utf8), "script"),
        ("script-utf16", [0xFF, 0xFE, 0x23, 0, 0x21, 0], "script"),
        ("applescript", Array("FasdUAS 1.101.10".utf8), "AppleScript"),
        ("zip", [0x50, 0x4B, 3, 4, 20, 0], "archive"), ("zip-empty", [0x50, 0x4B, 5, 6, 0, 0], "archive"),
        ("rar", Array("Rar!\u{1A}\u{7}\0".utf8), "archive"),
        ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "archive"), ("xar", Array("xar!\0".utf8), "archive"),
        ("gzip", [0x1F, 0x8B, 8, 0], "archive"), ("bzip2", Array("BZh91AY".utf8), "archive"),
        ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "archive"), ("zstd", [0x28, 0xB5, 0x2F, 0xFD], "archive"),
        ("tar", Array(repeating: 0x61, count: 257) + Array("ustar\0".utf8), "archive"),
        ("html", Array("<!DOCTYPE html><title>".utf8), "HTML"),
        ("html-late", Array(" \n<!-- x --><HTML>".utf8), "HTML"), ("script-tag", Array("<script>1".utf8), "HTML"),
        ("svg", Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"\">".utf8), "SVG"),
        ("pdf", Array("%PDF-1.7\n".utf8), "PDF"),
    ]

    typealias ContentName = String
}
