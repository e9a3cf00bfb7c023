import Foundation
import JSONText
import Testing
import WidgetCore
import WidgetLayout
import WidgetPredicates
import WidgetTestSupport

@testable import WidgetRender

/// Goal: native hosts can draw a screen from its frames. Method: a small screen with a look, printed for several
/// viewports.
@Suite struct `A view as frames` {
    private static let program: Program = {
        var root = Node(.box)
        root.frame = Frame(x: 0, y: 0, width: 375, height: 667)
        root.children = [1, 2]
        root.look = Look(geometry: Geometry())
        var label = Node(.label, identifier: "title")
        label.parent = 0
        label.frame = Frame(x: 10, y: 20, width: 100.26, height: 30)
        var appearance = Appearance()
        appearance.background = .pair(
            light: RGBA(red: 1.0, green: 1.0, blue: 1.0), dark: RGBA(red: UInt8(1), green: 2, blue: 3, alpha: 128))
        appearance.font = FontRequest(size: 17, weight: 600, style: .headline)
        var geometry = Geometry()
        geometry.springs = []
        geometry.design = Size(width: 375, height: 667)
        label.look = Look(geometry: geometry, appearance: appearance)
        var button = Node(.button, identifier: "go")
        button.parent = 0
        button.frame = Frame(x: 10, y: 0, width: 50, height: 10)
        button.look = Look(geometry: geometry)
        return Program(
            identifier: "p", scenes: [Scene("s", nodes: [root, label, button])], entries: [:], initial: "s")
    }()

    private static let view = View(
        screen: "s", title: "Title",
        root: ViewNode(
            ViewKey(screen: 1, node: -10), .screen,
            children: [
                ViewNode(
                    ViewKey(screen: 1, node: 0), .box,
                    children: [
                        ViewNode(
                            ViewKey(screen: 1, node: 1), .label, identifier: "title",
                            properties: [ViewProperty(.text, .string("A <b> \"text\""))],
                            frame: Frame(x: 10, y: 20, width: 100.26, height: 30)),
                        ViewNode(
                            ViewKey(screen: 1, node: 2), .button, identifier: "go",
                            properties: [ViewProperty(.text, .string("Go"))], events: [.tap],
                            frame: Frame(x: 10, y: 0, width: 50, height: 10)),
                    ])
            ]))

    private static func printed(_ viewport: Viewport = Viewport()) -> String {
        String(
            decoding: ViewFrames(program, PrintOptions(viewport: viewport)).print(view, NoAssets()), as: UTF8.self)
    }

    @Test func `An element that lists in rows show twice has two keys, and each its own frame`() throws {
        var view = Self.view
        let box = try #require(view.root.children.first)
        let label = try #require(box.children.first)
        let twice = ViewNode(ViewKey(screen: 1, node: 0), .box, children: [label, label])
        view.root = ViewNode(view.root.key, .screen, children: [twice])
        let frames = ViewFrames(Self.program, PrintOptions(viewport: Viewport())).print(view, NoAssets())
        let keys = String(decoding: frames, as: UTF8.self).split(separator: "\"key\"").dropFirst().map {
            $0.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }
        }
        #expect(keys == ["1.-10", "1.0", "1.1", "1.1~2"])
    }

    @Test func `An element has its frame, font and colours for the viewport`() {
        let light = Self.printed()
        #expect(
            light.contains(
                ##"{"background":"#fff","baseline":41,"font":{"size":17,"weight":600},"foreground":"#000","frame":[10,20,100.5,30],"identifier":"title","key":"1.1","kind":"label","lines":1,"name":"A <b> \"text\"","paint":2,"parent":"1.0","role":"text","text":"A <b> \"text\""}"##
            ), "\(light)")
        let dark = Self.printed(Viewport(scale: 1, scheme: .dark, textSize: .extraExtraExtraLarge))
        #expect(dark.contains(##""background":"#01020380""##) && dark.contains(#""font":{"size":23,"weight":600}"#))
        #expect(dark.contains(##""foreground":"#fff""##) && dark.contains("[10,20,100,30]"))
        #expect(dark.contains(#""scheme":"dark","size":[375,667],"textSize":"XXXL""#))
    }

    @Test func `Elements come in the order of reading, with their place in paint order`() throws {
        let text = Self.printed()
        let button = try #require(text.range(of: #""key":"1.2""#))
        let label = try #require(text.range(of: #""key":"1.1""#))
        #expect(button.lowerBound < label.lowerBound)
        #expect(text.contains(#""name":"Go","paint":3,"#))
    }

    @Test func `The schema of frames is a file of the documents as well`() throws {
        let path = "\(Corpus.repositoryRoot)/docs/schemas/frames.json"
        if Corpus.isWritten { try Data(ViewFrames.schema.json).write(to: URL(filePath: path)) }
        #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == ViewFrames.schema.json)
    }

    @Test func `Frames follow their schema`() throws {
        let check = DraftSevenCheck(try PlainJSON(ViewFrames.schema.json))
        for viewport in [Viewport(), Viewport(scale: 3, direction: .rightToLeft, scheme: .dark)] {
            #expect(check.complaints(try PlainJSON(Array(Self.printed(viewport).utf8))).isEmpty)
        }
        let broken = Self.printed().replacing(#""paint":"#, with: #""pain":"#)
        #expect(!check.complaints(try PlainJSON(Array(broken.utf8))).isEmpty)
    }
}
