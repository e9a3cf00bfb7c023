import Testing
import WidgetCore

@testable import WidgetFormats

/// Goal: an expression that begins with a misspelt name is reported, in the time of a correct one. Method: screens with
/// labels that are bound to each other, with and without slips.
@Suite struct `The first name of an expression` {
    private static let labels = (0..<400).map { (class: "UILabel", name: "label\($0)") }

    /// The diagnostics of first names, where each label is bound to the text of another name.
    private static func found(_ name: (Int) -> String) throws -> [Finding] {
        let bindings = labels.indices.map { #""label\#($0)": {"bindings": [{"from": "\#(name($0)).text"}]}"# }
        let program = try TestInterface.program(
            labels, scheme: #""elements": {\#(bindings.joined(separator: ", "))}"#)
        return program.diagnostics.filter { $0.message.hasPrefix("Nothing is called ") }
    }

    @Test func `A misspelt first name is reported in a bundle without a model`() throws {
        let found = try Self.found { $0 == 7 ? "contnet" : "content" }
        #expect(found.map(\.message) == ["Nothing is called contnet here, so contnet.text has no value"])
        #expect(found.first?.hint == "did you mean content?")
    }

    @Test func `Misspelt first names are compared up to a number, and each of them once`() throws {
        #expect(try Self.found { "lable\($0)" }.count == 300)
        #expect(try Self.found { _ in "contnet" }.count == 400)
    }
}
