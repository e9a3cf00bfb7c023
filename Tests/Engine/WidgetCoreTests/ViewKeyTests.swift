import Testing
import WidgetCore
import WidgetTestSupport

/// Goal: the text of a key leads back to it, and no other text does. Method: random keys, keys with a name, and texts that
/// no key has.
@Suite struct `The text of a view's key` {
    static func number(_ chance: inout SeededGenerator) -> Int {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: Int.random(in: 0...9, using: &chance)
        case 1: Int.random(in: -9...9, using: &chance)
        case 2: [Int.min, Int.max, Int.min + 1, 0].randomElement(using: &chance) ?? 0
        default: Int(truncatingIfNeeded: chance.next())
        }
    }

    static func key(_ chance: inout SeededGenerator) -> ViewKey {
        var item: ItemKey?
        for _ in 0..<Int.random(in: 0...5, using: &chance) {
            item = ItemKey(
                list: number(&chance), number: number(&chance), isRecord: Bool.random(using: &chance),
                turn: Bool.random(using: &chance) ? 0 : number(&chance), outer: item)
        }
        return ViewKey(screen: number(&chance), node: number(&chance), item: item)
    }

    static func nested(_ count: Int) -> ViewKey {
        var item: ItemKey?
        for _ in 0..<count { item = ItemKey(list: .min, number: .min, isRecord: true, turn: .min, outer: item) }
        return ViewKey(screen: .min, node: .min, item: item)
    }

    @Test func `Every key is read from its text`() {
        var chance = SeededGenerator(seed: 0x0E1)
        var texts: [String: ViewKey] = [:]
        for _ in 0..<5_000 {
            let key = Self.key(&chance)
            #expect(ViewKey(key.description) == key, "\(key)")
            if let other = texts.updateValue(key, forKey: key.description) { #expect(other == key) }
        }
    }

    @Test func `A text names items from the innermost one, with their turns`() {
        let outer = ItemKey(list: 3, number: 7, isRecord: false)
        let key = ViewKey(
            screen: 1, node: 9, item: ItemKey(list: 5, number: 0, isRecord: true, turn: 2, outer: outer))
        #expect(key.description == "1.9@5r0.2@3v7")
        #expect(ViewKey("1.9@5r0.2@3v7") == key)
        let header = ViewKey(screen: 1, node: 9, item: ItemKey(list: 5, number: 0, isRecord: true, turn: -1))
        #expect(header.description == "1.9@5r0.-1" && ViewKey("1.9@5r0.-1") == header)
        #expect(ViewKey("2.-3") == ViewKey(screen: 2, node: ViewKey.alertButton))
    }

    @Test(arguments: [
        "", ".", "1", "1.", ".1", "1.2.", "1.2.3", "1..2", "01.2", "1.02", "1.+2", "+1.2", "1.-0", "-0.1", "1.-",
        "1.--2",
        "1.2 ", " 1.2", "1.2\n", "1.2\0", "1,2", "1.٣", "1.2@", "1.2@3", "1.2@3r", "1.2@3x4", "1.2@3R4", "1.2@3r4.",
        "1.2@3r4.0", "1.2@3r4.-0", "1.2@3r4.01", "1.2@3r04", "1.2@3r4.5.6", "1.2@3r4@", "1.2@@3r4", "1.2@3rv4",
        "1.9223372036854775808", "1.-9223372036854775809", "1.99999999999999999999999999", "1.2@3r4~2", "0x1.2",
        "1e1.2",
    ])
    func `Other texts are no keys`(text: String) {
        #expect(ViewKey(text) == nil)
    }

    @Test func `A text that is read has an end, and items lie only so deep in each other`() {
        let deepest = Self.nested(ViewKey.itemCount)
        #expect(deepest.description.utf8.count <= ViewKey.textByteCount)
        #expect(ViewKey(deepest.description) == deepest)
        #expect(ViewKey(Self.nested(ViewKey.itemCount + 1).description) == nil)
        #expect(ViewKey("1.2" + String(repeating: "@1v1", count: ViewKey.itemCount + 1)) == nil)
        #expect(ViewKey(String(repeating: "1", count: 1 << 20)) == nil)
        #expect(ViewKey("1.2@3r4" + String(repeating: "@", count: 1 << 20)) == nil)
    }

    /// A changed byte gives another key or none, never a second text of the same one.
    @Test func `A text with a changed byte does not lead to the same key`() {
        var chance = SeededGenerator(seed: 0x0E2)
        let signs = Array("0123456789.-@rv+ ~".utf8)
        for _ in 0..<5_000 {
            let key = Self.key(&chance)
            var bytes = Array(key.description.utf8)
            let place = Int.random(in: 0..<bytes.count, using: &chance)
            let sign = signs.randomElement(using: &chance) ?? 0
            switch Int.random(in: 0..<3, using: &chance) {
            case 0: bytes[place] = sign
            case 1: bytes.insert(sign, at: place)
            default: bytes.remove(at: place)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let read = ViewKey(text) { #expect(read.description == text) }
        }
    }
}
