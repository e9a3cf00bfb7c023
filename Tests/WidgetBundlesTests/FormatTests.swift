import TestSupport
import Testing

@testable import WidgetBundles

/// Goal: a kept name holds what it says and nothing more.
/// Method: each defect is one change to a sound file, which is accepted without it (`What is kept`).
@Suite struct `A file that is not what its name says` {
    static let mach: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1]

    static let images: [(String, [UInt8], FormatFault.Reason)] = [
        ("jpeg.png", Media.jpeg(), .wrongMagic), ("empty.png", [], .truncated),
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
        ("png.jpg", Media.png(), .wrongMagic), ("short.jpg", Array(Media.jpeg().dropLast()), .truncated),
        ("appended.jpg", Media.jpeg(after: mach), .dataAfterEnd),
        ("second.jpg", Media.jpeg(after: Media.jpeg()), .dataAfterEnd),
        ("large.jpg", Media.jpeg(0xFFFF, 0xFFFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.jpg", Media.jpeg(0, 5), .invalidHeader), ("noscan.jpg", [0xFF, 0xD8, 0xFF, 0xD9], .noPicture),
        ("noframe.jpg", [0xFF, 0xD8] + Media.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 0xFF, 0xD9], .invalidHeader),
        ("segment.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1], .partOutOfBounds),
        ("nomarker.jpg", [0xFF, 0xD8, 0x12, 0x34, 0x56], .invalidPart),
        ("png.gif", Media.png(), .wrongMagic), ("appended.gif", Media.gif(after: mach), .dataAfterEnd),
        ("short.gif", Array(Media.gif().dropLast()), .truncated),
        ("large.gif", Media.gif(0xFFFF, 0xFFFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.gif", Media.gif(0, 3), .invalidHeader),
        ("block.gif", Array(Media.gif().dropLast()) + [0x99], .invalidPart),
        ("empty.gif", Array(Media.gif().prefix(19)) + [0x3B], .noPicture),
        ("png.webp", Media.png() + Media.png(), .wrongMagic), ("appended.webp", Media.webp() + mach, .dataAfterEnd),
        ("short.webp", Array(Media.webp().dropLast()), .partOutOfBounds),
        ("large.webp", Media.webp(0x3FFF, 0x3FFF), .tooManyPixels(limit: 16 << 20)),
        ("flat.webp", Media.webp(0, 3), .invalidHeader),
        ("nothing.webp", Media.riff(Media.part("EXIF", [1, 2])), .noPicture),
        ("chunk.webp", Media.riff(Array("VP8 ".utf8) + Media.little32(500) + [1, 2]), .partOutOfBounds),
        ("png.heic", Media.png(), .wrongMagic), ("brand.heic", Media.heic(brand: "isom"), .invalidHeader),
        ("appended.heic", Media.heic(after: mach), .partOutOfBounds),
        ("short.heic", Array(Media.heic().dropLast()), .partOutOfBounds),
        ("large.heic", Media.heic(0x10000, 0x10000), .tooManyPixels(limit: 16 << 20)),
        ("flat.heic", Media.heic(0, 1), .invalidHeader),
        ("nothing.heic", Media.box("ftyp", Array("heic\0\0\0\0".utf8)) + Media.box("mdat", [1]), .noPicture),
    ]

    static let others: [(String, [UInt8], FormatFault.Reason)] = [
        ("png.ttf", Media.png(), .wrongMagic), ("table.ttf", Media.font(offset: 500), .tableOutOfBounds),
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
        ("png.car", Media.png(), .wrongMagic), ("version.car", Media.car(version: 2), .unknownVersion),
        ("block.car", Media.car(block: 100), .tableOutOfBounds), ("index.car", Media.car(index: 60), .tableOutOfBounds),
        ("short.car", Array("BOMStore".utf8), .truncated),
        ("appended.car", Media.car() + mach, .dataAfterEnd), ("padded.car", Media.car() + [0, 0, 1], .dataAfterEnd),
        ("appended.nib", Media.nib() + mach, .dataAfterEnd),
        ("long.nib", Media.nib() + [UInt8](repeating: 0, count: 33), .dataAfterEnd),
        ("class.nib", Array(Media.nib().dropLast()), .tableOutOfBounds),
        ("text.nib", Array("hello".utf8), .wrongMagic), ("version.nib", Media.nib(version: 2), .unknownVersion),
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

    @Test(arguments: (images + others).indices) func `is refused, and why`(_ index: Int) throws {
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

    /// Fed in pieces of any size, a check finds the same thing at the same place.
    @Test(arguments: 0..<(images.count + Media.sound.count)) func `is refused the same whatever the pieces`(
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

    @Test func `is found behind windows of data too`() throws {
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

    /// No change of a byte, and no end wherever it comes, does more than refuse the file.
    @Test(arguments: Media.sound.indices) func `never stops the program`(_ index: Int) {
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
