import FoundationEssentials
import Testing
import WidgetBuild
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetTestSupport
import WidgetZip

/// Goal: every path to a bundle is one way, with one result. Method: a sample as its source, as the folder built from
/// it, and as the archive packed from that.
@Suite struct `A path to a bundle` {
    private static let source = "\(Corpus.repositoryRoot)/Bundles/HarbourLog"

    /// The sample's folder and archive in a separate folder.
    private struct Sample: ~Copyable {
        let scratch: ScratchDirectory
        var folder: String { "\(scratch.path)/HarbourLog.bundle" }
        var archive: String { "\(scratch.path)/HarbourLog.zip" }

        init() throws {
            let scratch = try ScratchDirectory(in: Directory.temporary)
            let folder = "\(scratch.path)/HarbourLog.bundle"
            let sources = try SourceFolder.read(try Directory(opening: `A path to a bundle`.source))
            try SourceFolder.write(BundleCompiler(sources, folder: "HarbourLog").files, to: folder)
            let taken = try BundleSource(opening: folder).take()
            let bytes = try taken.opened.archive.read(at: 0, count: taken.bundle.byteCount)
            try scratch.directory.replaceFile("HarbourLog.zip", with: bytes)
            self.scratch = scratch
        }

        func link(_ name: String, to target: String) throws -> String {
            let path = "\(scratch.path)/\(name)"
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            return path
        }
    }

    private static let info = Array(
        """
        <plist><dict><key>CFBundleIdentifier</key><string>com.example.A</string>\
        <key>CFBundleName</key><string>A</string></dict></plist>
        """.utf8)

    private static func error(_ body: () throws -> Void) -> SourceError? {
        #expect(throws: SourceError.self, performing: body)
    }

    @Test func `a source, its folder and its archive lead to the same bundle`() throws {
        let sample = try Sample()
        let built = try BundleSource(opening: Self.source).take()
        let compiled = try BundleSource(compiling: Self.source).take()
        let packed = try BundleSource(opening: sample.folder).take()
        let read = try BundleSource(opening: sample.archive).take()
        for digest in [compiled.bundle.digest, packed.bundle.digest, read.bundle.digest] {
            #expect(digest == built.bundle.digest)
        }
        let file = try FileDescriptor.reading(sample.archive)
        #expect(try BundleSource(archive: file).take().bundle == read.bundle)
    }

    @Test func `a taken bundle has the archive's structure as the strict reader proves it`() throws {
        let taken = try BundleSource(compiling: Self.source).take()
        #expect(
            try ZipDirectory(reading: taken.opened.archive, limits: BundleLimits().written) == taken.opened.directory)
    }

    @Test func `a bundle source tells whether it is packed, and reports progress`() throws {
        let sample = try Sample()
        for (path, isPacked) in [(sample.folder, true), (sample.archive, false)] {
            let source = try BundleSource(opening: path)
            var steps: [Int] = []
            _ = try source.take { done, _ in steps.append(done) }
            #expect(source.isPacked == isPacked && source.status != nil)
            #expect(!steps.isEmpty && steps == steps.sorted())
        }
    }

    @Test(arguments: ["Main.storyboard", "Main.screens", "Cell.xib", "Model.xcdatamodeld/Model.xcdatamodel/contents"])
    func `a path to sources of any kind leads to the bundle built from them`(_ source: String) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        try scratch.directory.replaceFile("Info.plist", with: Self.info)
        var folder = scratch.path
        for component in source.split(separator: "/").dropLast() {
            folder += "/\(component)"
            _ = try Directory(creating: folder)
        }
        try Directory(opening: folder).replaceFile(
            String(source.split(separator: "/").last ?? ""), with: Array("<document".utf8))
        // It is taken for a source, and this one cannot be compiled.
        guard case .build(let error)? = Self.error({ _ = try BundleSource(opening: scratch.path) }) else {
            Issue.record("\(source) was zipped")
            return
        }
        #expect("\(error)".contains(source.split(separator: "/")[0]))
    }

    @Test func `a path to images in source form leads to the built bundle, with notes`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        try scratch.directory.replaceFile("Info.plist", with: Self.info)
        _ = try Directory(creating: "\(scratch.path)/Art.xcassets")
        try Directory(opening: "\(scratch.path)/Art.xcassets").replaceFile("Contents.json", with: Array("{}".utf8))
        let source = try BundleSource(opening: scratch.path)
        #expect(source.notes.contains("Art.xcassets: its images became loose ones"), "\(source.notes)")
        #expect(try !source.take().bundle.files.contains { $0.path.contains(".xcassets") })
    }

    @Test func `a compiled bundle with a source left in it is packed, and reported first`() throws {
        let sample = try Sample()
        try Directory(opening: sample.folder).replaceFile("Main.storyboard", with: Array("<document/>".utf8))
        let taken = try BundleSource(opening: sample.folder).take()
        #expect(taken.bundle.files.contains { $0.path.hasPrefix("Main.storyboardc/") })
        #expect(
            taken.report.findings.map(\.code) == [.sources]
                && taken.report.findings[0].place?.file == "Main.storyboard")
    }

    @Test func `a path to anything but a bundle is refused by the rules of bundles`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        try scratch.directory.replaceFile("a.txt", with: [1])
        guard case .bundle? = Self.error({ _ = try BundleSource(opening: scratch.path).take() }) else {
            Issue.record("there is no bundle in it")
            return
        }
    }

    @Test func `a source that cannot be compiled is refused with its place and a hint`() throws {
        let sample = try Sample()
        try sample.scratch.directory.replaceFile("Main.storyboard", with: Array("<document".utf8))
        for error in [
            Self.error { _ = try BundleSource(opening: sample.scratch.path) },
            Self.error { _ = try BundleSource(compiling: sample.scratch.path) },
        ] {
            guard case .build? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        guard case .file(let missing)? = Self.error({ _ = try BundleSource(compiling: "/nowhere") }) else {
            Issue.record("/nowhere was taken for a folder")
            return
        }
        #expect(missing.isMissing)
    }

    @Test func `a path that leads nowhere is a failure of a file`() throws {
        guard case .file(let error)? = Self.error({ _ = try BundleSource(opening: "/nowhere.zip") }) else {
            Issue.record("there is no such file")
            return
        }
        #expect(error.isMissing)
    }

    @Test func `a path may be a link only if a person named it`() throws {
        let sample = try Sample()
        for target in [sample.folder, sample.archive] {
            let link = try sample.link("link-\(target.utf8.count)", to: target)
            guard case .file(let error)? = Self.error({ _ = try BundleSource(opening: link) }) else {
                Issue.record("the link was followed")
                return
            }
            #expect(error.isLink)
            _ = try BundleSource(opening: link, followsLinks: true).take()
        }
    }

    @Test func `taking a bundle in leaves no files behind`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        do {
            _ = try BundleSource(compiling: Self.source, in: scratch.path).take(in: scratch.path)
        }
        #expect(try scratch.directory.items(limit: 10)?.isEmpty == true)
    }
}
