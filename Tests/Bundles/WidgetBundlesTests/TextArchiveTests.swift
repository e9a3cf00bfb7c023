import Foundation
import Testing
import WidgetBundles
import WidgetNib
import WidgetTestSupport

/// Goal: the rules for bundles accept the text form of a compiled interface if its reader does, without that reader. Method:
/// archives with one fault each, judged by both.
@Suite struct `A compiled interface as text` {
    private static func archive(_ objects: String, top: String = "<dict/>", archiver: String = "NSKeyedArchiver")
        -> [UInt8]
    {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>$archiver</key><string>\(archiver)</string><key>$top</key>\(top)
            <key>$objects</key><array><string>$null</string>\(objects)</array></dict></plist>
            """.utf8)
    }

    private static func uid(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }

    private static let marks = Data(("a" + String(repeating: "\u{301}", count: 65)).utf8).base64EncodedString()

    private static let samples: [(String, [UInt8])] = [
        ("nothing", archive("")), ("a text", archive("<string>a\u{1}b</string>")),
        (
            "an object",
            archive(
                "<dict><key>$class</key>\(uid(2))<key>a</key>\(uid(1))</dict><dict><key>$classname</key><string>UIView</string></dict>"
            )
        ),
        ("a reference beyond the end", archive("<dict><key>a</key>\(uid(9))</dict>")),
        ("a class beyond the end", archive("<dict><key>$class</key>\(uid(9))</dict>")),
        ("a reference beyond the end in a list", archive("<dict><key>a</key><array>\(uid(9))</array></dict>")),
        (
            "a reference beyond the end in a dictionary",
            archive("<dict><key>a</key><dict><key>b</key>\(uid(9))</dict></dict>")
        ),
        ("a reference beyond the end in nothing that is read", archive("", top: "<dict><key>a</key>\(uid(9))</dict>")),
        ("another archiver", archive("", archiver: "Archiver")), ("marks in data", archive("<data>\(marks)</data>")),
        ("no archive", Array("<plist version=\"1.0\"><dict/></plist>".utf8)), ("no list", Array("<plist><dict>".utf8)),
        (
            "very many classes",
            archive(
                (0..<8_000).map {
                    "<dict><key>$classname</key><string>C\($0)</string></dict><dict><key>$class</key>\(uid($0 * 2 + 1))</dict>"
                }.joined())
        ),
        (
            "many classes",
            archive(
                (0..<3_000).map {
                    "<dict><key>$classname</key><string>C\($0)</string></dict><dict><key>$class</key>\(uid($0 * 2 + 1))</dict>"
                }.joined())
        ),
        ("very many objects", archive(String(repeating: "<true/>", count: 40_001))),
        (
            "a chain of dictionaries",
            archive(
                String(repeating: "<dict><key>a</key>", count: 100) + "<true/>"
                    + String(repeating: "</dict>", count: 100))
        ),
    ]

    @Test(arguments: samples.indices) func `The rules accept what its reader accepts`(_ index: Int) throws {
        let (name, bytes) = Self.samples[index]
        var isRead = true
        do throws(NibError) { _ = try KeyedNib(parsing: bytes) } catch { isRead = false }
        let refusal = try Intake.refusal(Intake.archive([("a.nib", bytes)]))
        #expect((refusal == nil) == isRead, "\(name): \(String(describing: refusal))")
    }
}
