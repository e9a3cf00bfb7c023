import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@Suite struct `A folder` {
    static func take(
        _ files: [(String, [UInt8])], named name: String, limits: BundleLimits = BundleLimits(),
        prepare: (borrowing Directory) throws -> Void = { _ in }
    ) throws -> Intake.Result {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        for (path, content) in files {
            let components = path.split(separator: "/").map(String.init)
            try scratch.write(components, content)
        }
        try prepare(scratch.directory)
        var policy = BundlePolicy()
        policy.limits = limits
        let target = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        let taken = try BundleIntake(policy: policy).take(
            folder: scratch.directory, named: name, packed: try .unnamed(inDirectory: TemporaryPlace.path),
            archive: try .unnamed(inDirectory: TemporaryPlace.path), into: target)
        let bytes = try target.read(at: 0, count: taken.bundle.byteCount)
        return Intake.Result(bytes: bytes, bundle: taken.bundle, report: taken.report)
    }

    static let files: [(String, [UInt8])] = [
        ("Info.plist", Intake.info), ("en.lproj/a.json", Media.json), ("b.png", Media.png()),
        ("Sample", `What is stripped`.code), (".DS_Store", [1]),
    ]

    @Test func `a folder is taken in like an archive of it`() throws {
        let folder = try Self.take(Self.files, named: "Sample.bundle")
        let archive = try Intake.take(Intake.archive(Self.files))
        #expect(folder.report.contentDigest == archive.report.contentDigest)
        #expect(folder.report.stripped == archive.report.stripped)
        #expect(folder.bundle.manifest == archive.bundle.manifest)
        #expect(folder.bundle.folder == "Sample.bundle")
        #expect(folder.report.source == .init(digest: nil, byteCount: Self.files.reduce(0) { $0 + $1.1.count }))
        #expect(try Self.take(Self.files.reversed(), named: "Sample.bundle").bytes == folder.bytes)
    }

    @Test func `a folder may hold the bundle, be an application, or have any name`() throws {
        let inside = try Self.take(Self.files.map { ("Other.app/\($0.0)", $0.1) }, named: "Products")
        #expect(inside.bundle.name == "Other")
        #expect(try Self.take(Self.files, named: "Third.app").bundle.name == "Third")
        #expect(try Self.take(Self.files, named: "tmp").bundle.name == "Sample")
    }

    @Test func `a folder with a link in it is refused`() throws {
        for target in ["b.png", "/etc/passwd", "nowhere", ".."] {
            let error = #expect(throws: BundleError.self) {
                _ = try Self.take(Self.files, named: "Sample.bundle") { (directory) in
                    try FileWork.link(directory.path + "/en.lproj/link.png", to: target)
                }
            }
            #expect(error?.reason == .notAFile && error?.code == .entryRefused && error?.path == "en.lproj/link.png")
        }
    }

    @Test func `a folder with a fifo in it is refused`() throws {
        let error = #expect(throws: BundleError.self) {
            _ = try Self.take(Self.files, named: "Sample.bundle") { (directory) in
                try FileWork.makePipe(directory.path + "/pipe.json")
            }
        }
        #expect(error?.reason == .notAFile && error?.path == "pipe.json")
    }

    @Test func `a folder beyond the limits is refused`() throws {
        var limits = BundleLimits()
        limits.entryCount = 3
        let many = #expect(throws: BundleError.self) {
            _ = try Self.take(Self.files, named: "Sample.bundle", limits: limits)
        }
        #expect(many?.code == .tooManyFiles)
        limits = BundleLimits()
        limits.pathDepth = 1
        let deep = #expect(throws: BundleError.self) {
            _ = try Self.take(Self.files, named: "x", limits: limits)
        }
        #expect(deep?.code == .entryRefused)
        limits = BundleLimits()
        limits.fileByteCount = 50
        let large = #expect(throws: BundleError.self) {
            _ = try Self.take(Self.files, named: "x", limits: limits)
        }
        #expect(large?.code == .expansionRefused)
    }

    @Test func `a folder with an unsafe name in it is refused`() throws {
        for name in ["a:b.json", "con.json", "x .", "a\\b"] {
            let error = #expect(throws: BundleError.self) {
                _ = try Self.take(Self.files + [(name, Media.json)], named: "Sample.bundle")
            }
            #expect(error?.code == .entryRefused && error?.path == name)
        }
    }
}

extension ScratchDirectory {
    borrowing func write(_ components: [String], _ content: [UInt8]) throws {
        guard let name = components.last else { return }
        guard let folder = components.dropLast().first else {
            try directory.createFile(name).write(content, at: 0)
            return
        }
        var inner = try directory.createDirectory(folder)
        for component in components.dropFirst().dropLast() { inner = try inner.createDirectory(component) }
        try inner.createFile(name).write(content, at: 0)
    }
}
