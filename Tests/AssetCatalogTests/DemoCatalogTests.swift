import AssetCatalog
import Bytes
import TestSupport
import Testing

@Suite(.enabled(if: Samples.canBeUnpacked, "the demo bundle or unzip is missing"))
struct `The demo's catalogue` {
    private static let catalog = Result { try CompiledCatalog(parsing: try Samples.demo("Assets.car")) }

    @Test func `names nine assets with ten renditions`() throws {
        let catalog = try Self.catalog.get()
        #expect(
            catalog.facets.map(\.name) == [
                "AppIcon", "ava_dots", "ava_dragon", "ava_infinity", "ava_pirple8", "ava_pixels", "delete_button",
                "gear", "widgets",
            ])
        #expect(catalog.renditions.count == 10)
        #expect(catalog.header.renditionCount == 10)
        #expect(catalog.header.version == "IBCocoaTouchImageCatalogTool-9.4")
        #expect(catalog.renditions.allSatisfy { $0.name != nil })
        let widgets = try #require(catalog.renditions(named: "widgets").first)
        #expect(widgets.fileName == "widgets@3x.png")
        #expect((widgets.width, widgets.height) == (180, 180))
        #expect(widgets.scale == 3)
        #expect(widgets.idiom == .universal)
        let icon = catalog.renditions(named: "AppIcon")
        #expect(icon.map(\.idiom) == [.phone, .phone])
        #expect(icon.first?.content == .sizes([.init(width: 60, height: 60, index: 0)]))
    }

    @Test func `has a bitmap for every image`() throws {
        let catalog = try Self.catalog.get()
        let images = catalog.renditions.filter(\.isImage)
        #expect(images.count == 9)
        for rendition in images {
            let bitmap = try catalog.bitmap(of: rendition)
            #expect((bitmap.width, bitmap.height) == (rendition.width, rendition.height))
            #expect(Set(bitmap.pixels).count > 1, "\(rendition.fileName) is one colour")
        }
    }

    @Test(.enabled(if: PNGOracle.exists, "there is no libpng to ask"))
    func `has images that libpng reads as the same pixels`() throws {
        let catalog = try Self.catalog.get()
        let bitmaps = try catalog.renditions.filter(\.isImage).map { try catalog.bitmap(of: $0) }
        let read = try #require(try PNGOracle.read(try bitmaps.map { try $0.png() }))
        let expected = bitmaps.map { "\($0.width)x\($0.height) \(Digest.sha256($0.pixels)?.hex ?? "")" }
        #expect(read == expected)
    }
}
