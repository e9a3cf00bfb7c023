import Testing
import WidgetAssetCatalog
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@Suite struct `A compiled catalogue` {
    /// Two by two: red, half transparent green, blue, transparent. Blue first, premultiplied.
    static let pixels: [UInt8] = [0, 0, 255, 255, 0, 64, 0, 128, 255, 0, 0, 255, 0, 0, 0, 0]
    static let straight: [UInt8] = [255, 0, 0, 255, 0, 128, 0, 128, 0, 0, 255, 255, 0, 0, 0, 0]

    static func image(_ payload: [UInt8], width: UInt32 = 2, height: UInt32 = 2) -> ForgedRendition {
        ForgedRendition(width: width, height: height, payload: payload)
    }

    static func bitmap(_ rendition: ForgedRendition) throws -> Bitmap {
        var forge = CatalogForge()
        forge.add("image", rendition)
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        return try catalog.bitmap(of: try #require(catalog.renditions.first))
    }

    @Test func `renditions have names, scales, idioms and appearances`() throws {
        var forge = CatalogForge()
        let payload = ForgedRendition.bitmap(0, Self.pixels)
        forge.appearances = [("UIAppearanceAny", 0), ("UIAppearanceDark", 1)]
        forge.add("a", Self.image(payload).with { $0.scale = 200 }, scale: 2)
        forge.add("a", Self.image(payload).with { $0.scale = 300 }, scale: 3, idiom: 2)
        forge.add("b", Self.image(payload).with { $0.flags = 8 }, appearance: 1)
        forge.add("c", ForgedRendition(payload: ForgedRendition.color([0.25, 0.5, 1, 0.75])).with { $0.layout = 1009 })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        #expect(catalog.facets.map(\.name) == ["a", "b", "c"])
        let described = catalog.renditions.map {
            "\($0.name ?? "") \($0.scale) \($0.idiom.name) \($0.appearance ?? "")"
        }
        #expect(
            described == ["a 2.0 universal ", "a 3.0 pad ", "b 1.0 universal UIAppearanceDark", "c 1.0 universal "])
        #expect(catalog.renditions.map(\.isTemplate) == [false, false, true, false])
        #expect(catalog.renditions[3].content == .color(CatalogColor(colorSpace: 1, components: [0.25, 0.5, 1, 0.75])))
        #expect(catalog.renditions(named: "a").count == 2)
        #expect(throws: AssetError.self) { try catalog.bitmap(of: catalog.renditions[3]) }
    }

    @Test func `a bitmap's colours are not premultiplied`() throws {
        let bitmap = try Self.bitmap(Self.image(ForgedRendition.bitmap(0, Self.pixels)))
        #expect(bitmap.pixels == Self.straight)
    }

    @Test func `stored alpha is ignored where pixels are opaque`() throws {
        let bitmap = try Self.bitmap(Self.image(ForgedRendition.bitmap(0, Self.pixels, flags: 2)))
        #expect(stride(from: 3, to: 16, by: 4).map { bitmap.pixels[$0] } == [255, 255, 255, 255])
    }

    @Test func `the padding of rows is skipped`() throws {
        let padded = Array(Self.pixels[..<8]) + [9, 9, 9, 9] + Array(Self.pixels[8...]) + [9, 9, 9, 9]
        let rendition = Self.image(ForgedRendition.bitmap(0, padded)).with { $0.properties = [(1007, [12, 0, 0, 0])] }
        #expect(try Self.bitmap(rendition).pixels == Self.straight)
    }

    @Test func `the first of several bitmaps is shown`() throws {
        let rendition = Self.image(ForgedRendition.bitmap(0, Self.pixels)).with {
            $0.more = (0..<5).map { [UInt8](repeating: $0, count: 7) }
            $0.properties = [(1007, [8, 0, 0, 0])]
            $0.layout = 1008
        }
        #expect(try Self.bitmap(rendition).pixels == Self.straight)
    }

    @Test func `a rendition has its pixels even if its properties make no sense`() throws {
        // A length that includes the head, as some writers give it.
        let rendition = Self.image(ForgedRendition.bitmap(0, Self.pixels)).with {
            $0.properties = [(1004, [0, 0, 0, 0]), (1006, [1, 0, 0, 0])]
        }
        var forge = CatalogForge()
        forge.add("image", rendition)
        var bytes = rendition.bytes
        bytes[184 + 12 + 4] = 12
        forge.renditions[0].value = bytes
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        #expect(catalog.renditions[0].propertyTags == [1004])
        #expect(try catalog.bitmap(of: catalog.renditions[0]).pixels == Self.straight)
    }

    @Test func `pieces of rows are joined`() throws {
        let pieces = [(rows: UInt32(1), data: Array(Self.pixels[..<8])), (1, Array(Self.pixels[8...]))]
        #expect(try Self.bitmap(Self.image(ForgedRendition.bitmap(0, pieces: pieces))).pixels == Self.straight)
    }

    static let formats: [(String, UInt32, [UInt8], [UInt8])] = [
        ("GRAY", 1, [7], [7, 7, 7, 255]), ("GA8 ", 1, [64, 128], [128, 128, 128, 128]),
        ("GA16", 1, [0, 64, 0, 128], [128, 128, 128, 128]), ("RGB5", 1, [0, 0x7C], [255, 0, 0, 255]),
        ("RGBW", 1, [0, 64, 0, 32, 0, 0, 255, 128], [128, 64, 0, 128]),
        // Half floats: 1, 0.5, beyond 1, 1.
        ("RGBW", 4, [0x00, 0x3C, 0x00, 0x38, 0x00, 0x40, 0x00, 0x3C], [255, 128, 255, 255]),
    ]

    @Test(arguments: formats)
    func `other pixel formats are decoded`(_ name: String, _ space: UInt32, _ stored: [UInt8], _ expected: [UInt8])
        throws
    {
        let rendition = Self.image(ForgedRendition.bitmap(0, stored), width: 1, height: 1).with {
            ($0.pixelFormat, $0.colorSpace) = (name, space)
        }
        #expect(try Self.bitmap(rendition).pixels == expected)
    }

    @Test func `a reference takes a part of another rendition, counted from the bottom left`() throws {
        var forge = CatalogForge()
        let sheet = forge.add("sheet", Self.image(ForgedRendition.bitmap(0, Self.pixels)).with { $0.layout = 1004 })
        let attributes = zip(forge.keyFormat, sheet).map { (UInt16($0), $1) }
        let part = ForgedRendition(width: 1, height: 1).with {
            $0.layout = 1003
            $0.properties = [
                ForgedRendition.reference(left: 1, bottom: 1, width: 1, height: 1, attributes: attributes)
            ]
        }
        forge.add("part", part)
        forge.add(
            "outside",
            part.with {
                $0.properties = [
                    ForgedRendition.reference(left: 1, bottom: 1, width: 2, height: 1, attributes: attributes)
                ]
            })
        let unknown = attributes.map { ($0.0, $0.0 == 17 ? 9 : $0.1) }
        forge.add(
            "nowhere",
            part.with {
                $0.properties = [
                    ForgedRendition.reference(left: 0, bottom: 0, width: 1, height: 1, attributes: unknown)
                ]
            })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        #expect(try catalog.bitmap(of: catalog.renditions[1]).pixels == [0, 128, 0, 128])
        let outside = #expect(throws: AssetError.self) { try catalog.bitmap(of: catalog.renditions[2]) }
        #expect(outside?.reason == .referenceOutOfRange)
        let nowhere = #expect(throws: AssetError.self) { try catalog.bitmap(of: catalog.renditions[3]) }
        #expect(nowhere?.reason == .unknownReference)
    }

    @Test func `a rendition that refers to itself has no pixels`() throws {
        var forge = CatalogForge()
        let attributes: [(UInt16, UInt16)] = [(12, 1), (17, 1_000), (1, 85), (2, 181)]
        forge.add(
            "loop",
            ForgedRendition(width: 1, height: 1).with {
                $0.properties = [
                    ForgedRendition.reference(left: 0, bottom: 0, width: 1, height: 1, attributes: attributes)
                ]
            })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        let error = #expect(throws: AssetError.self) { try catalog.bitmap(of: catalog.renditions[0]) }
        #expect(error?.reason == .unknownReference)
    }

    @Test func `files in a catalogue are returned unchanged`() throws {
        var forge = CatalogForge()
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
        let raw = Array("DWAR".utf8) + [0, 0, 0, 0, 7, 0, 0, 0] + jpeg
        forge.add("a", ForgedRendition(payload: raw).with { $0.pixelFormat = "JPEG" })
        forge.add("b", ForgedRendition(payload: ForgedRendition.bitmap(0, jpeg)).with { $0.pixelFormat = "JPEG" })
        let packed = Array("bvx-".utf8) + [7, 0, 0, 0] + jpeg + Array("bvx$".utf8)
        forge.add("c", ForgedRendition(payload: ForgedRendition.bitmap(4, packed)).with { $0.pixelFormat = "DATA" })
        let raised = Array("DWAR".utf8) + [1, 0, 0, 0, UInt8(packed.count), 0, 0, 0] + packed
        forge.add("d", ForgedRendition(payload: raised).with { $0.pixelFormat = "DATA" })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        for rendition in catalog.renditions {
            #expect(rendition.content == .data)
            #expect(try catalog.file(of: rendition) == jpeg)
        }
    }

    @Test func `a file that only looks packed is returned unchanged`() throws {
        var forge = CatalogForge()
        let packed = Array("bvx-".utf8) + [1, 0, 0, 0, 7] + Array("bvx$".utf8)
        let raw = Array("DWAR".utf8) + [0, 0, 0, 0, UInt8(packed.count), 0, 0, 0] + packed
        forge.add("a", ForgedRendition(payload: raw).with { $0.pixelFormat = "DATA" })
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        #expect(try catalog.file(of: catalog.renditions[0]) == packed)
    }

    static let unsupported: [(UInt32, AssetError.Reason)] = [
        (6, .unsupportedCompression(.blurred)), (7, .unsupportedCompression(.astc)),
        (9, .unsupportedCompression(.hevc)), (99, .unsupportedCompression(.unknown(99))),
    ]

    @Test(arguments: unsupported)
    func `an unsupported compression is named`(_ number: UInt32, _ reason: AssetError.Reason) {
        let error = #expect(throws: AssetError.self) {
            try Self.bitmap(Self.image(ForgedRendition.bitmap(number, Self.pixels)))
        }
        #expect(error?.reason == reason)
        #expect(error?.rendition == "image.png")
    }
}

