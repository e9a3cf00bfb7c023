import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// Goal: what people see stays as it is, unless somebody decides otherwise. Method: commands and their output, as files
/// under `Tests/Corpus/transcripts`, performed anew against a registry of each one's own.
/// `WIDGET_WRITE_CORPUS=1` writes what comes of them now.
@Suite(.timeLimit(.minutes(20))) struct `A transcript` {
    @Test(arguments: Corpus.files(in: "transcripts"))
    func `is true`(_ file: Corpus) throws {
        let stage = try Stage()
        try Self.lay(stage.folder)
        let written = Transcript(String(decoding: file.bytes, as: UTF8.self))
        try #require(!written.steps.isEmpty)
        let performed = try written.performed(in: stage)
        if Corpus.isWritten {
            let path = "\(Corpus.repositoryRoot)/Tests/Corpus/transcripts/\(file.name)"
            try Data(performed.text.utf8).write(to: URL(filePath: path))
            return
        }
        for (now, then) in zip(performed.steps, written.steps) {
            #expect(now.output == then.output, "\(then.line)")
        }
    }

    /// What the commands find in their folder.
    private static func lay(_ folder: Folder) throws {
        let clock = BundleForge("com.acme.Clock", "1.0", "1", text: "Hello").with { $0.name = "Clock" }
        try folder.write("Clock-1.0.zip", clock.archive)
        try folder.write(
            "Clock-1.1.zip", clock.with { $0.version = "1.1" }.adding("Feed.json", "{\"a\": 1}").archive)
        try folder.write("Clock-1.2.zip", clock.with { $0.version = "1.2" }.archive)
        try folder.write("Clock-other.zip", clock.adding("Feed.json", "{\"a\": 2}").archive)
        try folder.write("Unclean.zip", clock.with { $0.version = "2.0" }.adding("Clock", "\u{7F}ELF").archive)
        try folder.write("Broken.zip", Array("hello".utf8))
        for file in clock.contents { try folder.write("Clock.bundle/\(file.path)", file.bytes) }
        try folder.write("token", Array("\(Registry.adminToken)\n".utf8))
    }
}
