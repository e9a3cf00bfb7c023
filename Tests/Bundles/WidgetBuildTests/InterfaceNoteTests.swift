import Testing
import WidgetBuild

/// Parts that change only the looks, or that a later Xcode writes, do not end a build: a note names each kind.
@Suite struct `A part of an interface that is left out` {
    private static func notes(_ parts: String) throws -> [String] { try WrittenInterface(parts).notes }

    @Test func `is named once with its first place and the number of the others`() throws {
        let notes = try Self.notes(
            "<subviews>\n<label id=\"a\" sparkle=\"2\"/>\n<label id=\"b\" sparkle=\"3\"/><label id=\"c\" sparkle=\"4\"/></subviews>"
        )
        #expect(
            notes == [
                "Card.xib:11:15: the attribute sparkle of label was left out: nothing is known about it (and 2 more)"
            ])
    }

    @Test func `may be an element without objects`() throws {
        let notes = try Self.notes(
            "<subviews><navigationBar id=\"a\">\n<navigationBarSparkle key=\"standardSparkle\" backgroundImage=\"x\"><color key=\"backgroundColor\" white=\"1\"/></navigationBarSparkle></navigationBar></subviews>"
        )
        #expect(
            notes == [
                "Card.xib:11:1: navigationBarSparkle for standardSparkle in navigationBar was left out: nothing is known about it"
            ])
    }

    @Test func `may be a value of a later system`() throws {
        let notes = try Self.notes("<subviews>\n<label id=\"a\" lineBreakMode=\"artistic\"/></subviews>")
        #expect(
            notes == [
                "Card.xib:11:15: lineBreakMode=\"artistic\" of label was left out: the value is not known"
            ])
    }

    @Test func `may be a menu, with the objects in it`() throws {
        let notes = try Self.notes(
            "<subviews><button id=\"a\">\n<menu key=\"menu\" id=\"m\"><children><command id=\"n\"/></children></menu></button></subviews>"
        )
        #expect(notes == ["Card.xib:11:1: menu in button was left out: hosts have no menus"])
    }

    @Test func `may be a cell that no table could ask for`() throws {
        let notes = try Self.notes(
            "<subviews><tableView id=\"t\"><prototypes>\n<tableViewCell id=\"c\"><tableViewCellContentView key=\"contentView\" id=\"v\"/></tableViewCell></prototypes></tableView></subviews>"
        )
        #expect(
            notes == ["Card.xib:11:1: a tableViewCell was left out: without a reuseIdentifier no list can make it"])
    }

    @Test func `is counted when there are very many kinds`() throws {
        let labels = (0..<600).map { "<label id=\"l\($0)\" spark\($0)le=\"1\"/>" }.joined(separator: "\n")
        let notes = try Self.notes("<subviews>\(labels)</subviews>")
        #expect(notes.count == 501 && notes.last == "Card.xib: 100 further parts were left out")
    }
}
