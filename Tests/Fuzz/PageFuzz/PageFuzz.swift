import Glibc
import JSONText
import PageReading
import WidgetCore
import WidgetHosting
import WidgetLayout
import WidgetNib
import WidgetRender
import WidgetRunning

/// Any program becomes pages, sheets and frames that a strict reader of ours accepts: pages in which every `<` begins a tag
/// of ours and nothing of the author's is syntax, sheets without addresses but those of pictures, frames of usual numbers.
///
/// An input with a compiled interface's mark is one; of others, the first byte chooses between a program that the rest of
/// the input draws and a bundle of ours whose interfaces it changes. With the environment's `PAGES=FOLDER`, pages
/// are written there, to be read by other readers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    var choices = Choices(bytes.dropFirst())
    if NibDocument.isMarked(bytes.span) {
        if let program = HostileInterface.program(of: bytes) { print(program, &choices) }
    } else if (bytes.first ?? 0) % 4 == 3 {
        if let program = HostileInterface.program(&choices) { print(program, &choices) }
    } else {
        let random = RandomProgram(&choices)
        check(random.program, [random.view], &choices)
    }
    return 0
}

/// Prints the first view of each screen.
private func print(_ program: Program, _ choices: inout Choices) {
    let budget = Budget(
        nodeCount: 2_000, rowCount: 50, stepCount: 300, unrestStepCount: 1_000, fuel: 50_000, recordCount: 500)
    var views: [View] = []
    for entry in program.entries.keys.sorted().prefix(8) {
        guard let started = program.beginning(with: entry) else { continue }
        var widget = WidgetInstance(started, environment: Environment(now: 551_217_600), budget: budget)
        widget.send(.start)
        _ = widget.settle(within: 5)
        views.append(widget.view())
    }
    check(program, views, &choices)
}

private func check(_ program: Program, _ views: [View], _ choices: inout Choices) {
    _ = baseSheetIsChecked
    let planned = PlannedProgram(program)
    let nodeCount = program.scenes.values.reduce(0) { $0 + $1.nodes.count }
    expect(sheet: planned.sheet.bytes)
    precondition(planned.sheet.bytes.count <= 20_000 + nodeCount * 4_000, "a sheet has more rules than its nodes need")
    precondition(PlannedProgram(program).sheet == planned.sheet, "the same program has two sheets")
    for finding in PageReview(program).diagnostics { precondition(!finding.message.isEmpty, "a finding says nothing") }
    for view in views {
        let viewport = viewport(&choices)
        checkFrames(of: view, program, viewport)
        var options = PageOptions(viewport: viewport)
        options.sheets = planned.sheets
        options.scheme = choices.pick([nil, .light, .dark])
        options.locale = choices.text()
        options.rowLimit = choices.pick([1, 200])
        options.shownRowCount = choices.pick([1, 100])
        options.choiceLimit = 3
        checkPage(of: view, PagePrinter(planned, options), options)
    }
}

private let baseSheetIsChecked: Bool = {
    expect(sheet: BaseSheet.bytes)
    expect(sheet: Array(BaseParts.text.utf8))
    return true
}()

private func viewport(_ choices: inout Choices) -> Viewport {
    Viewport(
        size: choices.pick([
            Size(width: 375, height: 667), Size(width: 320, height: 568), Size(width: 1_366, height: 1_024),
            Size(width: 0, height: 0), Size(width: .nan, height: 1e9),
        ]),
        scale: choices.pick([1, 2, 3]),
        safeArea: Insets(top: choices.length(), leading: 0, bottom: choices.length(), trailing: 0),
        direction: choices.pick(Viewport.Direction.allCases), scheme: choices.pick(Viewport.Scheme.allCases),
        textSize: choices.pick(Viewport.TextSize.allCases))
}

// MARK: - Frames

private func checkFrames(of view: View, _ program: Program, _ viewport: Viewport) {
    let placed = ScreenLayout(program, viewport).placed(view)
    for box in placed.boxes {
        let frame = box.frame.rounded(toScale: viewport.scale)
        precondition(frame.width >= 0 && frame.height >= 0, "a frame has no size: \(box.frame)")
        for number in [frame.x, frame.y, frame.width, frame.height, box.baseline ?? 0] {
            precondition(number.isFinite && abs(number) < 1e10, "a frame has unusual numbers: \(box.frame)")
        }
    }
    for finding in placed.findings { precondition(!finding.message.isEmpty, "a finding says nothing") }
    var options = PrintOptions()
    options.viewport = viewport
    do {
        let document = try JSONDocument(
            parsing: ViewFrames(program, options).document(view), limits: JSONLimits(markCount: .max))
        let elements = document.root["elements"]?.array
        precondition(elements != nil, "frames without elements")
        for element in elements ?? [] {
            precondition(element["frame"]?.array?.count == 4, "an element without a frame")
        }
    } catch {
        preconditionFailure("frames are no JSON: \(error)")
    }
}

// MARK: - Pages

private func checkPage(of view: View, _ printer: PagePrinter, _ options: PageOptions) {
    let page = printer.page(view, HostilePictures())
    keep(page.html)
    do {
        let read = try PageReader.page(page.html)
        let faults = PageRules.faults(read)
        precondition(faults.isEmpty, "\(faults.prefix(5))")
        for node in read.all {
            for address in [node["src"], node["href"], node["srcset"], node["action"]].compactMap({ $0 }) {
                precondition(PageFiles.isOne(address) || isLink(node, address), "the address \(address)")
            }
        }
        expect(sheet: Array(ViewingSheet.text(options, for: [page]).utf8))
        for child in view.root.children.prefix(3) {
            _ = try PageReader.page(printer.fragment(child, of: view, HostilePictures()).html)
        }
    } catch {
        preconditionFailure("\(error)")
    }
    precondition(page.pictures.keys.allSatisfy(PageFiles.isOne), "the name of a picture is not of ours")
}

/// True for a link that a person follows, which leaves the widget.
private func isLink(_ node: PageNode, _ address: String) -> Bool {
    node.name == "a" && (node["rel"] ?? "").contains("noopener")
        && (address.hasPrefix("https://") || address.hasPrefix("http://"))
}

private func expect(sheet bytes: [UInt8]) {
    do { try SheetReader.check(bytes) } catch { preconditionFailure("a sheet: \(error)") }
}

/// Pictures of sizes that no picture has, by the names that a program makes up.
private struct HostilePictures: ViewAssets {
    func image(_ name: String, scale: Int) -> PictureAnswer {
        switch name.utf8.count % 5 {
        case 0: .missing
        case 1: .unusable(name)
        case 2: .file(PictureFile([1, 2, 3], .png, width: -1, height: .max, scale: .nan))
        case 3: .file(PictureFile(Array(name.utf8), .webp, width: 1, height: 1, scale: -0.0))
        default: .file(PictureFile(Array(name.utf8), .jpg, width: 300, height: 200, scale: 2))
        }
    }
}

// MARK: - Pages for other readers

/// The next page's number.
nonisolated(unsafe) private var pageNumber = 0

private func keep(_ html: [UInt8]) {
    guard let folder = unsafe getenv("PAGES").map({ unsafe String(cString: $0) }) else { return }
    unsafe pageNumber += 1
    guard let file = unsafe fopen("\(folder)/\(pageNumber).html", "w") else {
        preconditionFailure("no page can be written to \(folder)")
    }
    let written = unsafe fwrite(html, 1, html.count, file)
    precondition(unsafe fclose(file) == 0 && written == html.count, "a page cannot be written to \(folder)")
}
