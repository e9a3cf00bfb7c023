import Testing
import WidgetBundles
import WidgetFiles
import WidgetTestSupport
import WidgetZip

@Suite(.enabled(if: Samples.exist, "needs the original samples")) struct `The demo archive` {
    @Test func `the demo archive is kept byte for byte, passes strict, and does not grow`() throws {
        let demo = try Samples.bytes("WidgetDemo.zip")
        let taken = try Intake.take(demo, strict: true)
        #expect(taken.report.isClean)
        #expect(taken.report.kept.count == 16)
        #expect(taken.bytes.count <= demo.count)
        #expect(taken.bundle.manifest.identifier == "mobi.favio.WidgetDemo")
        #expect(taken.bundle.manifest.releaseKey == "1.0~1")
        #expect(taken.bundle.manifest.minimumOSVersion == "10.0")
        #expect(taken.bundle.folder == "WidgetDemo.bundle")
        let before = try Opened.contents(demo)
        let after = try Opened.contents(taken.bytes)
        #expect(before.filter { !$0.key.hasSuffix("/") } == after.filter { !$0.key.hasSuffix("/") })
    }

    @Test func `the demo archive's canonical form is its own canonical form`() throws {
        let once = try Intake.take(try Samples.bytes("WidgetDemo.zip"))
        let twice = try Intake.take(once.bytes)
        #expect(once.bytes == twice.bytes)
        #expect(once.bundle == twice.bundle)
    }
}

/// An archive's entries, expanded, by name.
enum Opened {
    static func contents(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
        let file = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try file.write(bytes, at: 0)
        let directory = try ZipDirectory(reading: file)
        var reader = try ZipEntryReader()
        var contents: [String: [UInt8]] = [:]
        for entry in directory.entries {
            var content: [UInt8] = []
            _ = try reader.read(entry, from: file) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in 0..<chunk.count { content.append(chunk[index]) }
            }
            contents[entry.name.text] = content
        }
        return contents
    }
}

/// Goal: a host unpacks a registry's archives, and nothing else. Method: archives that intake wrote are unpacked;
/// others are refused.
@Suite struct `Unpacking` {
    private static let files: [(String, [UInt8])] = [
        ("Scheme.json", Array("{}".utf8)), ("en.lproj/Localizable.strings", Array("\"a\" = \"b\";".utf8)),
        ("en.lproj/Other.strings", Array("\"c\" = \"d\";".utf8)),
    ]

    private func unpack(_ bytes: [UInt8], into scratch: borrowing ScratchDirectory) throws -> BundleIntake.Unpacked {
        let source = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try source.write(bytes, at: 0)
        return try BundleIntake().unpack(source, into: scratch.directory)
    }

    private func refusal(_ bytes: [UInt8]) throws -> BundleError? {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        do {
            _ = try unpack(bytes, into: scratch)
            return nil
        } catch let error as BundleError {
            return error
        }
    }

    @Test func `unpacking lays out a canonical archive, readable to its owner alone`() throws {
        let taken = try Intake.take(Intake.archive(Self.files))
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let unpacked = try unpack(taken.bytes, into: scratch)
        #expect(unpacked.contentDigest == taken.bundle.contentDigest)
        #expect(unpacked.name == taken.bundle.name && unpacked.manifest == taken.bundle.manifest)
        #expect(unpacked.files.map(\.path) == taken.bundle.files.map(\.path))
        #expect(unpacked.files.map(\.digest) == taken.bundle.files.map(\.digest))
        let folder = try scratch.directory.openDirectory("Sample.bundle")
        for (path, bytes) in Self.files {
            let file = try FolderListing.open(path.split(separator: "/").map(String.init), in: folder)
            #expect(try file.read(at: 0, count: 1_000) == bytes)
            #expect(try file.status().mode == 0o600)
        }
        #expect(try folder.status().mode == 0o700)
        #expect(try FolderListing.files(in: folder, limits: BundleLimits()).count == Self.files.count + 1)
    }

    @Test func `unpacking refuses files that intake would have stripped`() throws {
        for path in [".DS_Store", "__MACOSX/x", "Frameworks/a.dylib", "read.me"] {
            let error = try #require(try refusal(Intake.archive(Self.files + [(path, Array("x".utf8))])))
            guard case .notCanonical = error.reason else {
                Issue.record("\(path): \(error)")
                continue
            }
            #expect(error.isRefusal && error.code == .archiveRefused)
        }
    }

    @Test func `unpacking refuses a bundle that intake would have given another folder`() throws {
        for top in ["", "Sample.app/", "Payload/Sample.app/"] {
            let files = [("Info.plist", Intake.info)] + Self.files
            let error = try #require(try refusal(Intake.raw(files.map { ("\(top)\($0.0)", $0.1) })))
            guard case .notCanonical = error.reason else {
                Issue.record("\(top): \(error)")
                continue
            }
        }
    }

    @Test func `unpacking refuses files that intake refuses`() throws {
        let error = try #require(try refusal(Intake.archive([("Bad.json", Array("{".utf8))])))
        #expect(error.code == .invalidJSON)
    }
}

/// Archives of bundles made by tests, taken in as the product does.
enum Intake {
    static let info = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Sample</string>\
        <key>CFBundleName</key><string>Sample</string><key>CFBundleExecutable</key><string>Sample</string>\
        <key>CFBundleShortVersionString</key><string>1.2</string><key>CFBundleVersion</key><string>7</string></dict>\
        </plist>
        """.utf8)

    /// A dictionary in the XML form; `nil` removes a key of the sound one.
    static func info(_ changes: [String: String?]) -> [UInt8] {
        var members: [(String, String)] = [
            ("CFBundleIdentifier", "<string>com.example.Sample</string>"), ("CFBundleName", "<string>Sample</string>"),
            ("CFBundleExecutable", "<string>Sample</string>"),
            ("CFBundleShortVersionString", "<string>1.2</string>"), ("CFBundleVersion", "<string>7</string>"),
        ]
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            members.removeAll { $0.0 == key }
            if let value { members.append((key, value)) }
        }
        let body = members.map { "<key>\($0.0)</key>\($0.1)" }.joined()
        return Array("<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
    }

    /// The files in `Sample.bundle/`, with a sound dictionary unless there is one.
    static func archive(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        var files = files
        if !files.contains(where: { $0.0 == "Info.plist" }) { files.insert(("Info.plist", info), at: 0) }
        return raw(files.map { ("Sample.bundle/\($0.0)", $0.1) }, stored: stored)
    }

    static func raw(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        ZipForge(files.map { .init(Array($0.0.utf8), $0.1, stored: stored) }).build().bytes
    }

    struct Result {
        var bytes: [UInt8]
        var bundle: WidgetBundle
        var report: BundleReport
    }

    static func take(
        _ bytes: [UInt8], strict: Bool = false, policy: BundlePolicy = BundlePolicy()
    ) throws -> Result {
        let source = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try source.write(bytes, at: 0)
        let target = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        let taken = try BundleIntake(policy: policy, isStrict: strict).take(source, into: target)
        let written = try target.read(at: 0, count: taken.bundle.byteCount)
        return Result(bytes: written, bundle: taken.bundle, report: taken.report)
    }

    /// Returns the reason why it is refused, or `nil` when it is taken in.
    static func refusal(
        _ bytes: [UInt8], strict: Bool = false, policy: BundlePolicy = BundlePolicy()
    ) throws -> BundleError? {
        do {
            _ = try take(bytes, strict: strict, policy: policy)
            return nil
        } catch let error as BundleError {
            return error
        }
    }
}
