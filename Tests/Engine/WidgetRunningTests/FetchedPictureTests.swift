import Testing
import WidgetHosting
import WidgetRunning
import WidgetTestSupport

/// Goal: what comes from the network is passed on only as the picture that it is. Method: heads of pictures of every
/// kind and size, and other files.
@Suite struct `A picture of the network` {
    private typealias Kind = BundlePictures.OrdinaryPicture.Kind

    private static func reason(_ bytes: [UInt8]) -> String? {
        if case .failed(let reason) = FetchedPicture(bytes) { reason } else { nil }
    }

    @Test func `Each kind is known by its bytes, with its pixels`() {
        let kinds: [(Kind, [UInt8])] = [
            (.png, PictureForge.png(width: 300, height: 200)), (.jpg, PictureForge.jpeg(width: 300, height: 200)),
            (.gif, PictureForge.gif(width: 300, height: 200)), (.webp, PictureForge.webp(width: 300, height: 200)),
        ]
        for (kind, bytes) in kinds {
            guard case .file(let file) = FetchedPicture(bytes) else {
                Issue.record("\(kind): \(Self.reason(bytes) ?? "")")
                continue
            }
            #expect(file.kind == kind && file.width == 300 && file.height == 200 && file.bytes == bytes)
        }
    }

    @Test(arguments: [
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>", "it is SVG"),
        (" \r\n\t<?xml version=\"1.0\"?><svg onload=\"alert(1)\"/>", "it is SVG"),
        ("<!DOCTYPE html><script>alert(1)</script>", "it is SVG or other markup"),
        ("GIF", "it is of another kind"), ("", "it is of another kind"), ("{}", "it is of another kind"),
        ("%PDF-1.7", "it is PDF"), ("\u{0}\u{0}\u{0}\u{18}ftypheic", "it is HEIC"), ("BM", "it is of another kind"),
        ("GIF89a", "its size cannot be read"), ("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8X", "its size cannot be read"),
    ])
    func `A file of another kind is refused, with its kind`(text: String, reason: String) {
        let found = Self.reason(Array(text.utf8)) ?? "none"
        #expect(found.hasPrefix(reason), "\(found)")
    }

    @Test func `A PNG that only Xcode's programs read is refused`() {
        #expect(Self.reason(PictureForge.packed(width: 3, height: 5))?.contains("Xcode") == true)
    }

    @Test(arguments: [
        PictureForge.png(width: .max, height: .max), PictureForge.png(width: 60_000, height: 60_000),
        PictureForge.png(width: 1 << 16 + 1, height: 1), PictureForge.png(width: 0, height: 5),
        PictureForge.jpeg(width: 65_535, height: 65_535), PictureForge.jpeg(width: 9, height: 0),
        PictureForge.gif(width: 65_535, height: 65_535), PictureForge.gif(width: 0, height: 0),
        PictureForge.webp(width: 1 << 14, height: 1 << 11),
    ])
    func `A picture with more pixels than a browser should unpack is refused by its head`(bytes: [UInt8]) {
        #expect(Self.reason(bytes)?.contains("16777216 pixels") == true)
    }

    @Test func `A picture of sixteen million pixels is the largest`() {
        #expect(Self.reason(PictureForge.webp(width: 1 << 14, height: 1 << 10)) == nil)
    }

    @Test func `A picture of more than eight mebibytes is refused`() {
        var bytes = PictureForge.png(width: 3, height: 5)
        bytes += [UInt8](repeating: 0, count: FetchedPicture.byteLimit - bytes.count)
        #expect(Self.reason(bytes) == nil)
        #expect(Self.reason(bytes + [0])?.hasPrefix("it has more than") == true)
    }
}
