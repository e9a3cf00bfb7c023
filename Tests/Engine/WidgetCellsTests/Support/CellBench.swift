import Bytes
import CellSupport
import Files
import Foundation
import Processes
import Surroundings
import TestSupport
import WidgetBuild
import WidgetBundles
import WidgetHosting
import WidgetIntake
import WidgetLive
import WidgetRender
import WidgetRunning

@testable import WidgetCells

/// Widgets of a document in cells: each in this process, or a process of `Specimen cell` where the process is the subject.
final class CellBench: Sendable {
    let house: CellHouse
    let desk: LiveDesk
    /// The archive that cells read.
    private let archive: StoredArchive
    /// The names of the viewings that have ended.
    private let ended = Observed(Set<String>())

    enum Place: Sendable {
        case here, process
    }

    /// The place of cells that start from now on.
    private let place: Guarded<Place>

    /// The usual limits, but no spares, which most tests do not need.
    static let limits: CellLimits = {
        var limits = CellLimits()
        limits.spares = 0
        return limits
    }()

    /// - Parameters:
    ///   - deed: what a cell does before it carries out an `order`.
    ///   - without: the parts of the confinement that cells leave out.
    init(
        _ document: String = CellBench.document, service: String? = nil, in place: Place = .here,
        before order: String = "-", deed: String = "-", without: [String] = [],
        _ limits: CellLimits = CellBench.limits, by clock: any Clock = SystemClock()
    ) throws {
        let program = CellStart(
            ProgramStart(
                BuiltProgram("Specimen").url.path, ["cell", order, deed] + without,
                environment: ConfinementLimits.environment))
        let current = Guarded(place)
        self.place = current
        let start = CellStart { () throws(CellEnd) in
            guard current.withLock({ $0 }) == .here else { return try program.begin() }
            return try CalledCell(
                reviewer: Echo(), without: without, before: CalledCell.Deed(before: order, deed))
        }
        house = CellHouse(start, limits, in: World(clock: clock))
        desk = LiveDesk(LiveLimits())
        archive = try StoredArchive(document, service: service)
        house.begin()
    }

    deinit { house.stop() }

    /// Cells that start from now on are in this process.
    func startHere() { place.withLock { $0 = .here } }

    func open(
        _ slot: String = "", locale: String = "", from address: String = "127.0.0.1",
        opening link: String? = nil, network: (any WidgetNetwork)? = nil
    ) async throws(LiveRefusal) -> CellPage {
        let page = try await desk.openOne(
            from: address, begin: "/live",
            at: { LivePlace(PageOptions(), page: "/live/\($0)", begin: "/live", assets: "/assets/") },
            printing: { OneWidgetPage($0, script: nil) }
        ) { [self] (name, place, reason, end) throws(LiveRefusal) in
            let release = CellRelease(
                archive: archive.digest, identifier: archive.identifier, locale: locale, slot: slot)
            do throws(CellRefusal) {
                return try await house.open(
                    release, desk, name: name, reason: reason, at: place, link: link, network: network,
                    { [ended] ending in
                        end.come(ending)
                        ended.change { _ = $0.insert(name) }
                    }, opening: { () throws(FileError) in try archive.open() })
            } catch {
                throw .unavailable("\(error)")
            }
        }
        guard let part = await page.part("a") as? CellViewing else { throw .over }
        return CellPage(live: page, part: part)
    }

    /// Returns when a viewing has ended.
    func end(of viewing: CellPage) async {
        let name = viewing.name
        await ended.becomes { $0.contains(name) }
    }

    /// Returns when the figures of the house fulfil the condition.
    func becomes(_ condition: (CellHouse.Figures) -> Bool) async {
        for await _ in house.changes.stream() where condition(house.figures) { return }
    }

    func admit() { house.admit(archive: archive.digest) }

    func retire() { house.retire(archive: archive.digest) }

    func still(run: String = "/run", of identifier: String? = nil) async throws(CellRefusal) -> CellStill? {
        let release = CellRelease(archive: archive.digest, identifier: identifier ?? archive.identifier)
        return try await house.still(
            release, on: ["/assets/base.css"], PageOptions(), run: (run, "Run", nil),
            opening: { () throws(FileError) in try archive.open() })
    }

    func review(_ question: String) async throws -> CellReview {
        await house.review(HandedFile(try archive.open()), digest: archive.digest, question)
    }

