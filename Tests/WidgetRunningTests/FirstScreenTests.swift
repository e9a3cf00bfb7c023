import Files
import FoundationEssentials
import TestSupport
import Testing
import WidgetBuild
import WidgetBundles
import WidgetIntake
import WidgetRunning

/// Goal: a registry warns of exactly those bundles that show nothing, though it has no engine. Method: a sample with parts
/// of its storyboard missing, broken or elsewhere, asked of the report and of the engine.
@Suite struct `A bundle's first screen` {
    private typealias Files = [String: [UInt8]]

    private static func built() throws -> Files {
        let folder = try Directory(opening: "\(Corpus.repositoryRoot)/Bundles/HarbourLog")
        let compiled = try BundleCompiler(try SourceFolder.read(folder), folder: "HarbourLog")
        return Dictionary(uniqueKeysWithValues: compiled.files.map { ($0.path, $0.bytes) })
    }

    private static func moved(_ files: Files, to folder: String) -> Files {
        Dictionary(
            uniqueKeysWithValues: files.map { path, bytes in
                (path.hasPrefix("Main.storyboardc/") ? path.replacing("Main.storyboardc", with: folder) : path, bytes)
            })
    }

    private static func isNib(_ path: String) -> Bool { path.hasPrefix("Main.storyboardc/") && path.hasSuffix(".nib") }

    private static let changes: [(name: String, isShown: Bool, change: @Sendable (Files) -> Files)] = [
        ("whole", true, { $0 }),
        ("in the folder for all languages", true, { moved($0, to: "Base.lproj/Main.storyboardc") }),
        ("in a language's folder", true, { moved($0, to: "de.lproj/Main.storyboardc") }),
        ("under another name", false, { moved($0, to: "Other.storyboardc") }),
        ("in some other folder", false, { moved($0, to: "screens/Main.storyboardc") }),
        ("without any storyboard", false, { $0.filter { !$0.key.hasPrefix("Main.storyboardc/") } }),
        ("without its list", false, { $0.filter { $0.key != "Main.storyboardc/Info.plist" } }),
        ("without its interfaces", false, { $0.filter { !isNib($0.key) } }),
        (
            "with a list of nothing", false,
            { files in
                files.merging(["Main.storyboardc/Info.plist": Array("<plist><dict/></plist>".utf8)]) { $1 }
            }
        ),
        (
            "with an empty folder where others look first", false,
            { files in
                moved(files, to: "de.lproj/Main.storyboardc")
                    .merging(["Main.storyboardc/x.plist": Array("<plist><dict/></plist>".utf8)]) { $1 }
            }
        ),
    ]

    @Test(arguments: changes.indices) func `is missed in the report when the engine misses it`(_ index: Int) throws {
        let (name, isShown, change) = Self.changes[index]
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = "\(scratch.path)/HarbourLog.bundle"
        for (path, bytes) in change(try Self.built()) {
            var components = path.split(separator: "/").map(String.init)
            let name = components.removeLast()
            let place = ([folder] + components).joined(separator: "/")
            _ = try Directory(creating: place)
            try Directory(opening: place).replaceFile(name, with: bytes)
        }
        let taken = try BundleSource(opening: folder).take()
        let isRun = (try? BundleReading.program(of: taken)) != nil
        #expect(isRun == isShown, "\(name)")
        #expect(taken.report.findings.contains { $0.code == "no-interface" } == !isShown, "\(name)")
        #expect(isShown || taken.report.findings.first?.code == "no-interface")
    }
}
