import Files
import Predicates
import TestSupport
import Testing
import WidgetCore
import WidgetRunning

/// Goal: a widget's store as an earlier program kept it is opened with everything in it. Method: the specimens under
/// `Tests/Corpus/kept`, each a copy; a change of the store's schema adds one.
@Suite(.timeLimit(.minutes(20))) struct `A store of an earlier program` {
    private static let model = EntityModel([
        EntityModel.Entity(
            "Entry",
            properties: [.attribute(.init("title", .string)), .attribute(.init("wind", .integer))]),
        EntityModel.Entity("Keeper", properties: [.attribute(.init("name", .string))]),
    ])

    @Test(arguments: ["catalog-1", "catalog-2"]) func `is opened with its records`(folder: String) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/widget.sqlite"
        let kept = "\(Corpus.repositoryRoot)/Tests/Corpus/kept/\(folder)/widget.sqlite"
        try #require(Shell.run("cp '\(kept)' '\(path)'").status == 0)
        let store = try RecordStore(path: path)
        let (read, diagnostics) = try store.read(model: Self.model)
        #expect(diagnostics.isEmpty)
        #expect(read.records.all.count == 10)
        let titles = read.records.all.filter { $0.entity == 0 }.compactMap { record -> String? in
            guard case .value(.string(let title)) = record.fields[0] else { return nil }
            return title
        }
        #expect(titles.count == 7 && titles.contains("Fog, and nothing else"))
    }
}
