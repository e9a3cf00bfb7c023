import Foundation
import Testing
import WidgetBytes
import WidgetCore
import WidgetFiles
import WidgetHost
import WidgetHosting
import WidgetLive
import WidgetRender
import WidgetRunning
import WidgetSurroundings

@testable import WidgetCommands

/// Goal: a widget of a page cannot take the links of another one. Method: pages of folders, and links that are opened.
@Suite struct `B15: a link between widgets of a page` {
    /// A page whose widgets are instances of these bundles, in this order.
    private final class Page {
        let scratch: ScratchDirectory
        let board: HostBoard
        let group: LivePage
        let findings: Findings
        private let desk: LiveDesk
        private let letters: [String]

        /// - Parameter bundles: folders, each with its identifier and the pattern that it declares.
        init(_ bundles: [(folder: String, identifier: String, pattern: String?)]) throws {
            scratch = try ScratchDirectory(in: Directory.temporary)
            letters = bundles.indices.map { String(UnicodeScalar(UInt8(ascii: "a") + UInt8($0))) }
            var slots: [HostBoard.Slot] = []
            for (number, bundle) in bundles.enumerated() {
                let path = "\(scratch.path)/\(bundle.folder).bundle"
                try Page.write(bundle.identifier, bundle.pattern, at: path)
                var file = PageFile.Slot(title: "Slot \(letters[number])", origin: .path(path))
                file.instance = "-\(number)"
                slots.append(HostBoard.Slot(letter: letters[number], file: file, origin: .path(path)))
            }
            let hosted = HostedWidgets(environment: { Environment(now: 0, seed: 1) })
            let (desk, findings) = (LiveDesk(LiveLimits()), Findings())
            (self.desk, self.findings) = (desk, findings)
            board = HostBoard(
                slots, hosted, SlotNetworks([]), nil, arrangement: nil, timeZone: .utc, in: .machine,
                report: { findings.add($0) })
            group = LivePage("page", of: board, BarePrinter(), at: "/live/page", desk) { _ in }
        }

        private static func write(_ identifier: String, _ pattern: String?, at path: String) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let info = """
                <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(identifier)</string>
                <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
                """
            let links = pattern.map { #""links": {"pay": {"pattern": "\#($0)", "scene": "Pay"}},"# } ?? ""
            let main = #"{"schema": 1, \#(links) "root": [{"kind": "label", "payload": {"text": "Main"}}]}"#
            let pay =
                #"{"schema": 1, "parameters": {"id": "?"}, "root": [{"kind": "label", "payload": {"text": "$id"}}]}"#
            for (name, text) in [("Info.plist", info), ("Main.widgets.json", main), ("Pay.widgets.json", pay)] {
                try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
            }
        }

        func load() async { for letter in letters { await board.load(letter) } }

        /// The slots whose widgets show a text.
        func showing(_ text: String) async -> [String] {
            var found: [String] = []
            for letter in letters {
                guard let widget = await board.slots[letter]?.running?.widget else { continue }
                let view = await widget.snapshot().view
                var isThere = false
                view.visit { node in
                    isThere = isThere || node.text(.text) == text
                    return true
                }
                if isThere { found.append(letter) }
            }
            return found
        }
    }

    private final class Findings: Sendable {
        private let sentences = Guarded([String]())
        var all: [String] { sentences.withLock { $0 } }
        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    private struct BarePrinter: LivePagePrinter {
        var hasSlots: Bool { true }

        func place(_ slot: PageSlot, on page: String) -> LivePlace {
            var options = PageOptions()
            options.letter = slot.letter
            return LivePlace(options, page: page, begin: "/live", assets: "/assets/")
        }

        func page(
            _ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition
        ) -> [UInt8]? { [] }

        func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8] { [] }
    }

    @Test func `A link goes to the one bundle that declares it, and to its first instance on the page`() async throws {
        let page = try Page([
            ("From", "com.acme.From", nil), ("Pay", "com.acme.Pay", "acme://pay/{id}"),
            ("Pay", "com.acme.Pay", "acme://pay/{id}"),
        ])
        await page.load()
        #expect(page.findings.all.isEmpty)
        #expect(await page.board.open("acme://pay/7", from: "a", on: page.group))
        #expect(await page.showing("7") == ["b"])
        // An instance does not open its own link in itself.
        #expect(await page.board.open("acme://pay/8", from: "b", on: page.group))
        #expect(await page.showing("8") == ["c"])
        await page.board.stop()
    }

    @Test(arguments: ["com.evil.Pay", "com.acme.Pay"])
    func `A pattern that two bundles declare is a finding, and its links go to neither`(
        _ identifier: String
    ) async throws {
        // A bundle chooses its identifier itself, so that of another one makes it no instance of that.
        let page = try Page([
            ("Evil", identifier, "acme://{what}/{id}"), ("From", "com.acme.From", nil),
            ("Pay", "com.acme.Pay", "acme://pay/{id}"),
        ])
        await page.load()
        #expect(page.findings.all.count == 1)
        #expect(page.findings.all.first?.contains("acme://pay/{id} and acme://{what}/{id}") == true)
        #expect(await !page.board.open("acme://pay/SECRET42", from: "b", on: page.group))
        #expect(await page.showing("SECRET42").isEmpty)
        #expect(await page.board.moment().announcement.contains("both declare it"))
        await page.board.stop()
    }

    @Test func `A widget that is not touched opens nothing in another one`() async throws {
        let page = try Page([("From", "com.acme.From", nil), ("Pay", "com.acme.Pay", "acme://pay/{id}")])
        await page.load()
        let running = try #require(await page.board.slots["a"]?.running)
        let source = SlotSource("a", running, page.board, page.group)
        #expect(await !source.open("acme://pay/FORCED", isTouched: false))
        #expect(await page.showing("FORCED").isEmpty)
        #expect(await source.open("acme://pay/WANTED", isTouched: true))
        #expect(await page.showing("WANTED") == ["b"])
        await page.board.stop()
    }
}
