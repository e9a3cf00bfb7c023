import Files
import TestSupport
import Testing
import WidgetBundles

/// Goal: a host lays out what a registry serves, and nothing else. Method: what intake writes is unpacked; what it would
/// have changed is refused.
@Suite struct `Unpacking` {
    private static let files: [(String, [UInt8])] = [
        ("Scheme.json", Array("{}".utf8)), ("en.lproj/Localizable.strings", Array("\"a\" = \"b\";".utf8)),
        ("en.lproj/Other.strings", Array("\"c\" = \"d\";".utf8)),
    ]

    private func unpack(_ bytes: [UInt8], into scratch: borrowing ScratchDirectory) throws -> BundleIntake.Unpacked {
        let source = try FileDescriptor.unnamed(inDirectory: "/tmp")
        try source.write(bytes, at: 0)
        return try BundleIntake().unpack(source, into: scratch.directory)
    }

    private func refusal(_ bytes: [UInt8]) throws -> BundleError? {
        let scratch = try ScratchDirectory(in: "/tmp")
        do {
            _ = try unpack(bytes, into: scratch)
            return nil
        } catch let error as BundleError {
            return error
        }
    }

    @Test func `lays out what intake has written, readable to its owner alone`() throws {
        let taken = try Intake.take(Intake.archive(Self.files))
        let scratch = try ScratchDirectory(in: "/tmp")
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

    @Test func `refuses what intake would have stripped`() throws {
        for path in [".DS_Store", "__MACOSX/x", "Frameworks/a.dylib", "read.me"] {
            let error = try #require(try refusal(Intake.archive(Self.files + [(path, Array("x".utf8))])))
            guard case .notCanonical = error.reason else {
                Issue.record("\(path): \(error)")
                continue
            }
            #expect(error.isRefusal && error.code == .archiveRefused)
        }
    }

    @Test func `refuses a bundle that intake would have given another folder`() throws {
        for top in ["", "Sample.app/", "Payload/Sample.app/"] {
            let files = [("Info.plist", Intake.info)] + Self.files
            let error = try #require(try refusal(Intake.raw(files.map { ("\(top)\($0.0)", $0.1) })))
            guard case .notCanonical = error.reason else {
                Issue.record("\(top): \(error)")
                continue
            }
        }
    }

    @Test func `refuses what intake refuses`() throws {
        let error = try #require(try refusal(Intake.archive([("Bad.json", Array("{".utf8))])))
        #expect(error.code == .invalidJSON)
    }
}
