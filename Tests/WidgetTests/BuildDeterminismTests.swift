import Foundation
import TestSupport
import Testing

/// Goal: an archive tells nothing of where and when it was built. Method: each sample is built from two copies that
/// share nothing but their contents.
@Suite struct `widget build, twice` {
    /// Writes a sample's files in an order of its own, which is what listing a folder gives them back in, as of another
    /// year, and for other people to read or not.
    private static func copy(
        _ name: String, to folder: Folder, _ place: String, isReversed: Bool, date: Double, mode: Int
    ) throws {
        var files = Corpus.tree(at: "\(SampleSources.folder)/\(name)").sorted { $0.key < $1.key }
        if isReversed { files.reverse() }
        #expect(!files.isEmpty)
        for (path, bytes) in files {
            let written = try folder.write("\(place)/\(name)/\(path)", bytes)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode, .modificationDate: Date(timeIntervalSince1970: date)], ofItemAtPath: written)
        }
    }

    @Test(arguments: SampleSources.names)
    func `makes the same archive of a sample, whatever its folder, times, permissions and order`(_ name: String) throws
    {
        let folder = try Folder()
        try Self.copy(name, to: folder, "here", isReversed: false, date: 100_000_000, mode: 0o600)
        try Self.copy(name, to: folder, "some/where else/ä", isReversed: true, date: 2_000_000_000, mode: 0o755)
        let first = try Program.run(
            ["build", "here/\(name)", "-o", "first.zip"], environment: ["TZ": "Asia/Tokyo", "LANG": "C"], in: folder.url
        )
        #expect(first.exitCode == 0, "\(first.error)")
        let program = BuiltProgram("widget").url.path
        let second = Shell.run(
            "umask 077; cd '\(folder.url.path)/some/where else/ä' && TZ=America/Lima LANG=de_DE.UTF-8 '\(program)' build "
                + "'\(name)' -o ../../../second.zip")
        #expect(second.status == 0)
        let archive = try folder.bytes("first.zip")
        #expect(try archive == folder.bytes("second.zip"))
        #expect(archive.count > 2_000)
    }

    @Test func `was tried with all samples`() { #expect(SampleSources.names.count >= 5) }
}
