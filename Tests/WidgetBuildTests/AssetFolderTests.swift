import Testing
import WidgetBuild

@Suite struct `A folder of assets` {
    private func contents(_ images: String...) -> [UInt8] {
        Array("{\"images\": [\(images.joined(separator: ","))], \"info\": {\"version\": 1}}".utf8)
    }

    @Test func `becomes loose images named for their scales and devices`() throws {
        let folder = try AssetFolder(reading: [
            "Contents.json": Array("{}".utf8), "Icons/Contents.json": Array("{}".utf8),
            "Icons/sun.imageset/Contents.json": contents(
                #"{"idiom": "universal", "filename": "a.png", "scale": "1x"}"#,
                #"{"idiom": "universal", "filename": "b.png", "scale": "2x"}"#,
                #"{"idiom": "ipad", "filename": "c.png", "scale": "3x"}"#, #"{"idiom": "universal", "scale": "3x"}"#),
            "Icons/sun.imageset/a.png": [1], "Icons/sun.imageset/b.png": [2], "Icons/sun.imageset/c.png": [3],
            "moon.imageset/Contents.json": contents(#"{"filename": "moon.JPG"}"#), "moon.imageset/moon.JPG": [4],
        ])
        #expect(folder.files.map(\.name) == ["moon.jpg", "sun.png", "sun@2x.png", "sun@3x~ipad.png"])
        #expect(folder.files.map(\.bytes) == [[4], [1], [2], [3]])
        #expect(folder.notes == [])
    }

    @Test func `says what loose images cannot be`() throws {
        let folder = try AssetFolder(reading: [
            "sun.imageset/Contents.json": contents(
                #"{"filename": "a.png"}"#, #"{"filename": "b.png", "appearances": [{"value": "dark"}]}"#,
                #"{"filename": "a.png", "idiom": "watch"}"#),
            "sun.imageset/a.png": [1], "sun.imageset/b.png": [2],
            "red.colorset/Contents.json": Array("{}".utf8), "AppIcon.appiconset/Contents.json": Array("{}".utf8),
        ])
        #expect(folder.files.map(\.name) == ["sun.png"])
        #expect(folder.notes.count == 4)
        for words in [".appiconset", ".colorset", "appearance", "watch"] {
            #expect(folder.notes.contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test func `says of everything in it what was not made of it`() throws {
        let sources = [
            "Contents.json": Array(#"{"info": {}, "extra": 1}"#.utf8),
            "Icons/Contents.json": Array(#"{"properties": {"on-demand-resource-tags": []}}"#.utf8),
            "sun.imageset/Contents.json": Array(
                #"""
                {"images": [{"filename": "a.png", "resizing": {}, "subtype": "retina4"}, {"filename": "b.png", "unassigned": true}],
                 "properties": {"template-rendering-intent": "template"}, "more": 1}
                """#.utf8),
            "sun.imageset/a.png": [1], "sun.imageset/b.png": [2], "sun.imageset/c.png": [3],
        ]
        let folder = try AssetFolder(reading: sources)
        #expect(folder.files.map(\.name) == ["sun.png"])
        for words in [
            "extra", "on-demand-resource-tags", "resizing", "subtype", "b.png", "template-rendering-intent", "more",
            "c.png",
        ] {
            #expect(folder.notes.count { $0.contains(words) } == 1, "\(words)")
        }
        #expect(folder.notes.count == 8)
    }

    @Test func `is refused when its folders are parts of names`() {
        let sources = ["Icons/Contents.json": Array(#"{"properties": {"provides-namespace": true}}"#.utf8)]
        let error = #expect(throws: BuildError.self) { try AssetFolder(reading: sources) }
        #expect(error?.path == "Icons/Contents.json")
    }

    @Test func `is refused when something in it cannot be used`() {
        let sources: [[String: [UInt8]]] = [
            ["a.imageset/Contents.json": Array("{".utf8)], ["a.imageset/Contents.json": Array("{}".utf8)],
            ["a.imageset/Contents.json": contents(#"{"filename": "a.png"}"#)],
            ["a.imageset/Contents.json": contents(#"{"filename": "a.pdf"}"#), "a.imageset/a.pdf": [1]],
            ["a.imageset/Contents.json": contents(#"{"filename": "a.png", "scale": "5x"}"#), "a.imageset/a.png": [1]],
            [
                "a.imageset/Contents.json": contents(#"{"filename": "a.png"}"#), "a.imageset/a.png": [1],
                "b/a.imageset/Contents.json": contents(#"{"filename": "a.png"}"#), "b/a.imageset/a.png": [1],
            ],
        ]
        for files in sources {
            let error = #expect(throws: BuildError.self) { try AssetFolder(reading: files) }
            #expect(error?.path.hasSuffix("a.imageset/Contents.json") == true)
        }
    }
}
