/// A place for a widget on a page, as all pages of its host show it.
package struct PageSlot: Equatable, Sendable {
    package enum Phase: Equatable, Sendable {
        /// Not loaded until a person asks for it.
        case waiting
        case loading
        /// - Parameter reason: a sentence.
        case failed(String)
        /// - Parameter generation: another one for each widget that the slot has had.
        case running(generation: Int)
    }

    /// The beginning of all identities in it, one letter of its page.
    package var letter: String
    package var heading: String
    /// The size of the widget, in points.
    package var size: Size
    /// True if the widget is laid out as on a phone, and shown in the slot's size.
    package var isScaled: Bool
    package var phase: Phase
    /// The line about its updates.
    package var note = ""

    package struct Size: Hashable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package init(_ letter: String, _ heading: String, size: Size, isScaled: Bool, phase: Phase) {
        self.letter = letter
        self.heading = heading
        self.size = size
        self.isScaled = isScaled
        self.phase = phase
    }

    /// True if both look the same but for the line about updates.
    func isShown(as other: PageSlot) -> Bool {
        var other = other
        other.note = note
        return self == other
    }

    /// True for a text that can be the letter of a widget.
    package static func isLetter(_ text: String) -> Bool {
        text.utf8.count == 1 && text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    }

    /// The identity of its element.
    package var id: String { PageSlot.id(letter) }

    package static func id(_ letter: String) -> String { "\(letter)-slot" }

    /// The identity of the line about its updates.
    package var noteID: String { "\(letter)-u" }

    /// The identity of the element around all slots.
    package static let listID = "slots"

    /// The identity of the line about the whole page.
    package static let announcementID = "said"
}

/// All slots of a page at one moment, in their order.
package struct PageArrangement: Equatable, Sendable {
    package var slots: [PageSlot]
    /// The sentence about the last act, for assistive technology.
    package var announcement: String

    package init(_ slots: [PageSlot], announcement: String = "") {
        self.slots = slots
        self.announcement = announcement
    }
}

/// An act of a person on the slots of a page.
package enum SlotAct: Equatable, Sendable {
    /// Load a widget, or load it again.
    case load(String)
    /// Take over what is new; without a letter in all slots.
    case update(String?)
    case earlier(String)
    case later(String)
    /// A slot comes before another one, or at the end.
    case move(String, before: String?)

    /// - Returns: `nil` for anything but an act.
    package init?(_ form: LiveForm) {
        func value(_ name: String) -> String? {
            form.fields.first { $0.name == name }.map { $0.value }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let slot = value("slot")
        if let slot, !PageSlot.isLetter(slot) { return nil }
        switch (value("do"), slot) {
        case ("load", let slot?): self = .load(slot)
        case ("update", _): self = .update(slot)
        case ("earlier", let slot?): self = .earlier(slot)
        case ("later", let slot?): self = .later(slot)
        case ("move", let slot?): self = .move(slot, before: value("before"))
        default: return nil
        }
    }

    /// The slot that it is about.
    package var letter: String? {
        switch self {
        case .load(let letter), .earlier(let letter), .later(let letter), .move(let letter, _): letter
        case .update(let letter): letter
        }
    }
}

/// The numbers of all that a page with several widgets shows: `4a17b3` is its fourth arrangement with view 17 of the
/// widget `a` and view 3 of `b`.
package struct PagePosition: Equatable, Sendable {
    package var number: Int
    package var views: [String: Int]

    package init(_ number: Int, _ views: [String: Int] = [:]) {
        self.number = number
        self.views = views
    }

    private static let byteCount = 512

    /// - Returns: `nil` for anything but a position.
    package init?(_ text: String) {
        guard text.utf8.count <= PagePosition.byteCount else { return nil }
        var (numbers, letters): ([String], [String]) = ([""], [])
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39: numbers[numbers.count - 1].unicodeScalars.append(UnicodeScalar(byte))
            case 0x61...0x7A:
                letters.append(String(UnicodeScalar(byte)))
                numbers.append("")
            default: return nil
            }
        }
        guard let number = Int(numbers[0]), Set(letters).count == letters.count else { return nil }
        var views: [String: Int] = [:]
        for (letter, text) in zip(letters, numbers.dropFirst()) {
            guard let view = Int(text) else { return nil }
            views[letter] = view
        }
        self.init(number, views)
    }

    package var text: String {
        "\(number)" + views.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined()
    }
}
