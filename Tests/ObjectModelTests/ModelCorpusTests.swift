import Files
import ObjectModel
import TestSupport
import Testing

/// Models as files, which the fuzzer starts from. `WIDGET_WRITE_CORPUS=1` writes them anew.
@Suite struct `The corpus of models` {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/models"

    private static var files: [(name: String, bytes: [UInt8])] {
        [
            ("everything.mom", SampleModel.everything().encoded()), ("small.mom", SampleModel.small().encoded()),
            ("empty.mom", DataModel(entities: []).encoded()),
        ]
    }

    @Test(.enabled(if: Corpus.isWritten)) func `is written`() throws {
        let directory = try Directory(creating: Self.folder)
        for file in Self.files { try directory.replaceFile(file.name, with: file.bytes) }
    }

    @Test(.enabled(if: !Corpus.isWritten)) func `is what the writer makes`() {
        let kept = Corpus.files(in: "models")
        #expect(kept.map(\.name) == Self.files.map(\.name).sorted())
        for file in kept { #expect(Self.files.contains { $0.name == file.name && $0.bytes == file.bytes }) }
    }
}
