import Foundation
import RegistryServer
import Testing
import WidgetBundles
import WidgetCells
import WidgetFiles
import WidgetFindings
import WidgetIntake
import WidgetRegistry

@testable import ServerCommands

/// Goal: what a review finds reaches the release whole, and a process that was taken over by a bundle can add nothing that
/// acts. Method: the reviewer of a cell, called here, and pieces as a cell might send them.
@Suite struct `The review of screens` {
    private static let moment: Int64 = 1_780_000_000

    private static func findings(of document: String, at moment: Int64 = moment) throws -> ReviewFindings {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let folder = try scratch.directory.createDirectory("Specimen")
        try folder.createFile("Main.widgets.json").write(Array(document.utf8), at: 0)
        try folder.createFile("Info.plist").write(Array(manifest.utf8), at: 0)
        let archive = try FileDescriptor.unnamed(inDirectory: scratch.path)
        let taken = try BundleSource(compiling: "\(scratch.path)/Specimen").take(by: BundleIntake(), into: archive)
        #expect(!taken.report.findings.contains { $0.code == .noInterface })
        var pieces: [ReviewPiece] = []
        ProgramReview().review(
            try archive.duplicate(), ReviewQuestion(moment: moment, lacksInterface: false).text
        ) { pieces.append($0) }
        return ReviewFindings(pieces, end: nil)
    }

    private static let manifest = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Specimen</string>
        <key>CFBundleName</key><string>Specimen</string><key>CFBundleShortVersionString</key><string>1.0</string>
        <key>CFBundleVersion</key><string>1</string><key>CFBundlePackageType</key><string>BNDL</string></dict></plist>
        """

    private static let clock =
        #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": {"$": "now()"}}}]}"#

    private static func text(_ name: String, of findings: ReviewFindings) -> String {
        String(decoding: findings.parts.first { $0.name == name }?.content ?? [], as: UTF8.self)
    }

    private static func facts(of findings: ReviewFindings) throws -> ReleaseFacts {
        try #require(findings.parts.first { $0.name == ReleaseFacts.partName }.flatMap { ReleaseFacts($0) })
    }

    @Test func `A still is of the moment of its publication, and the same for each look at that moment`() throws {
        let first = try Self.findings(of: Self.clock)
        #expect(Self.text("screen-1.html", of: first).contains(">2026-05-28 "))
        #expect(try Self.findings(of: Self.clock).parts == first.parts)
        let later = try Self.findings(of: Self.clock, at: Self.moment + 86_400)
        #expect(Self.text("screen-1.html", of: later).contains(">2026-05-29 "))
    }

    @Test func `Findings and parts are the same after their way through the pieces of a cell`() throws {
        var found = try Self.findings(of: Self.clock)
        found.faults = [Finding(.error, .unknownKey, "\"<é>", at: Place(file: "p", line: 1, column: 2), hint: "é; b")]
        found.remarks = [Finding(.warning, .lowContrast, "d")]
        let back = ReviewFindings(found.pieces, end: nil)
        #expect(back.faults == found.faults && back.remarks == found.remarks && back.parts == found.parts)
        #expect(found.parts.count >= 3)
        var question = ReviewQuestion(moment: -5, lacksInterface: true)
        question.plan.locales = ["own", "de_AT"]
        #expect(ReviewQuestion(question.text) == question)
        for text in ["", "1", "1 true", "x true", "1 yes", "1 true 2", "1  true", "\(question.text) x"] {
            #expect(ReviewQuestion(text) == nil, "\(text)")
        }
    }

    @Test func `Parts of other kinds, and those with the name of another, are left out`() throws {
        let facts = ReleaseFacts().part
        let pieces = [
            ReviewPiece(name: facts.name, kind: facts.mediaType, bytes: facts.content),
            ReviewPiece(name: "a.svg", kind: "image/svg+xml", bytes: [1]),
            ReviewPiece(name: "a.js", kind: "text/javascript", bytes: [1]),
            ReviewPiece(name: "b.png", kind: "image/png", bytes: [1]),
            ReviewPiece(name: "b.png", kind: "image/png", bytes: [2]),
            ReviewPiece(name: "faults", kind: "findings", bytes: Array("[[[[[[".utf8)),
        ]
        let found = ReviewFindings(pieces, end: nil)
        #expect(found.parts.map(\.name) == [facts.name, "b.png"] && found.parts[1].content == [1])
        #expect(found.faults.isEmpty && found.remarks.isEmpty)
    }

    @Test func `A review that ended before its facts leaves none of its parts, and says why`() throws {
        let still = ReviewPiece(name: "screen-1.html", kind: "text/html; charset=utf-8", bytes: [1])
        for pieces in [[], [still], [still, ReviewPiece(name: "facts.json", kind: "application/json", bytes: [0x7B])]] {
            let found = ReviewFindings(pieces, end: "it crashed")
            #expect(found.parts.map(\.name) == [ReleaseFacts.partName])
            #expect(try Self.facts(of: found).endOfReview == "it crashed")
            // It was not judged, which strict publishing refuses.
            #expect(
                found.faults.map(\.code.rawValue) == ["unreviewed"] && found.faults[0].detail.hasSuffix(": it crashed"))
            #expect(found.remarks.isEmpty)
        }
        // A process that ends as if all were well, and has sent nothing.
        #expect(try Self.facts(of: ReviewFindings([], end: nil)).endOfReview?.contains("could not read") == true)
    }

    @Test func `A review that ended after its judgement keeps that, and later pieces add to it`() throws {
        let first = ReviewFindings(faults: [Self.finding("a")]), second = ReviewFindings(remarks: [Self.finding("b")])
        let judged = ReviewFindings(first.pieces, end: "it took too long")
        #expect(judged.faults.map(\.code.rawValue) == ["a"] && judged.remarks.map(\.code.rawValue) == ["unreviewed"])
        let later = ReviewFindings(first.pieces + second.pieces, end: "it took too long")
        #expect(
            later.faults.map(\.code.rawValue) == ["a"] && later.remarks.map(\.code.rawValue) == ["b", "unreviewed"])
        let many = Array(repeating: ReviewFindings(faults: Array(repeating: Self.finding("a"), count: 400)), count: 3)
        #expect(ReviewFindings(many.flatMap(\.pieces), end: nil).faults.filter { $0.code.rawValue == "a" }.count == 500)
        // A piece that cannot be read does not count as one.
        let broken = ReviewPiece(name: "faults", kind: "findings", bytes: Array("[{".utf8))
        #expect(ReviewFindings([broken], end: nil).faults.map(\.code.rawValue) == ["unreviewed"])
    }

    private static func finding(_ code: String) -> Finding {
        Finding(.warning, Finding.Code(rawValue: code), code)
    }

    @Test func `A review that ended after its stills keeps them, and says so`() throws {
        let found = ReviewFindings(try Self.findings(of: Self.clock).pieces, end: "it was slow")
        #expect(found.parts.contains { $0.name == "screen-1.html" } && found.remarks.last?.code == .unreviewed)
        #expect(try Self.facts(of: found).endOfReview == nil)
    }
}
