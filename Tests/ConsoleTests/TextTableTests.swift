import Console
import Testing

@Suite struct `A table` {
    @Test func `is as wide as it must be, without spaces at the ends of lines`() {
        let text = TextTable.text(["A", "LONGER", "C"], [["first", "1", ""], ["2", "second", "x"], ["short"]])
        #expect(text == "A      LONGER  C\nfirst  1\n2      second  x\nshort\n")
    }

    @Test func `without rows is its headings`() {
        #expect(TextTable.text(["A", "B"], []) == "A  B\n")
    }
}
