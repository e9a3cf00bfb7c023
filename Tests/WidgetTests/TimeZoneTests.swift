import Foundation
import TestSupport
import Testing

/// Goal: what a person runs shows their own times, and what was recorded shows the same anywhere. Method:
/// a widget that shows one moment in summer and one in winter.
@Suite(.timeLimit(.minutes(20))) struct `The zone of a widget's times` {
    private static let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
    private static let utc = ["20 Jun, 04:10", "20 Dec, 04:10"]
    private static let vienna = ["20 Jun, 06:10", "20 Dec, 05:10"]
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let source = "\(SampleSources.folder)/HarbourLog"
        try FileManager.default.copyItem(atPath: source, toPath: folder.path("Times"))
        let service = "Times/StubService.json"
        let text = String(decoding: try folder.bytes(service), as: UTF8.self)
            .replacing("\"format\": \"yyyy-MM-dd HH:mm\"", with: "\"format\": \"yyyy-MM-dd HH:mm Z\"")
            .replacing(/"time": "([^"]*)"/) { "\"time\": \"\($0.output.1) +0000\"" }
            .replacing("2018-06-20 01:35", with: "2018-12-20 04:10")
        try folder.write(service, Array(text.utf8))
        try folder.write("none.json", Array("[]".utf8))
    }

    private func shown(_ arguments: [String], zone: String?) throws -> String {
        let result = try Program.run(
            ["render", "Times"] + arguments, environment: zone.map { ["TZ": $0] } ?? [:], in: folder.url)
        #expect(result.exitCode == 0, "\(result.error)")
        return result.output
    }

    private func has(_ moments: [String], _ text: String) -> Bool { moments.allSatisfy { text.contains($0) } }

    @Test func `is that of TZ, and summer is not winter`() throws {
        #expect(has(Self.vienna, try shown([], zone: Self.rule)))
        #expect(has(Self.utc, try shown([], zone: "")))
        #expect(has(Self.utc, try shown([], zone: "UTC0")))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Vienna")))
    func `is found by its name`() throws {
        #expect(has(Self.vienna, try shown([], zone: "Europe/Vienna")))
        #expect(has(Self.vienna, try shown(["--time-zone", ":Europe/Vienna"], zone: "UTC")))
        #expect(has(Self.vienna, try shown([], zone: "/usr/share/zoneinfo/Europe/Vienna")))
    }

    @Test func `is UTC for scripts and set clocks, wherever they run, unless it is named`() throws {
        for arguments in [["--events", "none.json"], ["--clock", "2019-01-01T00:00:00Z"]] {
            #expect(has(Self.utc, try shown(arguments, zone: Self.rule)), "\(arguments)")
            #expect(has(Self.vienna, try shown(arguments + ["--time-zone", Self.rule], zone: "UTC0")), "\(arguments)")
        }
    }

    @Test(arguments: ["Europe/Viena", "../../etc/passwd", "/etc/passwd", "/usr/share", "CET-1CEST,M99"])
    func `that is none is refused by its option, and warned of in TZ`(_ name: String) throws {
        let option = try Program.run(["render", "Times", "--time-zone", name], in: folder.url)
        #expect(option.exitCode == 2 && option.error.hasPrefix("error: --time-zone is \(name)\nhint: "))
        let variable = try Program.run(["render", "Times"], environment: ["TZ": name], in: folder.url)
        #expect(variable.exitCode == 0 && has(Self.utc, variable.output))
        #expect(variable.error.hasPrefix("error: TZ is \(name), and this machine has no such time zone\nhint: "))
    }
}