/// Catalogues as files, from which the fuzzer starts. `WIDGET_WRITE_CORPUS=1` writes them anew.
@Suite struct `The corpus of catalogues` {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/catalogues"

    /// One image for each way to store pixels.
    private static var payloads: [(name: String, rendition: ForgedRendition)] {
        let (pixels, image) = (`A compiled catalogue`.pixels, { `A compiled catalogue`.image($0) })
        let deep = Array("dmp2".utf8)
        let raw = Array("bvx-".utf8) + [16, 0, 0, 0] + pixels + Array("bvx$".utf8)
        func wrapped(_ body: [UInt8]) -> [UInt8] {
            [1, 0, 0, 0, 4, 0, 0, 0, UInt8(body.count), 0, 0, 0, 0, 0, 0, 0] + body
        }
        let stream: [UInt8] = [0xE4, 1, 2, 3, 4, 0x38, 4, 0x0E, 0xF2, 6, 0, 0, 0, 0, 0, 0, 0]
        let rows: [UInt8] = [4, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 2, 0, 0, 0x80, 9, 9, 9, 9]
        let palette: [UInt8] = [0x0D, 0xF0, 0xFE, 0xCA, 1, 0, 0, 0, 2, 0, 255, 1, 2, 3, 0, 0, 0, 0, 0, 0x40, 0, 0x80]
        let planes: [UInt8] = [255, 255, 255, 255, 2, 3] + Array(repeating: 0, count: 12) + Array(1...12)
        let predicted = Array("bvx-".utf8) + [30, 0, 0, 0] + planes + Array("bvx$".utf8)
        return [
            ("plain", image(ForgedRendition.bitmap(0, pixels))),
            ("pieces", image(ForgedRendition.bitmap(0, pieces: [(1, Array(pixels[..<8])), (1, Array(pixels[8...]))]))),
            ("lzvn", image(ForgedRendition.bitmap(3, stream))), ("lzfse", image(ForgedRendition.bitmap(4, raw))),
            ("block1", image(ForgedRendition.bitmap(4, LZFSEForge.corpus.plain + Array("bvx$".utf8)))),
            ("block2", image(ForgedRendition.bitmap(4, LZFSEForge.corpus.packed + Array("bvx$".utf8)))),
            ("rows", image(ForgedRendition.bitmap(1, rows))), ("palette", image(ForgedRendition.bitmap(8, palette))),
            ("deep", image(ForgedRendition.bitmap(11, wrapped(deep + [3, 0, 10, 4, 2, 0, 2, 0] + raw)))),
            ("predicted", image(ForgedRendition.bitmap(11, wrapped(deep + [2, 0, 10, 4, 2, 0, 2, 0] + predicted)))),
            (
                "photograph",
                ForgedRendition(
                    width: 37, height: 29,
                    payload: `A JPEG in a catalogue`.withAlpha(
                        Corpus.files(in: "jpeg").first { $0.name == "gray.jpg" }?.bytes ?? [],
                        Array(repeating: 200, count: 37 * 29), stride: 37))
            ),
            ("first", image(ForgedRendition.bitmap(10, wrapped(Array("dmap".utf8) + [1, 0, 0, 4] + pixels)))),
        ]
    }

