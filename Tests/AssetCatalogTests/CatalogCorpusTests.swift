import AssetCatalog
import Files
import TestSupport
import Testing

/// Catalogues as files, which the fuzzer starts from. `WIDGET_WRITE_CORPUS=1` writes them anew.
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

    @Test(.enabled(if: Corpus.isWritten)) func `is written`() throws {
        let directory = try Directory(creating: Self.folder)
        for file in Self.files { try directory.replaceFile(file.name, with: file.bytes) }
    }

    @Test(.enabled(if: !Corpus.isWritten)) func `is what the forge makes, and all of it is read`() throws {
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
