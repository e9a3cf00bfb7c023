import Testing
import WidgetLayout
import WidgetMarkup

@testable import WidgetRender

/// Goal: a page has the looks of its elements, and of no others. Method: the classes that rules begin with, and markup.
@Suite struct `The parts of the base sheet` {
    private static func names(_ html: String) -> Set<String> { Set(BaseParts.rules(in: Array(html.utf8)).keys) }

    @Test func `Each class that rules of a part begin with brings the part`() {
        for (place, part) in BaseParts.all.enumerated() {
            let layered =
                part.text.hasPrefix("@layer") ? part.text.prefix(upTo: part.text.ranges(of: "\n}\n")[0].lowerBound) : ""
            for name in layered.matches(of: /(?m)^\.([a-z0-9]+)[{,> :]/).map(\.1) where name != "w" {
                #expect(Self.names("<p class=\"x \(name) y\">") == [BaseParts.name(place)], "\(name)")
            }
            #expect(!part.text.isEmpty && !part.classes.isEmpty)
        }
    }

    @Test func `A class has one part, and words elsewhere have none`() {
        let classes = BaseParts.all.flatMap(\.classes)
        #expect(Set(classes).count == classes.count && classes.count > 60)
        #expect(classes.allSatisfy { (1...8).contains($0.utf8.count) })
        #expect(Self.names("<p id=\"sw\" title=\" class=&quot;sw\">sw class=sw</p><p data-class=\"sw\">").isEmpty)
        #expect(Self.names("<p class=\"sw\"").count == 1 && Self.names("<p class=\"sw").isEmpty)
        #expect(Self.names("<p class=\"v\"><input class=\"v sl sw\">").count == 2)
    }

    @Test func `A field is touched on its border too, and a segment above and below its title`() {
        #expect(BaseParts.text.contains(".tf:is(.b1,.b2,.b3):not(.fl)>input{margin-block:-1px}"))
        #expect(BaseParts.text.contains(".sg>label{display:flex;padding:2px;min-height:inherit}"))
    }

    @Test func `Letters of segments come no closer than at the size up to which these grow`() {
        let share = -TextMetrics.tracking(at: 17)
        #expect(share == 0.022)
        #expect(BaseParts.text.contains("*min(var(--t13,.006),.022));border-radius:9px"))
        #expect(BaseParts.text.contains("font-size:min(.8125rem,17px)}"))
    }

    @Test func `The sheet of all programs has nothing of the parts`() {
        for name in ["sw", "sg", "al", "tools", "acc", "pg"] { #expect(!BaseSheet.text.contains("\n.\(name){")) }
        #expect(BaseParts.all.count < 100)
    }
}
