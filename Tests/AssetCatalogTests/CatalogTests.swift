import AssetCatalog
import TestSupport
import Testing

@Suite struct `A compiled catalogue` {
    /// Two by two: red, half transparent green, blue, nothing. Blue first, multiplied by alpha.
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

    @Test func `tells names, scales, idioms and appearances apart`() throws {
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

    @Test func `gives pixels whose colours are not multiplied by alpha`() throws {
        let bitmap = try Self.bitmap(Self.image(ForgedRendition.bitmap(0, Self.pixels)))
        #expect(bitmap.pixels == Self.straight)
    }

    @Test func `ignores stored alpha where pixels are opaque`() throws {
        let bitmap = try Self.bitmap(Self.image(ForgedRendition.bitmap(0, Self.pixels, flags: 2)))
        #expect(stride(from: 3, to: 16, by: 4).map { bitmap.pixels[$0] } == [255, 255, 255, 255])
    }

    @Test func `skips what pads its rows`() throws {
        let padded = Array(Self.pixels[..<8]) + [9, 9, 9, 9] + Array(Self.pixels[8...]) + [9, 9, 9, 9]
        let rendition = Self.image(ForgedRendition.bitmap(0, padded)).with { $0.properties = [(1007, [12, 0, 0, 0])] }
        #expect(try Self.bitmap(rendition).pixels == Self.straight)
    }

    @Test func `shows the first of several bitmaps`() throws {
        let rendition = Self.image(ForgedRendition.bitmap(0, Self.pixels)).with {
            $0.more = (0..<5).map { [UInt8](repeating: $0, count: 7) }
            $0.properties = [(1007, [8, 0, 0, 0])]
            $0.layout = 1008
        }
        #expect(try Self.bitmap(rendition).pixels == Self.straight)
    }

    @Test func `has its pixels even where its properties make no sense`() throws {
        // A length that counts its own head, as some writers have it.
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

    @Test func `joins pieces of rows`() throws {
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
    func `knows other channels`(_ name: String, _ space: UInt32, _ stored: [UInt8], _ expected: [UInt8]) throws {
        let rendition = Self.image(ForgedRendition.bitmap(0, stored), width: 1, height: 1).with {
            ($0.pixelFormat, $0.colorSpace) = (name, space)
        }
        #expect(try Self.bitmap(rendition).pixels == expected)
    }

    @Test func `takes parts of other renditions, counted from the bottom left`() throws {
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

    @Test func `that refers to itself has no pixels there`() throws {
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

    @Test func `hands on files it holds as they were`() throws {
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

    @Test func `unpacks no file that only looks packed`() throws {
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
    func `says by name what it cannot decompress`(_ number: UInt32, _ reason: AssetError.Reason) {
        let error = #expect(throws: AssetError.self) {
            try Self.bitmap(Self.image(ForgedRendition.bitmap(number, Self.pixels)))
        }
        #expect(error?.reason == reason)
        #expect(error?.rendition == "image.png")
    }
}
