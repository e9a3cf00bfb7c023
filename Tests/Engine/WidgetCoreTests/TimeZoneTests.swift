import Foundation
import Testing
import WidgetCore
import WidgetTestSupport

/// Goal: a widget shows times as clocks in its reader's zone do, in summer and in winter, and no file of
/// a zone stops it. Method: the C library's own reading of the same files, and bytes that lie.
@Suite struct `A time zone` {
    /// Zones with half hours, with summer in January, with winter as the exception, and with a date line that moved.
    private static let zones = [
        "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Europe/Dublin",
        "America/Nuuk", "Asia/Kathmandu", "Pacific/Apia", "Antarctica/Troll", "America/Sao_Paulo", "Pacific/Chatham",
        "Etc/GMT+12", "Asia/Tokyo",
    ].filter { FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/\($0)") }

    private static let rules = [
        "CET-1CEST,M3.5.0,M10.5.0/3", "NZST-12NZDT,M9.5.0,M4.1.0/3", "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
        "XXX3YYY,J60/2,J300", "XXX-5:30", "XXX3YYY,59,364/25:30:15", "IST-1GMT0,M10.5.0,M3.5.0/1",
    ]

    private static func unix(_ seconds: Double) -> Double { seconds + 978_307_200 }

    /// The offsets of all moments that the C library has for a zone or a rule; Python asks it, once for all of them.
    private static func known(_ zone: String) throws -> [Int] { try #require(all.get()[zone]) }

    private static let all = Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "moments-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try moments.map { "\($0)\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let program = """
            import os, sys, time
            moments = [int(line) for line in open(sys.argv[1])]
            for zone in sys.argv[2:]:
                os.environ['TZ'] = zone
                time.tzset()
                print(*(time.localtime(moment).tm_gmtoff for moment in moments))
            """
        let subjects = zones + rules
        let answer = try Tool.run("python3", ["-c", program, file.path] + subjects)
        let lines = answer.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        return Dictionary(zip(subjects, lines)) { first, _ in first }
    }

    /// Moments from 1900 to 2150, most of them in the years of clocks that are changed.
    private static let moments: [Int] = {
        var random = SeededGenerator(seed: 16)
        let far = (0..<300).map { _ in Int.random(in: -2_208_988_800...5_680_281_600, using: &random) }
        let near = (0..<900).map { _ in Int.random(in: 0...2_524_608_000, using: &random) }
        return far + near
    }()

    @Test(.enabled(if: Tool.exists("python3"), "needs python3"), arguments: zones)
    func `A time zone's file gives the offsets that the C library finds in it`(_ zone: String)
        throws
    {
        let bytes = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(zone)"))
        let rules = try #require(TimeZoneRules(file: [UInt8](bytes)))
        let known = try Self.known(zone)
        try #require(known.count == Self.moments.count)
        for (moment, offset) in zip(Self.moments, known) {
            #expect(rules.offset(at: Double(moment) - 978_307_200) == offset, "\(zone) at \(moment)")
        }
    }

    @Test(.enabled(if: Tool.exists("python3"), "needs python3"), arguments: rules)
    func `A time zone's rule gives the offsets that the C library computes`(_ rule: String)
        throws
    {
        let rules = try #require(TimeZoneRules(posix: rule))
        let known = try Self.known(rule)
        try #require(known.count == Self.moments.count)
        for (moment, offset) in zip(Self.moments, known) where moment > 0 {
            #expect(rules.offset(at: Double(moment) - 978_307_200) == offset, "\(rule) at \(moment)")
        }
    }

    @Test func `A time zone shows and reads the same moment as its clocks do, summer and winter`() throws {
        let vienna = try #require(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3"))
        let pattern = DatePattern("yyyy-MM-dd HH:mm Z", locale: "en_US_POSIX")
        let local = DatePattern("yyyy-MM-dd HH:mm", locale: "en_US_POSIX")
        for (utc, shown) in [
            ("2018-06-20 04:10 +0000", "2018-06-20 06:10 +0200"), ("2018-12-20 04:10 +0000", "2018-12-20 05:10 +0100"),
            ("2018-03-25 00:59 +0000", "2018-03-25 01:59 +0100"), ("2018-03-25 01:00 +0000", "2018-03-25 03:00 +0200"),
            ("2018-10-28 00:59 +0000", "2018-10-28 02:59 +0200"), ("2018-10-28 01:00 +0000", "2018-10-28 02:00 +0100"),
        ] {
            let moment = try #require(pattern.seconds(utc, timeZone: .utc))
            #expect(pattern.text(moment, timeZone: vienna) == shown)
            #expect(pattern.seconds(shown, timeZone: vienna) == moment)
        }
        // Without an offset, a time that occurs twice means the first, and one that never occurs means an hour later.
        let twice = try #require(local.seconds("2018-10-28 02:30", timeZone: vienna))
        #expect(pattern.text(twice, timeZone: vienna) == "2018-10-28 02:30 +0200")
        let skipped = try #require(local.seconds("2018-03-25 02:30", timeZone: vienna))
        #expect(pattern.text(skipped, timeZone: vienna) == "2018-03-25 03:30 +0200")
        for moment in stride(from: -2e9, through: 2e9, by: 12_345_678) {
            let text = local.text(moment, timeZone: vienna)
            #expect(local.text(try #require(local.seconds(text, timeZone: vienna)), timeZone: vienna) == text)
        }
    }

    @Test(arguments: [
        "", "CE-1", "CET", "CET-25", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5", "CET-1CEST,366,5", "CET-1CEST,M3.5.0/168,M10.5.0",
        "<+1>-1", "<CET-1", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1:60", "CET--1", "CET-99999999999999999999",
        "C" + String(repeating: "E", count: 200) + "T-1",
    ])
    func `A text that is not a rule is refused as a time zone`(_ text: String) {
        #expect(TimeZoneRules(posix: text) == nil)
    }

    @Test func `Damaged bytes of a time zone are refused or give plausible offsets, and never trap`() throws {
        let whole = try #require(Corpus.files(in: "timezones").first { $0.name == "accept.vienna" }).bytes
        for count in 0..<whole.count - 1 { #expect(TimeZoneRules(file: Array(whole[..<count])) == nil, "\(count)") }
        var random = SeededGenerator(seed: 8_536)
        for _ in 0..<4_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = [0, 0x7F, 0x80, 0xFF, 1].randomElement(
                    using: &random)!
            }
            guard let rules = TimeZoneRules(file: bytes) else { continue }
            for moment in [-Double.infinity, -3e11, -1e9, 0, 1e9, 3e11, .nan] {
                #expect(abs(rules.offset(at: moment)) <= 26 * 3_600)
                _ = rules.seconds(ofLocal: moment)
            }
        }
        #expect(TimeZoneRules(file: Array(repeating: 0, count: 1 << 20)) == nil)
    }

    @Test func `A time zone's file with counts beyond its size is refused`() throws {
        let whole = try #require(Corpus.files(in: "timezones").first { $0.name == "accept.vienna" }).bytes
        for field in 0..<6 {
            var bytes = whole
            bytes.replaceSubrange((20 + 4 * field)..<(24 + 4 * field), with: [0xFF, 0xFF, 0xFF, 0xFF])
            #expect(TimeZoneRules(file: bytes) == nil, "\(field)")
        }
    }
}
