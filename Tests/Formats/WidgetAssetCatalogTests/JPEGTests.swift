import Testing
import WidgetAssetCatalog
import WidgetTestSupport

/// Images of 37 × 29 pixels whose colours are sums of their places, stored in all supported ways.
@Suite struct `A JPEG in a catalogue` {
    private static let files = Corpus.files(in: "jpeg")

    private static func catalog(_ jpeg: [UInt8]) throws -> CompiledCatalog {
        var forge = CatalogForge()
        let size = (0..<4).map { UInt8(truncatingIfNeeded: jpeg.count >> ($0 * 8)) }
        forge.add(
            "a",
            ForgedRendition(width: 37, height: 29, payload: Array("DWAR".utf8) + [0, 0, 0, 0] + size + jpeg).with {
                $0.pixelFormat = "JPEG"
            })
        return try CompiledCatalog(parsing: forge.bytes)
    }

    private static func bitmap(_ jpeg: [UInt8]) throws -> Bitmap {
        let catalog = try catalog(jpeg)
        return try catalog.bitmap(of: try #require(catalog.renditions.first))
    }

    @Test(arguments: files.map(\.name))
    func `a JPEG has its original pixels, as near as its kind allows`(_ name: String) throws {
        let jpeg = try #require(Self.files.first { $0.name == name }).bytes
        let catalog = try Self.catalog(jpeg)
        let rendition = try #require(catalog.renditions.first)
        #expect(rendition.isImage)
        #expect(try catalog.file(of: rendition) == jpeg)
        let bitmap = try catalog.bitmap(of: rendition)
        #expect(bitmap.width == 37 && bitmap.height == 29)
        // Colours that neighbours share differ by half of a step.
        let tolerance = ["halved.jpg", "wide.jpg", "progressive.jpg"].contains(name) ? 16 : 8
        var largest = 0
        for y in 0..<29 {
            for x in 0..<37 {
                let drawn = [x * 6 + 10, y * 8 + 5, 250 - x * 3 - y * 4]
                let start = (y * 37 + x) * 4
                for channel in 0..<3 {
                    let expected = name.hasSuffix("gray.jpg") ? drawn[0] : drawn[channel]
                    largest = max(largest, abs(Int(bitmap.pixels[start + channel]) - expected))
                }
                #expect(bitmap.pixels[start + 3] == 255)
            }
        }
        #expect(largest <= tolerance)
        #expect(try bitmap.png().starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    /// Colours and alpha in a catalogue's layout; rows of alpha may be longer than the image's.
    static func withAlpha(_ jpeg: [UInt8], _ alpha: [UInt8], stride: Int, pieces: Int = 0) -> [UInt8] {
        func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        let plane = alpha.isEmpty ? [] : Array("bvx-".utf8) + little(alpha.count) + alpha + Array("bvx$".utf8)
        let head = little(0) + little(pieces) + little(plane.count) + little(stride) + little(jpeg.count)
        return ForgedRendition.bitmap(5, head + plane + jpeg)
    }

    private static func cut(_ payload: [UInt8]) throws -> Bitmap {
        var forge = CatalogForge()
        forge.add("a", ForgedRendition(width: 37, height: 29, payload: payload))
        let catalog = try CompiledCatalog(parsing: forge.bytes)
        return try catalog.bitmap(of: try #require(catalog.renditions.first))
    }

    @Test func `a JPEG with separate alpha has premultiplied colours`() throws {
        let jpeg = try #require(Self.files.first { $0.name == "plain.jpg" }).bytes
        let plain = try Self.bitmap(jpeg)
        // A column of each alpha; two bytes more in every row.
        let alpha = (0..<29).flatMap { _ in (0..<39).map { UInt8($0 * 5) } }
        let cut = try Self.cut(Self.withAlpha(jpeg, alpha, stride: 39))
        for place in [0, 36, 37 * 28 + 20] {
            let level = place % 37 * 5
            #expect(Int(cut.pixels[place * 4 + 3]) == level)
            for channel in 0..<3 {
                let stored = min(Int(plain.pixels[place * 4 + channel]), level)
                #expect(Int(cut.pixels[place * 4 + channel]) == (level == 0 ? 0 : (stored * 255 + level / 2) / level))
            }
        }
        // Without a plane it is opaque.
        #expect(try Self.cut(Self.withAlpha(jpeg, [], stride: 0)) == plain)
    }

    @Test func `alpha that is too short, too long, in pieces or damaged is refused`() throws {
        let jpeg = try #require(Self.files.first { $0.name == "plain.jpg" }).bytes
        func reason(_ payload: [UInt8]) -> AssetError.Reason? {
            do { _ = try Self.cut(payload) } catch { return (error as? AssetError)?.reason }
            return nil
        }
        let alpha = [UInt8](repeating: 200, count: 37 * 29)
        let sound = Self.withAlpha(jpeg, alpha, stride: 37)
        #expect(reason(sound) == nil)
        #expect(reason(Self.withAlpha(jpeg, Array(alpha.dropLast()), stride: 37)) == .corrupt(.jpegWithAlpha))
        #expect(reason(Self.withAlpha(jpeg, alpha + [1], stride: 37)) == .corrupt(.jpegWithAlpha))
        #expect(reason(Self.withAlpha(jpeg, alpha, stride: 36)) == .corrupt(.jpegWithAlpha))
        #expect(reason(Self.withAlpha(jpeg, alpha, stride: 1 << 30)) == .corrupt(.jpegWithAlpha))
        #expect(reason(Self.withAlpha(jpeg, alpha, stride: 37, pieces: 2)) == .unsupportedVariant(.jpegWithAlpha, 2))
        for count in 16..<200 {
            var payload = Array(sound[..<count])
            payload.replaceSubrange(12..<16, with: [UInt8(truncatingIfNeeded: count - 16), 0, 0, 0])
            #expect(reason(payload) == .corrupt(.jpegWithAlpha))
        }
    }

    @Test func `JPEG images of every supported kind are tested`() {
        #expect(Self.files.count == 10)
    }

    @Test(arguments: ["plain.jpg", "progressive.jpg", "wide.jpg"])
    func `a JPEG that is cut off is refused, and one with a changed byte is refused or read`(_ name: String) throws {
        let jpeg = try #require(Self.files.first { $0.name == name }).bytes
        // Without its last scan, a progressive image is one of fewer details.
        for count in 0..<jpeg.count - 64 where count < 600 || count % 7 == 0 {
            if let bitmap = try? Self.bitmap(Array(jpeg[..<count])) {
                #expect(name == "progressive.jpg" && bitmap.pixels.count == 37 * 29 * 4)
            }
        }
        for position in jpeg.indices {
            var changed = jpeg
            changed[position] ^= 0x55
            if let bitmap = try? Self.bitmap(changed) {
                #expect(bitmap.pixels.count == bitmap.width * bitmap.height * 4)
            }
        }
    }

    @Test func `a JPEG beyond its limits or of another kind is refused`() throws {
        let jpeg = try #require(Self.files.first { $0.name == "plain.jpg" }).bytes
        func reason(_ change: (inout [UInt8]) -> Void) throws -> AssetError.Reason? {
            var changed = jpeg
            change(&changed)
            let catalog = try Self.catalog(changed)
            do throws(AssetError) {
                _ = try catalog.bitmap(of: catalog.renditions[0])
                return nil
            } catch {
                return error.reason
            }
        }
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        #expect(try reason { _ in } == nil)
        #expect(try reason { $0[frame + 1] = 0xC9 } == .unsupportedJPEG(0xC9))
        #expect(try reason { $0[frame + 4] = 12 } == .unsupportedJPEG(0xC1))
        #expect(
            try reason { $0.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
                == .limitReached(.pixelCount, limit: 16 << 20))
        // As many pixels as the limit allows, with next to no data.
        #expect(try reason { $0.replaceSubrange(frame + 5..<frame + 9, with: [15, 255, 15, 255]) } == .damagedImage)
        #expect(try reason { $0.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 37]) } == .damagedImage)
        #expect(try reason { $0[0] = 0 } == .notAnImage)
    }
}