    /// The bytes of the archive.
    var archiveByteCount: Int { get throws { try archive.open().status().byteCount } }

    /// The key of an element, as the page of a viewing has it.
    func key(of text: String, in page: [UInt8]) -> String? {
        let html = String(decoding: page, as: UTF8.self)
        guard let end = html.range(of: text)?.lowerBound,
            let start = html[..<end].range(of: "[&quot;tap&quot;,&quot;", options: .backwards)?.upperBound
        else { return nil }
        return String(html[start...].prefix { $0 != "&" })
    }

    static let document = #"""
        {"schema": 1, "state": {"name": "", "count": 0},
         "root": [{"kind": "label", "payload": {"text": {"$": ["count ", "$count", " name ", "$name"]}}},
          {"kind": "textfield", "id": "name", "payload": {"value": "$name"}},
          {"kind": "button", "id": "add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#
}

/// A page whose widget runs in a cell, as a browser has it.
struct CellPage {
    let live: LivePage
    let part: CellViewing

    var name: String { live.name }

    /// The whole page of now, with the number of its view; `nil` if the page is over.
    func page() async -> PrintedPart? {
        guard let html = try? await live.printed(),
            let found = String(decoding: html, as: UTF8.self).firstMatch(of: /data-view="1a(\d+)"/),
            let number = Int(found.1)
        else { return nil }
        return PrintedPart(number: number, html: html, title: "", sheet: "", sheets: [])
    }

    /// The reason why the page is not printed; `nil` if it is.
    func refusalOfPage() async -> LiveRefusal? {
        do throws(LiveRefusal) { _ = try await live.printed() } catch { return error }
        return nil
    }

    func act(_ body: [UInt8]) async -> LiveOutcome { await part.act(body) }
    func post(_ form: LiveForm) async -> LiveOutcome { await part.post(form) }
    func sheet(_ number: Int) async -> String? { await part.sheet(number) }
    func follow(after number: Int?, _ sink: CellSink) async {
        await live.follow(at: number.map { "1a\($0)" }, sink)
    }
    func end(_ reason: LiveEnding = .left) async { await live.end(reason) }
}

/// The canonical archive of a bundle around a document.
final class StoredArchive: Sendable {
    private let file: FileDescriptor
    let digest: String
    let identifier: String

    init(_ document: String, service: String? = nil) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try scratch.directory.createDirectory("Specimen")
        try folder.createFile("Main.widgets.json").write(Array(document.utf8), at: 0)
        try folder.createFile("Info.plist").write(Array(StoredArchive.manifest.utf8), at: 0)
        if let service { try folder.createFile("Service.json").write(Array(service.utf8), at: 0) }
        let taken = try BundleSource(compiling: "\(scratch.path)/Specimen").take()
        (digest, identifier) = (taken.bundle.digest.hex, taken.bundle.manifest.identifier)
        file = try taken.opened.archive.duplicate()
    }

    private static let manifest = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Specimen</string>
        <key>CFBundleName</key><string>Specimen</string><key>CFBundleShortVersionString</key><string>1.0</string>
        <key>CFBundleVersion</key><string>1</string><key>CFBundlePackageType</key><string>BNDL</string></dict></plist>
        """

    func open() throws(FileError) -> FileDescriptor { try file.duplicate() }
}

/// A stream that keeps what was written to it.
final class CellSink: LiveSink {
    private struct State: Sendable {
        var writes: [(number: Int, text: String)] = []
        var pending = 0
        var ends: [Bool] = []
    }

    private let state = Observed(State())

    var writes: [(number: Int, text: String)] { state.value.writes }
    var ends: [Bool] { state.value.ends }

    /// Returns when a write has all of these texts.
    func has(_ texts: String...) async {
        await state.becomes { state in state.writes.contains { write in texts.allSatisfy { write.text.contains($0) } } }
    }

    var pendingByteCount: Int {
        get { state.value.pending }
        set { state.change { $0.pending = newValue } }
    }

    func write(at position: String, _ changes: [UInt8]) {
        let number = PagePosition(position)?.views["a"] ?? 0
        state.change { $0.writes.append((number, String(decoding: changes, as: UTF8.self))) }
    }

    /// Returns when the stream has ended.
    func hasEnded() async { await state.becomes { !$0.ends.isEmpty } }

    func beat() {}

    func end(isOver: Bool) { state.change { $0.ends.append(isOver) } }
}
