import Testing
import WidgetPlist

/// A property list as a table, and its bytes again.
@Suite struct `A property list as a table` {
    private static let archive = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <!-- by hand -->
        <dict>
        \t<key>a</key> <array><dict>
        \t\t<key>CF$UID</key><!-- which -->
        \t\t<integer>7</integer>
        \t</dict ><string/><dict></dict><array/></array>
        \t<key>b</key><data>
        \tAQID
        \t</data><key>c</key><real>1.50</real><key>d</key><string>&lt;<![CDATA[&]]>&#65;</string>
        \t<key>e</key><dict><key>CF$UID</key><integer>7</integer><key>x</key><true/></dict>
        \t<key>f</key><dict><key>CF$UID</key><string>7</string></dict>
        \t<key>g</key><dict><key>CF$UID</key><integer>-1</integer></dict>
        </dict>
        </plist>

        """

    private func read(_ text: String) throws -> XMLPlistFile { try XMLPlistFile(parsing: Array(text.utf8).span) }

    @Test(arguments: [
        archive, archive.split(separator: "\n").joined(separator: "\r\n"), "<plist><true/></plist>",
        "\u{FEFF}<?xml version='1.0'?><plist version = '1.0' ><string>\u{3}\u{1B}</string></plist >\n\n<!-- end -->",
        "<plist><array>\n<array>\n<array> <!-- deep --> </array>\n</array> </array></plist>",
    ])
    func `A property list as a table is written again byte for byte, however it was spelled`(_ text: String) throws {
        #expect(try String(decoding: read(text).encode(), as: UTF8.self) == text)
    }

    @Test func `A property list as a table has an archive's references, which are dictionaries in the text`() throws {
        let table = try read(Self.archive).table
        func member(_ key: String) throws -> Int { try #require(table.member(key, of: table.top)) }
        guard case .array(let list) = table.entries[try member("a")] else {
            Issue.record("no list")
            return
        }
        let elements = table.numbers(list).map { table.scalar(Int($0)) }
        #expect(elements == [.uid(7), .string(""), nil, nil])
        #expect(table.numbers(list).dropFirst(2).map { table.typeName(Int($0)) } == [.dictionary, .array])
        #expect(try table.scalar(member("b")) == .data([1, 2, 3]))
        #expect(try table.scalar(member("c")) == .real(1.5))
        #expect(try table.scalar(member("d")) == .string("<&A"))
        // One key too many, no number, and a number that no object has.
        for key in ["e", "f", "g"] { #expect(try table.typeName(member(key)) == .dictionary) }
        // Nothing is left of the dictionaries that became references.
        #expect(table.entries.count == 27)
    }

    @Test func `A property list as a table holds the same values in either form`() throws {
        let value = try PlistValue(parsing: Array(Self.archive.utf8))
        let table = try PlistFile(parsing: value.encodedBinary().span).table
        for key in ["b", "c", "d"] {
            #expect(table.member(key, of: table.top).flatMap { table.scalar($0) } == value[key])
        }
        #expect(try PlistFile(parsing: value.encodedBinary().span).encode() == value.encodedBinary())
    }

    @Test func `A property list cut or changed at any byte is refused or written again`() throws {
        let bytes = Array(Self.archive.utf8)
        let end = bytes.count - Array("</plist>\n".utf8).count
        for count in 0...end {
            #expect(throws: PlistError.self) { try XMLPlistFile(parsing: Array(bytes[..<count]).span) }
        }
        var readAgain = 0
        for position in bytes.indices {
            for byte in Array("<>/&; x".utf8) + [0, 0x0D, 0xFF] {
                var changed = bytes
                changed[position] = byte
                guard let file = try? XMLPlistFile(parsing: changed.span) else { continue }
                #expect(file.encode() == changed)
                readAgain += 1
            }
        }
        #expect(readAgain > 500)
    }

    @Test(arguments: [
        ("<plist><key>a</key></plist>", PlistError.Reason.unexpectedElement("key")),
        ("<plist><dict><true/></dict></plist>", .missingKey),
        ("<plist><dict><key>a</key></dict></plist>", .missingValue(key: "a")),
        ("<plist><dict><key>a</key><key>b</key></dict></plist>", .missingValue(key: "a")),
        ("<plist><array></dict></plist>", .mismatchedEnd(expected: "array", found: "dict")),
        ("<plist></array></plist>", .mismatchedEnd(expected: "plist", found: "array")),
        ("<plist><array><key>a</key></array></plist>", .unexpectedElement("key")),
        ("<plist><true/><true/></plist>", .secondRoot), ("<plist></plist>", .emptyDocument),
        ("<plist/>", .emptyDocument),
        ("<plist><array></plist>", .mismatchedEnd(expected: "array", found: "plist")),
        ("<plist><string>\u{0}</string></plist>", .invalidCharacter(0)),
    ])
    func `A broken property list is refused as a table, too`(_ text: String, _ reason: PlistError.Reason) {
        let error = #expect(throws: PlistError.self) { try XMLPlistFile(parsing: Array(text.utf8).span) }
        #expect(error?.reason == reason)
        #expect(error?.position != nil)
    }

    @Test func `A property list as a table is refused at its limits`() {
        func reason(_ text: String, _ limits: PlistLimits) -> PlistError.Reason? {
            do {
                _ = try XMLPlistFile(parsing: Array(text.utf8).span, limits: limits)
                return nil
            } catch {
                return error.reason
            }
        }
        let text = "<plist><array><array/></array></plist>"
        #expect(reason(text, PlistLimits(depth: 2)) == nil)
        #expect(reason(text, PlistLimits(depth: 1)) == .limitReached(.depth, limit: 1))
        #expect(reason(text, PlistLimits(objectCount: 1)) == .limitReached(.objectCount, limit: 1))
        #expect(reason(text, PlistLimits(byteCount: text.utf8.count - 1)) != nil)
    }
}
