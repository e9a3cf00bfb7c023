import PageReading
import Testing
import WidgetCore
import WidgetMarkup
import WidgetPredicates

@testable import WidgetRender

/// Goal: a page shows a picture of the network once it has come, and says in words what has failed. Method: one
/// element with each state of its picture, read by a strict reader.
@Suite struct `A picture of the network on a page` {
    private static let address = "https://pictures.example/cat.png"

    private static func page(
        _ fetched: NetworkPicture?, _ kind: NodeKind = .image, _ more: [(PropertyName, Value)] = [],
        events: [NodeEvent] = []
    ) throws -> PageNode {
        let properties = [(PropertyName.imageURL, Value.string(address))] + more
        let node = ViewNode(
            ViewKey(screen: 1, node: 7), kind, properties: properties.map { ViewProperty($0.0, $0.1) }, events: events)
        var view = Text.view([node])
        view.pictures[address] = fetched
        var options = PageOptions()
        options.pictureFolder = "/live/x/a/"
        let printed = PagePrinter(nil, options).page(view, Placeholders())
        let page = try PageReader.page(printed.html)
        #expect(PageRules.faults(page) == [])
        return page
    }

    private struct Placeholders: ViewAssets {
        func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
            name == "wait" ? .file(PictureFile([1], .png, width: 4, height: 4, scale: 1)) : .missing
        }
    }

    private static let file = NetworkPicture.file(name: "0123.png", width: 40, height: 30)
    private static let alt = (PropertyName.accessibleName, Value.string("A cat <asleep>"))
    private static let waiting = (PropertyName.placeholderImage, Value.string("wait"))

    @Test func `One that has come is an img of the page's own address, with its words and its size`() throws {
        let page = try Self.page(Self.file, .image, [Self.alt, Self.waiting])
        let image = try #require(page.all.first { $0.name == "img" })
        #expect(image["src"] == "/live/x/a/0123.png" && image["alt"] == "A cat <asleep>")
        #expect(image["width"] == "40" && image["height"] == "30" && image["title"] == nil)
    }

    @Test func `Without words, its name is what its address ends with`() throws {
        let image = try #require(try Self.page(Self.file).all.first { $0.name == "img" })
        #expect(image["alt"] == "cat.png")
    }

    @Test func `Until it comes, its placeholder or an empty place is shown`() throws {
        let image = try #require(try Self.page(.awaited, .image, [Self.waiting]).all.first { $0.name == "img" })
        #expect(image["width"] == "4" && image["title"] == nil)
        let place = try #require(try Self.page(.awaited, .image, [Self.alt]).all.first { $0["role"] == "img" })
        #expect(place["aria-label"] == "A cat <asleep>" && place.allText.isEmpty)
    }

    @Test func `One that has failed is described in words, with the reason beside them`() throws {
        let page = try Self.page(.failed("it is SVG"), .image, [Self.alt, Self.waiting])
        #expect(page.all.allSatisfy { $0.name != "img" })
        let place = try #require(page.all.first { $0["role"] == "img" })
        #expect(place.allText == "A cat <asleep>" && place["aria-label"] == "A cat <asleep>")
        #expect(place["title"] == "\(Self.address): it is SVG")
    }

    @Test func `One that the host does not fetch has its address beside the placeholder`() throws {
        let image = try #require(try Self.page(nil, .image, [Self.waiting]).all.first { $0.name == "img" })
        #expect(image["title"] == Self.address)
        let place = try #require(try Self.page(nil, .image, [Self.alt]).all.first { $0["role"] == "img" })
        #expect(place["title"] == Self.address && place.allText.isEmpty)
    }

    @Test func `A picture that can be tapped is in a button, and a button has it before its title`() throws {
        let tapped = try #require(
            try Self.page(Self.file, .image, [Self.alt], events: [.tap]).all.first {
                $0["name"] == "do" && $0["tabindex"] == nil
            })
        #expect(tapped.name == "button" && tapped.all.contains { $0["src"] == "/live/x/a/0123.png" })
        let button = try #require(
            try Self.page(Self.file, .button, [(.text, .string("Open"))], events: [.tap]).all
                .first { $0.name == "button" && $0["tabindex"] == nil })
        #expect(button.all.contains { $0["src"] == "/live/x/a/0123.png" && $0["alt"] == "" })
        #expect(button.allText == "Open")
        let failed = try #require(
            try Self.page(.failed("gone"), .button, [Self.alt], events: [.tap]).all
                .first { $0.name == "button" && $0["tabindex"] == nil })
        #expect(failed.allText == "A cat <asleep>" && failed["title"] == "\(Self.address): gone")
    }

    @Test func `A picture that several elements show counts once among the pixels of a page`() {
        var pictures = PagePictures(NoAssets(), scale: 2, scheme: nil, of: nil)
        let large = NetworkPicture.file(name: "large.png", width: 4_096, height: 4_096)
        for _ in 0..<9 { #expect(pictures.picture(at: Self.address, large) != nil) }
        for name in ["b.png", "c.png", "d.png"] {
            #expect(pictures.picture(at: name, .file(name: name, width: 4_096, height: 4_096)) != nil)
        }
        #expect(pictures.picture(at: "e.png", .file(name: "e.png", width: 4_096, height: 4_096)) == nil)
        #expect(pictures.remarks.count == 1 && pictures.files.isEmpty)
    }
}
