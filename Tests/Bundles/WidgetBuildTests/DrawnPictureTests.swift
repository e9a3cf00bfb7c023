import Testing
import WidgetAssetCatalog
import WidgetBytes

@testable import WidgetBuild

/// Goal: PDF and SVG files of sources become the PNG files that a bundle's pictures are. Method: small image sets and
/// loose files, compiled and decoded again.
@Suite struct `Drawings of a source` {
    static let svg = Array("<svg width='24' height='12'><rect width='24' height='12' fill='red'/></svg>".utf8)
    static let text = Array("<svg width='24' height='12'><text>A</text></svg>".utf8)
    static let pdf: [UInt8] = {
        let objects = [
            "<< /Pages 2 0 R >>", "<< /Kids [3 0 R] >>", "<< /MediaBox [0 0 10 20] /Contents 4 0 R >>",
            "<< /Length 23 >>\nstream\n0 1 0 rg 0 0 10 20 re f\nendstream",
        ]
        var file = "%PDF-1.4\n"
        var rows = ""
        for (place, object) in objects.enumerated() {
            let offset = String(file.utf8.count)
            rows += String(repeating: "0", count: 10 - offset.count) + "\(offset) 00000 n \n"
            file += "\(place + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = "xref\n1 4\n\(rows)trailer\n<< /Root 1 0 R >>\nstartxref\n\(file.utf8.count)\n%%EOF"
        return Array((file + table).utf8)
    }()

    static func contents(_ images: String, properties: String = "{}") -> [UInt8] {
        Array(#"{"images": [\#(images)], "properties": \#(properties)}"#.utf8)
    }

    static func sizes(_ folder: AssetFolder) throws -> [String: [Int]] {
        var sizes: [String: [Int]] = [:]
        for file in folder.files {
            let bitmap = try PNGImage.decoded(file.bytes)
            sizes[file.name] = [bitmap.width, bitmap.height]
        }
        return sizes
    }

    @Test(arguments: [("a.svg", svg, [24, 12]), ("a.pdf", pdf, [10, 20]), ("a.SVG", svg, [24, 12])])
    func `A set with one drawing has a picture for each scale`(_ file: String, _ bytes: [UInt8], size: [Int]) throws {
        for image in [#""idiom": "universal""#, #""idiom": "universal", "scale": "1x""#] {
            let folder = try AssetFolder(reading: [
                "Icons/sun.imageset/Contents.json": Self.contents("{\"filename\": \"\(file)\", \(image)}"),
                "Icons/sun.imageset/\(file)": bytes,
            ])
            #expect(folder.notes == [])
            #expect(
                try Self.sizes(folder) == [
                    "sun.png": size, "sun@2x.png": size.map { $0 * 2 }, "sun@3x.png": size.map { $0 * 3 },
                ])
            #expect(
                folder.files.allSatisfy { $0.source == "Icons/sun.imageset/\(file)" && !TemplateMark.isIn($0.bytes) })
        }
    }