    private static var files: [(name: String, bytes: [UInt8])] {
        var all = CatalogForge()
        var files: [(name: String, bytes: [UInt8])] = []
        for (name, rendition) in payloads {
            all.add(name, rendition)
            var forge = CatalogForge()
            forge.add(name, rendition)
            files.append(("\(name).car", forge.bytes))
        }
        all.add("color", ForgedRendition(payload: ForgedRendition.color([0, 0.5, 1, 1])))
        return files + [("all.car", all.bytes)]
    }

    @Test(.enabled(if: Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `the corpus of catalogues is written`() throws {
        let directory = try Directory(creating: Self.folder)
        for file in Self.files { try directory.replaceFile(file.name, with: file.bytes) }
    }

    @Test(.enabled(if: !Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `the corpus of catalogues is what the forge makes, and all of it is read`() throws {
        let kept = Corpus.files(in: "catalogues")
        #expect(kept.map(\.name) == Self.files.map(\.name).sorted())
        for file in kept {
            #expect(Self.files.contains { $0.name == file.name && $0.bytes == file.bytes })
            let catalog = try CompiledCatalog(parsing: file.bytes)
            for rendition in catalog.renditions where rendition.isImage {
                #expect(throws: Never.self, "\(file.name)") { try catalog.bitmap(of: rendition) }
            }
        }
    }
}

@Suite(.enabled(if: Samples.canBeUnpacked, "needs the original samples"))
struct `The demo's catalogue` {
    private static let catalog = Result { try CompiledCatalog(parsing: try Samples.demo("Assets.car")) }

    @Test func `the demo's catalogue names nine assets with ten renditions`() throws {
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

    @Test func `the demo's catalogue has a bitmap for every image`() throws {
        let catalog = try Self.catalog.get()
        let images = catalog.renditions.filter(\.isImage)
        #expect(images.count == 9)
        for rendition in images {
            let bitmap = try catalog.bitmap(of: rendition)
            #expect((bitmap.width, bitmap.height) == (rendition.width, rendition.height))
            #expect(Set(bitmap.pixels).count > 1, "\(rendition.fileName) is one colour")
        }
    }

    @Test(.enabled(if: PNGOracle.exists, "needs libpng"))
    func `images of the demo's catalogue have the same pixels for libpng`() throws {
        let catalog = try Self.catalog.get()
        let bitmaps = try catalog.renditions.filter(\.isImage).map { try catalog.bitmap(of: $0) }
        let read = try #require(try PNGOracle.read(try bitmaps.map { try $0.png() }))
        let expected = bitmaps.map { "\($0.width)x\($0.height) \(Digest.sha256($0.pixels)?.hex ?? "")" }
        #expect(read == expected)
    }
}
