import Testing

@testable import Predicates

@Test func x() { #expect(TextOptions(ignoresCase: true).areEqual("straße", "STRASSE")) }