    @Test func `A drawing for one scale has its size in that scale's pixels, and pictures of the author come first`()
        throws
    {
        let folder = try AssetFolder(reading: [
            "sun.imageset/Contents.json": Self.contents(
                #"{"filename": "a.svg", "scale": "2x"}, {"filename": "a.png", "scale": "3x"}"#),
            "sun.imageset/a.svg": Self.svg, "sun.imageset/a.png": [1],
            "moon.imageset/Contents.json": Self.contents(
                #"{"filename": "a.svg"}, {"filename": "a.png", "scale": "2x"}"#),
            "moon.imageset/a.svg": Self.svg, "moon.imageset/a.png": [2],
        ])
        #expect(folder.files.map(\.name) == ["moon.png", "moon@2x.png", "moon@3x.png", "sun@2x.png", "sun@3x.png"])
        #expect(folder.files[1].bytes == [2] && folder.files[4].bytes == [1])
        let drawn = try PNGImage.decoded(folder.files[3].bytes)
        #expect((drawn.width, drawn.height) == (24, 12))
    }

    @Test func `Pictures of a template set are marked as such`() throws {
        let png = try #require(Bitmap(width: 1, height: 1, pixels: [1, 2, 3, 4])).png()
        let folder = try AssetFolder(reading: [
            "sun.imageset/Contents.json": Self.contents(
                #"{"filename": "a.svg"}, {"filename": "a.png", "scale": "2x"}"#,
                properties: #"{"template-rendering-intent": "template", "preserves-vector-representation": true}"#),
            "sun.imageset/a.svg": Self.svg, "sun.imageset/a.png": png,
        ])
        #expect(folder.files.count == 3 && folder.files.allSatisfy { TemplateMark.isIn($0.bytes) })
        #expect(try PNGImage.decoded(folder.files[1].bytes) == PNGImage.decoded(png))
        #expect(folder.notes == [])
    }

    @Test func `Files that cannot be drawn are one note for each reason, and nothing of them is in the bundle`() throws
    {
        var sources: [String: [UInt8]] = ["Info.plist": BundleCompilerTestFiles.manifest, "loose.svg": Self.text]
        for number in 1...5 {
            sources["A.xcassets/t\(number).imageset/Contents.json"] = Self.contents(#"{"filename": "a.svg"}"#)
            sources["A.xcassets/t\(number).imageset/a.svg"] = Self.text
        }
        sources["broken.pdf"] = Array("%PDF-1.4".utf8)
        let compiled = try BundleCompiler(sources, folder: "A")
        #expect(compiled.files.map(\.path) == ["Info.plist"])
        #expect(
            compiled.notes.filter { $0.contains("left out") } == [
                "A.xcassets/t1.imageset/a.svg, A.xcassets/t2.imageset/a.svg, A.xcassets/t3.imageset/a.svg, "
                    + "A.xcassets/t4.imageset/a.svg and 2 more: left out, it has text, which cannot be drawn",
                "broken.pdf: left out, it does not say where its table is",
            ])
    }

    @Test func `Loose drawings become pictures of their names, where no other file has those`() throws {
        let compiled = try BundleCompiler(
            [
                "Info.plist": BundleCompilerTestFiles.manifest, "Art/sun.svg": Self.svg, "Art/sun@2x.png": [1],
                "moon@2x~ipad.pdf": Self.pdf,
            ], folder: "A")
        #expect(
            compiled.files.map(\.path) == [
                "Art/sun.png", "Art/sun@2x.png", "Art/sun@3x.png", "Info.plist", "moon@2x~ipad.png",
            ])
        #expect(compiled.files[1].bytes == [1])
        #expect(compiled.origins["Art/sun@3x.png"] == "Art/sun.svg")
        #expect(try PNGImage.decoded(compiled.files[4].bytes).height == 20)
    }

    @Test func `A drawing that is too much at one scale has pictures of the smaller ones`() throws {
        // Each group is as large as the picture, and all of them are open at once.
        let (groups, ends) = (String(repeating: "<g opacity='.5'>", count: 40), String(repeating: "</g>", count: 40))
        let svg = "<svg width='220' height='220'>\(groups)<rect width='1' height='1'/>\(ends)</svg>"
        var drawn = DrawnPictures()
        #expect(drawn.pictures(Array(svg.utf8), path: "a.svg").map(\.scale) == [1, 2])
        #expect(drawn.notes == [])
    }

    @Test(arguments: ["sun.png", "sun.jpg", "sun.JPEG", "sun.gif"])
    func `A picture beside a drawing is taken in its place`(_ file: String) throws {
        let compiled = try BundleCompiler(
            ["Info.plist": BundleCompilerTestFiles.manifest, "sun.svg": Self.svg, file: [1]], folder: "A")
        #expect(compiled.files.map(\.path) == ["Info.plist", file, "sun@2x.png", "sun@3x.png"].sorted())
        #expect(compiled.notes.filter { $0.contains("sun.svg") } == ["sun.svg: left out at 1x, in favour of \(file)"])
        let whole = try BundleCompiler(
            [
                "Info.plist": BundleCompilerTestFiles.manifest, "sun.svg": Self.svg, file: [1], "sun@2x.png": [2],
                "sun@3x.jpg": [3],
            ], folder: "A")
        #expect(
            whole.notes.filter { $0.contains("sun.svg") } == [
                "sun.svg: left out, in favour of \(file), sun@2x.png, sun@3x.jpg"
            ])
        let set = try AssetFolder(reading: [
            "sun.imageset/Contents.json": Self.contents(
                "{\"filename\": \"a.svg\"}, {\"filename\": \"\(file)\", \"scale\": \"2x\"}"),
            "sun.imageset/a.svg": Self.svg, "sun.imageset/\(file)": [1],
        ])
        let ending = file.split(separator: ".")[1].lowercased()
        #expect(set.files.map(\.name) == ["sun.png", "sun@2x.\(ending)", "sun@3x.png"])
        #expect(set.notes == [])
    }

    @Test func `Of two drawings with one name the second is left out with a note`() throws {
        let compiled = try BundleCompiler(
            ["Info.plist": BundleCompilerTestFiles.manifest, "sun.svg": Self.svg, "sun.pdf": Self.pdf], folder: "A")
        #expect(compiled.files.map(\.source) == ["Info.plist", "sun.pdf", "sun.pdf", "sun.pdf"])
        #expect(compiled.notes.filter { $0.contains("sun") } == ["sun.svg: left out, in favour of sun.pdf"])
        let set = try AssetFolder(reading: [
            "sun.imageset/Contents.json": Self.contents(#"{"filename": "a.pdf"}, {"filename": "a.svg"}"#),
            "sun.imageset/a.svg": Self.svg, "sun.imageset/a.pdf": Self.pdf,
        ])
        #expect(set.files.allSatisfy { $0.source == "sun.imageset/a.pdf" } && set.files.count == 3)
        #expect(set.notes == ["sun.imageset/a.svg: left out, in favour of sun.imageset/a.pdf"])
    }
}

enum BundleCompilerTestFiles {
    static let manifest = Array(
        "<plist><dict><key>CFBundleIdentifier</key><string>com.example.a</string></dict></plist>".utf8)
}
