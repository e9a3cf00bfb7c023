import Testing
import WidgetCore
import WidgetLayout

/// Goal: texts and fields whose lines are tied stay on one line at each size of text. Method: small programs, and the text of their
/// sheets.
@Suite struct `A sheet of tied lines` {
    private typealias Sheet = `A program's stylesheet`

    @Test func `The distance of a text on the line of a larger one grows with the reader's text`() {
        let rules = [
            LayoutRule(LayoutRule.Item(1), .top, to: LayoutRule.Item(0), .top, constant: 20, owner: 0),
            LayoutRule(LayoutRule.Item(2), .firstBaseline, to: LayoutRule.Item(1), .firstBaseline, owner: 0),
        ]
        let texts = [33.0, 17].map { size in Sheet.node(.label) { $0.font = FontRequest(size: size) } }
        let style = Sheet.style(2, Sheet.sheet([Sheet.node(.box, [1, 2], parent: nil)] + texts, rules))
        #expect(style.contains("top:calc(.952rem + 20px)"), "\(style)")
    }

    @Test func `Beside a field, a text of a style follows both sizes, and the height of the field once it grows`() {
        let rules = [
            LayoutRule(LayoutRule.Item(1), .top, to: LayoutRule.Item(0), .top, constant: 20, owner: 0),
            LayoutRule(LayoutRule.Item(2), .firstBaseline, to: LayoutRule.Item(1), .firstBaseline, owner: 0),
        ]
        let field = Sheet.node(.textField) { ($0.font, $0.fieldBorder) = (FontRequest(size: 16), .rounded) }
        let text = Sheet.node(.label) { ($0.font, $0.lines) = (FontRequest(size: 12, style: .caption1), 0) }
        let style = Sheet.style(2, Sheet.sheet([Sheet.node(.box, [1, 2], parent: nil), field, text], rules))
        // Half of the field, which is 34 high, and what its line needs beyond that.
        let wanted =
            "top:calc(.355rem + max(0px,calc(.597rem - 15px)) - var(--size-caption1,.75rem)*.952 + 37px)"
        #expect(style.contains(wanted), "\(style)")
    }

    @Test func `A field is stretched for a larger text on its line that keeps its distance from the top`() {
        let rules = [
            LayoutRule(LayoutRule.Item(1), .top, to: LayoutRule.Item(0), .top, constant: 8, owner: 0),
            LayoutRule(LayoutRule.Item(2), .firstBaseline, to: LayoutRule.Item(1), .firstBaseline, owner: 0),
            LayoutRule(LayoutRule.Item(2), .top, .greaterOrEqual, to: LayoutRule.Item(0), .top, constant: 8, owner: 0),
        ]
        let field = Sheet.node(.textField) { ($0.font, $0.fieldBorder) = (FontRequest(size: 16), .rounded) }
        let text = Sheet.node(.label) { ($0.font, $0.lines) = (FontRequest(size: 17), 0) }
        let sheet = Sheet.sheet([Sheet.node(.box, [1, 2], parent: nil), field, text], rules)
        // Twice what the text needs above its line, less what the field has between its middle and its line.
        #expect(
            Sheet.style(1, sheet).contains("min-height:max(24px,calc(round(up,1lh,.5px) + 4px),1.312rem)"),
            "\(Sheet.style(1, sheet))")
        #expect(Sheet.style(2, sheet).contains("top:max(8px,calc("), "\(Sheet.style(2, sheet))")
    }
}
