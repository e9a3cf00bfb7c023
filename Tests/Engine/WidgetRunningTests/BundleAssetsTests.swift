import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetHosting
@testable import WidgetRunning

/// Goal: a program knows the size and the paint of each picture without reading a pixel. Method: heads of files and
/// catalogues, made byte by byte.
@Suite struct `The pictures of a bundle` {
    private static func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

    private static func png(_ width: Int, _ height: Int, isApple: Bool = false) -> [UInt8] {
        let mark: [UInt8] = isApple ? big(4) + Array("CgBI".utf8) + big(0x5000_2002) + big(0) : []
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + mark + big(13) + Array("IHDR".utf8) + big(width)
            + big(height)
    }

    private static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        let description: [UInt8] = [0xFF, 0xE1] + big(300, 2) + [UInt8](repeating: 0xFF, count: 298)
        return [0xFF, 0xD8] + description + [0xFF, 0xFF, 0xC2] + big(17, 2) + [8] + big(height, 2) + big(width, 2)
    }

    private static func info(_ names: [String: [UInt8]]) throws -> [String: ImageInfo] {
        try #require(BundleAssets(names.keys, catalogue: nil, heads: names).images)
    }

    @Test func `Heads of all formats say how many pixels there are`() throws {
        let heads: [(String, [UInt8])] = [
            ("PNG", Self.png(40, 30)), ("a PNG of Xcode", Self.png(40, 30, isApple: true)), ("JPEG", Self.jpeg(40, 30)),
            ("GIF", Array("GIF89a".utf8) + Self.little(40, 2) + Self.little(30, 2)),
            (
                "extended WebP",
                Array("RIFF0000WEBPVP8X".utf8) + [UInt8](repeating: 0, count: 8) + Self.little(39, 3)
                    + Self.little(29, 3)
            ),
            (
                "lossless WebP",
                Array("RIFF0000WEBPVP8L0000".utf8) + [0x2F] + Self.little(39 | 29 << 14, 4)
            ),
            (
                "lossy WebP",
                Array("RIFF0000WEBPVP8 ".utf8) + [UInt8](repeating: 0, count: 10) + Self.little(40, 2)
                    + Self.little(30, 2)
            ),
        ]
        for (name, head) in heads {
            let size = try #require(PictureHead.pixels(of: head), "\(name)")
            #expect(size.width == 40 && size.height == 30, "\(name)")
            for count in 0..<head.count {
                #expect(PictureHead.pixels(of: Array(head.prefix(count))) == nil, "\(name) \(count)")
            }
        }
        #expect(PictureHead.pixels(of: Array("%PDF-1.4".utf8)) == nil)
    }

    @Test func `Files of one name are variants for scales, and names are spelled as interfaces do it`() throws {
        let images = try Self.info([
            "star.png": Self.png(10, 8), "star@3x.png": Self.png(30, 24), "star@2x~ipad.png": Self.png(99, 99),
            "star@2x.png": Self.png(20, 16), "Icons/gear@2x.png": Self.png(64, 32), "drawing.pdf": [],
            "photo.jpg": Self.jpeg(300, 200),
        ])
        let star = try #require(images["star"])
        #expect(star.scales == [1, 2, 3] && star.points == Size(width: 10, height: 8) && !star.isVector)
        #expect(star.variants.map(\.pixelWidth) == [10, 20, 30])
        for name in ["gear", "gear.png", "Icons/gear"] {
            #expect(images[name]?.points == Size(width: 32, height: 16), "\(name)")
        }
        #expect(images["photo.jpg"]?.points == Size(width: 300, height: 200) && images["photo"] != nil)
        #expect(images["drawing"]?.isVector == true && images["drawing"]?.points == nil)
        #expect(images["sun"] == nil)
    }

    @Test func `A catalogue's renditions say scale, tint and darkness`() throws {
        var forge = CatalogForge()
        forge.appearances = [("UIAppearanceDark", 1), ("UIAppearanceHighContrastAny", 2)]
        func picture(_ width: UInt32, _ height: UInt32, scale: UInt32, flags: UInt32 = 0) -> ForgedRendition {
            ForgedRendition(
                width: width, height: height, payload: Array("MLEC".utf8) + [UInt8](repeating: 0, count: 16)
            )
            .with { ($0.scale, $0.flags) = (scale, flags) }
        }
        forge.add("gear", picture(64, 32, scale: 200, flags: 8), scale: 2)
        forge.add("gear", picture(99, 99, scale: 300), scale: 3, idiom: 2)
        forge.add("sky", picture(10, 20, scale: 100))
        forge.add("sky", picture(50, 50, scale: 100), appearance: 1)
        let images = try #require(BundleAssets([], catalogue: forge.bytes).images)
        #expect(images["gear"]?.rendering == .template && images["gear"]?.scales == [2])
        #expect(images["gear"]?.points == Size(width: 32, height: 16) && images["gear"]?.hasDarkVariant == false)
        #expect(images["sky"]?.hasDarkVariant == true && images["sky"]?.rendering == .automatic)
        #expect(images["sky"]?.points == Size(width: 10, height: 20))
    }

    @Test func `A catalogue's colours are pairs for light and dark, in the space of the screen`() {
        var forge = CatalogForge()
        forge.appearances = [("UIAppearanceDark", 1), ("UIAppearanceHighContrastAny", 2)]
        func color(_ parts: [Double], space: UInt32 = 0) -> ForgedRendition {
            ForgedRendition(payload: ForgedRendition.color(parts, colorSpace: space)).with { $0.layout = 1_009 }
        }
        forge.add("Brand", color([1, 0, 0, 1]))
        forge.add("Brand", color([0, 0, 1, 0.5]), appearance: 1)
        forge.add("Brand", color([0, 1, 0, 1]), appearance: 2)
        forge.add("Grey", color([0.4, 1], space: 1))
        forge.add("Wide", color([1, 0, 0, 1], space: 2))
        forge.add("Muted", color([0.4, 0.4, 0.4, 1], space: 2))
        forge.add("Broken", color([1, 2, 3]))
        let colors = BundleAssets([], catalogue: forge.bytes).colors
        let (red, blue) = (RGBA(red: 1.0, green: 0, blue: 0), RGBA(red: 0, green: 0, blue: 1.0, alpha: 0.5))
        #expect(colors["Brand"] == .pair(light: red, dark: blue))
        #expect(colors["Grey"] == .value(RGBA(red: 0.4, green: 0.4, blue: 0.4)))
        // The reddest red of the wide space is clamped; greys are the same in both.
        #expect(colors["Wide"] == .value(red) && colors["Muted"] == colors["Grey"])
        #expect(colors["Broken"] == nil)
    }

    @Test func `A built bundle says the sizes of its loose pictures, from the heads of its archive's entries`() throws {
        let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/HarbourLog")
        let buoy = try #require(program.images?["buoy"])
        #expect(buoy.scales == [1, 2] && buoy.points == buoy.variants.first?.points)
        let (small, large) = (buoy.variants[0], buoy.variants[1])
        #expect(small.pixelWidth > 0 && large.pixelWidth == 2 * small.pixelWidth)
        #expect(large.pixelHeight == 2 * small.pixelHeight)
    }

    @Test func `A catalogue that cannot be read leaves the names unknown`() {
        let assets = BundleAssets(["star.png"], catalogue: [1, 2, 3])
        #expect(assets.images == nil && assets.colors.isEmpty)
    }
}
