import Dispatch
import WidgetBuild
import WidgetConsole
import WidgetCore
import WidgetFiles
import WidgetFormats
import WidgetHosting
import WidgetRender
import WidgetRunning

/// Any event script gives steps that are done or refused with a reason. Any input of a terminal gives the same keys, in
/// pieces of any size.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScript(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    readKeys(bytes)
    do {
        let script = try EventScript(bytes)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            var run = ScriptRun(harbourLog, network: DeniedNetwork()) { ViewText().text($0) }
            do throws(WidgetError) {
                try await run.play(script)
            } catch {
                precondition(!error.description.isEmpty, "a refusal says nothing")
            }
            done.signal()
        }
        done.wait()
    } catch {
        precondition(!error.description.isEmpty, "a refusal says nothing")
    }
    return 0
}

private func readKeys(_ bytes: [UInt8]) {
    var whole = TerminalKeyReader()
    var keys = whole.read(bytes)
    keys += whole.settle()
    var pieces = TerminalKeyReader()
    var others: [Key] = []
    for byte in bytes { others += pieces.read([byte]) }
    others += pieces.settle()
    precondition(keys == others, "keys depend on how they come")
}

private let harbourLog: WidgetInstance = {
    guard let folder = try? Directory(opening: "Bundles/HarbourLog"), let sources = try? SourceFolder.read(folder),
        let compiled = try? BundleCompiler(sources, folder: "HarbourLog"),
        let program = try? WidgetKitReader.program(
            BundleFiles(Dictionary(compiled.files.map { ($0.path, $0.bytes) }) { first, _ in first }),
            identifier: "fuzz")
    else { preconditionFailure("fuzzing begins at the repository's top") }
    return WidgetInstance(program, environment: Environment(now: 551_217_600))
}()
