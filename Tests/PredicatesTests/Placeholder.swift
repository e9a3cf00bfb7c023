import Testing

@testable import Predicates

@Test func x() { #expect(TextComparison(.caseInsensitive).areEqual("straße", "STRASSE")) }
