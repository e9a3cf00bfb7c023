import Foundation
import Testing
import WidgetAssetCatalog
import WidgetIntake
import WidgetTestSupport

@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: pictures of a bundle are ordinary files by the time that a page shows them. Method: bundles with pictures of each
/// kind, under names that say nothing or lie.
@Suite struct `The files of pictures` {
    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        var sum: UInt32 = .max
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return big(UInt32(content.count)) + body + big(~sum)
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func png(width: Int, height: Int) throws -> [UInt8] {
        let pixels = (0..<width * height).flatMap { place -> [UInt8] in [UInt8(place % 256), 10, 200, 255] }
        return try #require(Bitmap(width: width, height: height, pixels: pixels)).png()
    }

    /// The same picture as Xcode packs it: a mark in front, and no frame around the compressed rows.
    private static func packed(_ png: [UInt8]) -> [UInt8] {
        var bytes = Array(png[..<8]) + chunk("CgBI", [0x50, 0, 0x20, 6])
        var place = 8
        while place + 12 <= png.count {
            let size =
                Int(png[place]) << 24 | Int(png[place + 1]) << 16 | Int(png[place + 2]) << 8 | Int(png[place + 3])
            let type = String(decoding: png[place + 4..<place + 8], as: UTF8.self)
            let content = Array(png[place + 8..<place + 8 + size])
            bytes += chunk(type, type == "IDAT" ? Array(content[2..<content.count - 4]) : content)
            place += 12 + size
        }
        return bytes
    }

    private static func pictures(_ files: [(String, [UInt8])]) throws -> BundlePictures {
        let info = Array(
            """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>\
            <key>CFBundleName</key><string>Sample</string><key>CFBundleShortVersionString</key><string>1.0</string>\
            <key>CFBundleVersion</key><string>1</string></dict></plist>
            """.utf8)
        let entries = [("Info.plist", info)] + files
        let zip = ZipForge(entries.map { .init(Array("Sample.bundle/\($0.0)".utf8), $0.1) }).build().bytes
        let file = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString).zip")
        try Data(zip).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try BundlePictures(of: try BundleSource(opening: file.path).take().opened)
    }

    private static func size(_ picture: BundlePictures.Picture) -> [Int]? {
        guard case .file(let file) = picture else { return nil }
        return [file.width, file.height, Int(file.scale)]
    }

    @Test func `A picture is found by its name, at the scale or the next higher one`() throws {
        let pictures = try Self.pictures([
            ("moon.png", try Self.png(width: 2, height: 2)), ("moon@2x.png", try Self.png(width: 4, height: 4)),
            ("moon@3x.png", try Self.png(width: 6, height: 6)), ("sun@2x~ipad.png", try Self.png(width: 8, height: 8)),
            ("sun@3x.png", try Self.png(width: 9, height: 9)),
        ])
        #expect(
            [1, 2, 3].map { Self.size(pictures.picture("moon", scale: $0)) } == [[2, 2, 1], [4, 4, 2], [6, 6, 3]])
        #expect(Self.size(pictures.picture("moon.png", scale: 2)) == [4, 4, 2])
        #expect(Self.size(pictures.picture("sun", scale: 2)) == [9, 9, 3])
        #expect(pictures.picture("../moon", scale: 1) == .missing && pictures.picture("", scale: 1) == .missing)
    }

    @Test func `A picture as Xcode packs it becomes an ordinary one`() throws {
        let plain = try Self.png(width: 3, height: 5)
        let pictures = try Self.pictures([("a.png", Self.packed(plain))])
        guard case .file(let file) = pictures.picture("a", scale: 2) else {
            Issue.record("\(pictures.picture("a", scale: 2))")
            return
        }
        #expect(file.kind == .png && [file.width, file.height] == [3, 5])
        #expect(file.bytes.prefix(16).suffix(4).elementsEqual("IHDR".utf8))
    }

    @Test func `A file that pages cannot show is unusable, and says why`() throws {
        let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 40)
        let kind = BundlePictures.answer(to: heic)
        #expect(kind == .unusable("it is HEIC or the like, and pages show PNG, JPEG, GIF and WebP"))
        let drawing = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>".utf8)
        #expect(
            BundlePictures.answer(to: drawing)
                == .unusable("it is SVG or other markup, and pages show PNG, JPEG, GIF and WebP"))
        let short: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
        #expect(BundlePictures.answer(to: short) == .unusable("its size cannot be read"))
    }
}
