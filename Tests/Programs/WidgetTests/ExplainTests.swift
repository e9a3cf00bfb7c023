import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: `--explain` says the values that the screen was made of: those of the row, of the parts of a text and of the parameters
/// of a component, why an element is not shown, and what the screen holds. Method: the template of documents, before and after events.
@Suite(.callingThreads) struct `Explanations of documents` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try #require(try Program.run(["new", "Places", "--kind", "document"], in: folder.url).exitCode == 0)
    }

    private func explained(_ events: String? = nil) throws -> String {
        var arguments = ["render", "Places", "--explain"]
        if let events { arguments += ["--events", try folder.write("events.json", Array(events.utf8))] }
        let result = try Program.run(arguments, in: folder.url)
        #expect(result.exitCode == 0, "\(result.error)")
        return result.output
    }

    @Test func `A value in a row is explained by the item of the row`() throws {
        let text = try explained()
        for name in ["Harbour", "Mill", "Lighthouse"] {
            #expect(text.contains("    place.name is \"\(name)\"\n"), "\(text)")
        }
        #expect(!text.contains("place.name is \"\""))
    }

    @Test func `A joined text is explained by its parts`() throws {
        let text = try explained(#"[{"input": "filter", "value": "zzz"}]"#)
        #expect(text.contains(#""No place has zzz.""#) && text.contains("    typed is \"zzz\"\n"), "\(text)")
    }

    @Test func `A component is explained by its parameters, and a hidden element by its condition`() throws {
        let text = try explained(#"[{"select": "places", "row": 0}]"#)
        #expect(text.contains("    value is \"West coast\"\n"), "\(text)")
        let line = try #require(
            text.split(separator: "\n").first { $0.contains(" is hidden by visits > 0  ") }, "\(text)")
        #expect(line.contains("Places/Place.widgets.json:") && text.contains("    visits is \"0\"\n"))
        #expect(text.contains("\nstate visits is 0\n") && text.contains("\nparameter place is {"), "\(text)")
        let shown = try explained(#"[{"select": "places", "row": 0}, {"tap": "visit"}]"#)
        #expect(shown.contains("\nstate visits is 1\n"), "\(shown)")
        #expect(!shown.contains("is hidden by") && shown.contains("    place.name is \"Harbour\"\n"), "\(shown)")
    }
}
