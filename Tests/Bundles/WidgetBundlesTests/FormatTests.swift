import Testing
import WidgetTestSupport

@testable import WidgetBundles

/// Goal: a kept file has exactly the content that its name claims. Method: each defect is one change to a sound file,
/// which is accepted without it (`What is kept`).
@Suite struct `A file that is not what its name says` {
    static let mach: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1]

    static let text = Array("this is a text of more bytes than any header".utf8)
    static let xib = Array(
        "<?xml version=\"1.0\"?>\n<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\"></document>".utf8)

    static let images: [(String, [UInt8], FormatFault.Reason)] = [
        ("text.png", text, .wrongMagic), ("empty.png", [], .truncated),
        ("short.png", Array(Media.png().dropLast(9)), .truncated),
        ("shorter.png", Array(Media.png().dropLast(3)), .partOutOfBounds),
        ("appended.png", Media.png(after: mach), .dataAfterEnd), ("zero.png", Media.png(after: [0]), .dataAfterEnd),
        ("wide.png", Media.png(1 << 20, 17), .tooManyPixels(limit: 16 << 20)),
        ("huge.png", Media.png(0x7FFF_FFFF, 0x7FFF_FFFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.png", Media.png(0, 4), .invalidHeader),
        ("headless.png", Media.pngSignature + Media.chunk("IDAT", [1]) + Media.chunk("IEND"), .invalidHeader),
        ("twoheads.png", Media.png(before: Media.header(4, 4)), .invalidHeader),
        ("nodata.png", Media.pngSignature + Media.header(4, 4) + Media.chunk("IEND"), .noPicture),
        (
            "depth.png",
            Media.pngSignature + Media.header(4, 4, depth: 4, color: 6) + Media.chunk("IDAT") + Media.chunk("IEND"),
            .invalidHeader
        ),
        ("latecgbi.png", changed(Media.png(), "gAMA", "CgBI"), .invalidPart),
        ("checksum.png", changed(Media.png(), "gAMA", "gAMB"), .checksumMismatch),
        ("type.png", changed(Media.png(), "gAMA", "g\u{1}MA"), .invalidPart),
        ("length.png", Media.pngSignature + [0x7F, 0, 0, 0] + Array("IHDR".utf8), .partOutOfBounds),
        ("text.jpg", text, .wrongMagic), ("short.jpg", Array(Media.jpeg().dropLast()), .truncated),
        ("appended.jpg", Media.jpeg(after: mach), .dataAfterEnd),
        ("second.jpg", Media.jpeg(after: Media.jpeg()), .dataAfterEnd),
        ("large.jpg", Media.jpeg(0xFFFF, 0xFFFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.jpg", Media.jpeg(0, 5), .invalidHeader), ("noscan.jpg", [0xFF, 0xD8, 0xFF, 0xD9], .noPicture),
        ("noframe.jpg", [0xFF, 0xD8] + Media.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0xD9], .invalidHeader),
        ("segment.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1], .partOutOfBounds),
        ("nomarker.jpg", [0xFF, 0xD8, 0x12, 0x34, 0x56], .invalidPart),
        ("text.gif", text, .wrongMagic), ("appended.gif", Media.gif(after: mach), .dataAfterEnd),
        ("short.gif", Array(Media.gif().dropLast()), .truncated),
        ("large.gif", Media.gif(0xFFFF, 0xFFFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.gif", Media.gif(0, 3), .invalidHeader),
        ("block.gif", Array(Media.gif().dropLast()) + [0x99], .invalidPart),
        ("empty.gif", Array(Media.gif().prefix(19)) + [0x3B], .noPicture),
        ("text.webp", text, .wrongMagic), ("appended.webp", Media.webp() + mach, .dataAfterEnd),
        ("short.webp", Array(Media.webp().dropLast()), .partOutOfBounds),
        ("large.webp", Media.webp(0x3FFF, 0x3FFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.webp", Media.webp(0, 3), .invalidHeader),
        ("nothing.webp", Media.riff(Media.part("EXIF", [1, 2])), .noPicture),
        ("chunk.webp", Media.riff(Array("VP8 ".utf8) + Media.little32(500) + [1, 2]), .partOutOfBounds),
        ("text.heic", text, .wrongMagic), ("brand.heic", Media.heic(brand: "isom"), .invalidHeader),
        ("appended.heic", Media.heic(after: mach), .partOutOfBounds),
        ("short.heic", Array(Media.heic().dropLast()), .partOutOfBounds),
        ("large.heic", Media.heic(0x10000, 0x10000), .tooManyPixels(limit: 16 << 20)),
        ("flat.heic", Media.heic(0, 1), .invalidHeader),
        ("nothing.heic", Media.box("ftyp", Array("heic\0\0\0\0".utf8)) + Media.box("mdat", [1]), .noPicture),
    ]

    static let others: [(String, [UInt8], FormatFault.Reason)] = [
        ("text.ttf", text, .wrongMagic), ("table.ttf", Media.font(offset: 500), .tableOutOfBounds),
        ("inside.ttf", Media.font(offset: 10), .tableOutOfBounds),
        ("appended.ttf", Media.font(after: mach), .dataAfterEnd),
        ("padded.ttf", Media.font(after: [0, 0, 0, 0]), .dataAfterEnd),
        ("end.ttf", Media.font(after: [0, 0, 7]), .dataAfterEnd),
        ("between.ttf", Media.font(padding: [0, 7]), .hiddenData),
        ("first.ttf", Media.font(padding: [7]), .hiddenData),
        ("gap.ttf", Media.font(padding: [0, 0, 0, 0]), .hiddenData),
        ("before.ttf", Media.font(offset: 48, padding: [0, 0, 0, 0, 0, 0]), .hiddenData),
        ("overlap.ttf", Media.font(second: 46), .tablesOverlap),
        ("none.otf", Array("OTTO".utf8) + [0, 0, 0, 0, 0, 0, 0, 0], .invalidHeader),
        ("many.otf", Array("OTTO".utf8) + [1, 0, 0, 0, 0, 0, 0, 0], .tableOutOfBounds),
        ("short.otf", Array("OTTO".utf8), .truncated),
        ("text.car", text, .wrongMagic), ("version.car", Media.car(version: 2), .unknownVersion),
        ("block.car", Media.car(block: 100), .tableOutOfBounds), ("index.car", Media.car(index: 60), .tableOutOfBounds),
        ("short.car", Array("BOMStore".utf8), .truncated),
        ("appended.car", Media.car() + mach, .dataAfterEnd), ("padded.car", Media.car() + [0, 0, 1], .dataAfterEnd),
        ("appended.nib", Media.nib() + mach, .dataAfterEnd),
        ("long.nib", Media.nib() + [UInt8](repeating: 0, count: 33), .dataAfterEnd),
        ("class.nib", Array(Media.nib().dropLast()), .tableOutOfBounds),
        ("text.nib", Array("hello".utf8), .wrongMagic), ("xib.nib", xib, .interfaceSource),
        ("version.nib", Media.nib(version: 2), .unknownVersion),
        ("classes.nib", Media.nib(classOffset: 5_000), .tableOutOfBounds),
        ("order.nib", Media.nib(classOffset: 52), .tableOutOfBounds),
        ("count.nib", Media.nib(classCount: 1 << 30), .tableOutOfBounds),
        ("short.nib", Array(Media.nib().prefix(30)), .truncated), ("plain.nib", Media.binaryPlist, .notAnArchive),
        ("plain.xml.nib", Media.plist, .notAnArchive),
        ("short.xml.nib", Array(Media.keyedText.dropLast(9)), .invalidPart),
        ("page.xml.nib", Media.keyedText + Array("<html>".utf8), .invalidPart),
        ("entity.xml.nib", changed(Media.keyedText, "$null", "&lol;"), .invalidPart),
        ("tables.mom", Media.nib(), .wrongMagic), ("plain.xml.mom", Media.plist, .notAnArchive),
        ("text.mom", Array("hello".utf8), .wrongMagic), ("plain.mom", Media.binaryPlist, .notAnArchive),
        ("short.mom", Array(Media.keyedArchive.dropLast()), .invalidPart),
        ("M.momd/text.omo", Array("hello".utf8), .wrongMagic),
    ]

    private static func changed(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var bytes = bytes
        for index in 0...(bytes.count - old.count) where Array(bytes[index..<(index + old.count)]) == old {
            bytes.replaceSubrange(index..<(index + old.count), with: new)
        }
        return bytes
    }

    @Test(arguments: (images + others).indices)
    func `a file with a fault in its format is refused for that fault`(_ index: Int) throws {
        let (name, content, reason) = (Self.images + Self.others)[index]
        let error = try Intake.refusal(Intake.archive([(name, content)]))
        #expect(error?.code == .entryRefused)
        #expect(error?.path == "Sample.bundle/\(name)")
        guard case .format(_, let fault) = error?.reason else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
        #expect(fault.reason == reason, "\(name) at \(fault.offset)")
        #expect(error?.offset == fault.offset)
    }

    /// Fed in pieces of any size, a check finds the same fault at the same place.
    @Test(arguments: 0..<(images.count + Media.sound.count))
    func `a faulty file is refused for the same fault in pieces of any size`(
        _ index: Int
    ) {
        let name = index < Self.images.count ? Self.images[index].0 : Media.sound[index - Self.images.count].0
        let content = index < Self.images.count ? Self.images[index].1 : Media.sound[index - Self.images.count].1
        let bounds = PictureBounds(fileByteCount: content.count, pixelCount: 16 << 20)
        var faults: [FormatFault?] = []
        for size in [1, 2, 3, 7, 64, 4_096] {
            var check = FormatCheck(ContentKind.named(name), bounds: bounds)
            for start in stride(from: 0, to: content.count, by: size) {
                check.consume(content.span.extracting(start..<min(start + size, content.count)))
            }
            faults.append(check.finish())
        }
        #expect(Set(faults.map { "\(String(describing: $0))" }).count == 1, "\(name): \(faults)")
        #expect((faults[0] == nil) == (index >= Self.images.count))
    }

    @Test func `a fault behind several windows of data is found`() throws {
        let data = Media.chunk("IDAT", Array(repeating: 1, count: 3 << 20))
        let sound = Media.pngSignature + Media.header(4, 4) + data + Media.chunk("IEND")
        #expect(try Intake.refusal(Intake.archive([("a.png", sound)], stored: true)) == nil)
        let error = try Intake.refusal(Intake.archive([("a.png", sound + [0])], stored: true))
        guard case .format(.png, let fault) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.reason == .dataAfterEnd && fault.offset == sound.count)
    }

    /// A changed byte or an early end can at most make the file refused.
    @Test(arguments: Media.sound.indices)
    func `a file with any byte changed or cut off never stops the program`(_ index: Int) {
        let (name, content) = Media.sound[index]
        let kind = ContentKind.named(name)
        func look(_ bytes: [UInt8]) {
            var inspector = FileInspector(kind, byteCount: bytes.count, limits: BundleLimits())
            inspector.consume(bytes.span)
            guard let seen = inspector.finish() else { return }
            _ = try? InterfaceHeader.requireNib(seen.bytes)
            _ = try? InterfaceHeader.requireModel(seen.bytes)
        }
        for place in content.indices {
            look(Array(content[..<place]))
            for byte: UInt8 in [0, 0xFF] {
                var changed = content
                changed[place] = byte
                look(changed)
            }
        }
    }
}

/// Small sound files of every kept kind, made field by field.
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
    /// With a number that is marked as unused.
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
    static let optimizedModel = Array("momv2$anything".utf8) + [0, 1, 2, 3]

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

    /// The first bytes of all content that must not be in a bundle.
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
