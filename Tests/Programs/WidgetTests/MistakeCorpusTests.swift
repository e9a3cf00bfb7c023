import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// A row of `Tests/Corpus/mistakes/mistakes.tsv`: a widget with one mistake.
struct CorpusMistake: Sendable, CustomTestStringConvertible {
    let number: Int
    let form: String
    let title: String
    let base: String
    let file: String
    let edit: String
    let (old, new): (String, String)

    var testDescription: String { "\(number) \(title)" }

    /// True for a mistake in Swift, which the toolchain has to compile before anything is said of it.
    var isOfSwift: Bool { form == "Swift" }

    static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/mistakes"

    static let all: [CorpusMistake] = {
        let text = (try? String(contentsOfFile: "\(folder)/mistakes.tsv", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { CorpusMistake($0) }
    }()

    private init?(_ line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(CorpusMistake.unescaped)
        guard fields.count == 13, let number = Int(fields[0]) else { return nil }
        self.number = number
        (form, title, base, file, edit) = (fields[1], fields[2], fields[3], fields[4], fields[5])
        (old, new) = (fields[6], fields[7])
    }

    private static func unescaped(_ field: Substring) -> String {
        var text = ""
        var isEscaped = false
        for character in field {
            if isEscaped {
                text.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// The files of a base, by their paths.
    static func files(of base: String) -> [String: [UInt8]] {
        let own = Corpus.tree(at: "\(folder)/bases/\(base)")
        return own.isEmpty ? Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles/\(base)") : own
    }

    /// The files of the base with the mistake.
    func applied() throws -> [String: [UInt8]] {
        var files = CorpusMistake.files(of: base)
        switch edit {
        case "add": files[file] = Array(new.utf8)
        case "remove":
            let removed = files.removeValue(forKey: file)
            #expect(removed != nil, "\(file) is not in \(base)")
        default:
            let text = String(decoding: try #require(files[file]), as: UTF8.self)
            try #require(text.ranges(of: old).count == 1, "\(self)")
            files[file] = Array(text.replacing(old, with: new).utf8)
        }
        return files
    }
}

/// The words of `widget inspect` about a folder.
struct SaidOfWidget {
    /// Each finding, or the lines of a refusal.
    let lines: [String]
    let exitCode: Int32

    /// - Parameter name: the folder in the working directory, whose name is left out of the lines.
    init(_ name: String, in folder: Folder, environment: [String: String] = [:]) throws {
        func run(_ arguments: [String]) throws -> BuiltProgram.Result {
            try Program.run(arguments, environment: environment, in: folder.url)
        }
        let result = try run(["inspect", name, "--json"])
        exitCode = result.exitCode
        guard
            let root = try? JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any],
            let report = root["report"] as? [String: Any], let findings = report["findings"] as? [[String: Any]]
        else {
            lines = try run(["inspect", name]).error.split(separator: "\n").map { line in
                line.trimmingPrefix(" ").replacing("\(name)/", with: "").trimmingCharacters(in: .whitespaces)
            }
            return
        }
        lines = findings.map { finding in
            func text(_ member: String) -> String { finding[member] as? String ?? "" }
            let line = finding["line"] as? Int ?? 0
            let position = line > 0 ? ":\(line):\(finding["column"] as? Int ?? 0)" : ""
            let element = text("element").isEmpty ? "" : " (\(text("element")))"
            return "\(text("path"))\(position)\(element): \(text("severity")): \(text("detail")) [\(text("code"))]"
                .replacing("\(name)/", with: "")
        }
    }
}

/// The messages about mistakes, with their marks, as `Tests/Corpus/mistakes/messages.txt` has them.
struct MistakeMessages {
    private(set) var marks: [Int: Int] = [:]
    private(set) var lines: [Int: [String]] = [:]
    static let path = "\(CorpusMistake.folder)/messages.txt"

    init() {
        var number = 0
        for line in ((try? String(contentsOfFile: Self.path, encoding: .utf8)) ?? "").split(separator: "\n") {
            if let head = line.wholeMatch(of: /(\d+) .*: (\d)/) {
                number = Int(head.1) ?? 0
                marks[number] = Int(head.2)
            } else {
                lines[number, default: []].append(String(line.dropFirst(4)))
            }
        }
    }

    /// Marks that suffice: each is 1 or more, and on average they are 2.7.
    func expectGood(of mistakes: [CorpusMistake]) {
        let given = mistakes.map { marks[$0.number] ?? 0 }
        for (mistake, mark) in zip(mistakes, given) { #expect(mark > 0, "\(mistake)") }
        let average = Double(given.reduce(0, +)) / Double(max(given.count, 1))
        #expect(average >= 2.7, "\(average)")
    }

    mutating func write(_ new: [Int: [String]]) throws {
        lines.merge(new) { $1 }
        let text = CorpusMistake.all.map { mistake in
            let head = "\(mistake.number) \(mistake.form), \(mistake.title): \(marks[mistake.number] ?? 0)"
            return ([head] + (lines[mistake.number] ?? []).map { "    \($0)" }).joined(separator: "\n")
        }
        try Data((text.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: Self.path))
    }
}

/// Goal: what an author did wrong is said, with its place and the next step. Method: 80 widgets with one mistake
/// each; `widget inspect` of each is compared with what it said when that was marked.
@Suite(.callingThreads) struct `Mistakes of authors` {
    @Test func `The marks are 2,7 of 3 on average, and none is 0`() {
        #expect(CorpusMistake.all.count == 80 && MistakeMessages().marks.count == 80)
        MistakeMessages().expectGood(of: CorpusMistake.all.filter { !$0.isOfSwift })
    }

    @Test func `inspect says of each mistake what it said when that was marked`() throws {
        let folder = try Folder()
        var said: [Int: [String]] = [:]
        let mistakes = CorpusMistake.all.filter { !$0.isOfSwift }
        for (base, group) in Dictionary(grouping: mistakes, by: \.base) {
            func inspected(_ files: [String: [UInt8]]) throws -> SaidOfWidget {
                try? FileManager.default.removeItem(atPath: folder.path(base))
                for (path, bytes) in files { try folder.write("\(base)/\(path)", bytes) }
                return try SaidOfWidget(base, in: folder)
            }
            let sound = try inspected(CorpusMistake.files(of: base))
            #expect(sound.exitCode == 0, "\(base): \(sound.lines)")
            for mistake in group {
                let wrong = try inspected(try mistake.applied())
                said[mistake.number] = wrong.lines.filter { !sound.lines.contains($0) }
            }
        }
        try Self.compare(said)
    }

    static func compare(_ said: [Int: [String]]) throws {
        var messages = MistakeMessages()
        if Corpus.isWritten { try messages.write(said) }
        for (number, lines) in said.sorted(by: { $0.key < $1.key }) {
            #expect(lines == messages.lines[number] ?? [], "\(number)")
            #expect(!lines.isEmpty, "\(number)")
        }
    }
}

/// Goal: the same of screens in Swift, which the toolchain compiles. Method: the package of the corpus with its mistakes, one
/// after the other, in the folder of builds that such tests share.
@Suite(.callingThreads, .part(.compilers), .serialized) struct `Mistakes of authors in Swift` {
    @Test func `The marks of all 80 are 2,7 of 3 on average, and none is 0`() {
        MistakeMessages().expectGood(of: CorpusMistake.all)
    }

    @Test func `inspect says of each mistake what it said when that was marked`() throws {
        let folder = try Folder()
        let environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.url.path,
            "NO_COLOR": "1", GuideDesk.buildVariable: GuideDesk.buildFolder,
        ]
        func inspected(_ files: [String: [UInt8]]) throws -> SaidOfWidget {
            for (path, bytes) in files {
                let text = String(decoding: bytes, as: UTF8.self)
                    .replacing("SOURCES_OF_WIDGET", with: Corpus.repositoryRoot)
                try folder.write("Walks/\(path)", path.hasSuffix(".png") ? bytes : Array(text.utf8))
            }
            return try SaidOfWidget("Walks", in: folder, environment: environment)
        }
        let sound = try inspected(CorpusMistake.files(of: "Walks"))
        #expect(sound.exitCode == 0, "\(sound.lines)")
        var messages: [Int: [String]] = [:]
        for mistake in CorpusMistake.all where mistake.isOfSwift {
            let wrong = try inspected(try mistake.applied())
            messages[mistake.number] = wrong.lines.filter { !sound.lines.contains($0) }
        }
        try `Mistakes of authors`.compare(messages)
    }
}
