import Files
import Predicates
import TestSupport
import Testing
import WidgetBundles
import WidgetCore
import WidgetFormats
import WidgetIntake
import WidgetRender
import WidgetRunning

/// Goal: what was wrong in the framework of 2018 is right here, and stays so. Method: one test for each defect of its
/// specification, named after what happens instead; those that concern one module alone are among that module's tests,
/// under the same word and number.
@Suite struct `Defects of the original` {
    /// A sample of ours as an archive.
    static func archive(folder: String, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> [UInt8] {
        let compiled = try SampleBundle.compiled("HarbourLog", changing: changing)
        let entries = compiled.sorted { $0.key < $1.key }.map { path, bytes in
            ZipForge.Entry(Array("\(folder)/\(path)".utf8), bytes)
        }
        return ZipForge(entries).build().bytes
    }

    static func take(_ bytes: [UInt8], entryPoint: String = "Main") throws -> Program {
        let source = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try source.write(bytes, at: 0)
        do {
            return try BundleReading.program(of: try BundleSource(archive: source).take(), entryPoint: entryPoint)
        } catch SourceError.bundle(let error) {
            throw error
        }
    }

    @Test func `defect 1: loading one widget takes nothing from another`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let first = try DrivenWidget(WidgetInstance(Self.take(Self.archive(folder: "First.bundle")))).started()
        try first.save(to: "\(scratch.path)/first.sqlite")
        let shown = first.text()
        let second = try DrivenWidget(WidgetInstance(Self.take(Self.archive(folder: "Second.bundle")))).started()
        _ = try RecordStore(path: "\(scratch.path)/second.sqlite")
        #expect(second.text() == shown && first.text() == shown)
        try first.select("tableView", row: 0)
        let kept = try RecordStore(path: "\(scratch.path)/first.sqlite").load(model: first.program.model)
        #expect(kept.records.count == first.store.records.count && kept.records.count > 0)
    }

    @Test(arguments: ["Sample.bundle", "Named otherwise.bundle", "Payload/Sample.app"])
    func `defect 2: the one bundle in an archive is found, whatever it is called`(folder: String) throws {
        let program = try Self.take(Self.archive(folder: folder))
        #expect(program.scenes["LogViewController"] != nil)
    }

    @Test(arguments: ["Sample.bundle/../../x", "/etc/x", "Sample.bundle/a\\..\\..\\x"])
    func `defect 4: an archive whose entries lead out of it is refused`(name: String) throws {
        var entries = [ZipForge.Entry(Array("Sample.bundle/Info.plist".utf8), Array("x".utf8))]
        entries.append(ZipForge.Entry(Array(name.utf8), Array("x".utf8)))
        #expect(throws: BundleError.self) { _ = try Self.take(ZipForge(entries).build().bytes) }
    }

    @Test func `defect 4: an archive of too many entries is refused`() throws {
        let entries = (0..<BundleLimits().entryCount + 1).map {
            ZipForge.Entry(Array("Sample.bundle/\($0).json".utf8), [], stored: true)
        }
        #expect(throws: BundleError.self) { _ = try Self.take(ZipForge(entries).build().bytes) }
    }

    @Test func `defect 15: any storyboard of a bundle may be where it begins`() throws {
        let other = TestStoryboard.text([.init(name: "Other", views: TestStoryboard.label("hello", "Hello"))])
        let archive = try Self.archive(folder: "Sample.bundle") { $0["Second.storyboard"] = Array(other.utf8) }
        let widget = try DrivenWidget(WidgetInstance(Self.take(archive, entryPoint: "Second"))).started()
        #expect(widget.shows("Hello"))
        #expect(throws: WidgetError.program(.missingStoryboard("Third"))) {
            _ = try Self.take(archive, entryPoint: "Third")
        }
    }

    @Test func `defect 15: whoever runs a widget is told that it runs`() async throws {
        let widget = try SampleBundle.widget("HarbourLog")
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(.empty)
        let isRunning = run.instance.store.visible != nil && run.instance.store.isAtRest(now: 0)
        #expect(isRunning)
    }
}
