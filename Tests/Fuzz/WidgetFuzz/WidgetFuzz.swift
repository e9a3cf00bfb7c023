import WidgetBuild
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Any scheme and service description give a widget that can be loaded, touched everywhere and waited for, or a
/// refusal; and the same result when everything is done again.
///
/// The input is both at once: one document with the members of a scheme and those of a service description.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWidget(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    var files = harbourLog
    files["LogViewController.json"] = bytes
    files["StubService.json"] = bytes
    files["Service.json"] = bytes
    let first = driven(files)
    precondition(first == driven(files), "the same events do not give the same bytes")
    return 0
}

/// The sample whose scheme and service are replaced.
private let harbourLog: [String: [UInt8]] = {
    guard let folder = try? Directory(opening: "Bundles/HarbourLog"), let sources = try? SourceFolder.read(folder),
        let compiled = try? BundleCompiler(sources, folder: "HarbourLog")
    else { preconditionFailure("fuzzing begins at the repository's top") }
    return Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }
}()

private func driven(_ files: [String: [UInt8]]) -> [UInt8] {
    let program: Program
    do {
        program = try WidgetKitReader.program(BundleFiles(files, images: [:]), identifier: "fuzz")
    } catch {
        return Array("\(error)".utf8)
    }
    // Inputs are small; so are the limits, or most of the time would go to what is stopped anyway.
    let budget = Budget(
        nodeCount: 2_000, rowCount: 200, stepCount: 300, unrestStepCount: 1_000, fuel: 50_000, recordCount: 500)
    var widget = WidgetInstance(program, environment: Environment(now: 551_217_600), budget: budget)
    widget.send(.start)
    _ = widget.settle(within: 5)
    var bytes: [UInt8] = []
    for round in 0..<3 {
        let view = widget.view()
        bytes += ViewJSON.document(view, size: (375, 667)) + Array(ViewText(width: 60).text(view).utf8)
        let nodes = AccessibleNode(view.root)
        for key in keys(nodes).prefix(12) + view.alerts.map(\.key) {
            switch round {
            case 0: widget.send(.tap(key))
            case 1:
                widget.send(.input(key, .string("a\"\\\n$content.name%@")))
                widget.send(.submit(key))
            default:
                var row = key
                if case .row(let found) = view.row(0, of: key) { row = found }
                widget.send(.select(row))
                widget.send(.scroll(key, toEnd: true))
                widget.send(.refresh(key))
                widget.send(.deleteRow(row))
            }
            for case .request(let number, _) in widget.takeEffects() {
                widget.send(
                    .response(
                        request: number,
                        .response(status: 200, body: .array([.dictionary(.init([("id", .string("9"))]))]))))
            }
        }
        _ = widget.settle(within: 2)
        widget.send(.back)
    }
    for diagnostic in widget.diagnostics {
        precondition(!diagnostic.message.isEmpty, "a diagnostic says nothing")
    }
    return bytes
}

private func keys(_ root: AccessibleNode) -> [ViewKey] {
    var keys: [ViewKey] = []
    var pending = [root]
    while let node = pending.popLast() {
        keys.append(node.key)
        pending.append(contentsOf: node.children.reversed())
    }
    return keys
}
