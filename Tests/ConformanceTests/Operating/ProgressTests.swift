import ConformanceSupport
import Foundation
import JSONText
import TestSupport
import Testing

/// Work on the whole store says how far it is.
@Suite struct `Work on the whole store` {
    private let registry: Registry
    private let identifier = "progress.example.Widget"

    init() throws {
        registry = try Registry()
        for number in 0..<3 { try registry.publish(BundleForge(identifier, "1.\(number)").large(seed: number)) }
    }

    private var folder: String { registry.home.folder.path }

    private func lines(_ target: String) -> [JSONValue] {
        registry.control("POST", target).split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    }

    @Test func `says through the control socket how much is done of how much, and then what came of it`() throws {
        let sizes = try registry.get("/v1/bundles/\(identifier)/releases")["items"]?.array?.compactMap {
            $0["size"]?.integer
        }
        let total = try #require(sizes).reduce(0, +)
        for (target, whole, least) in [("/v1/gc", 256, 1), ("/v1/scrub?rate=65536", total, 3)] {
            let lines = lines(target)
            let progress = lines.dropLast()
            #expect(progress.count >= least, "\(target): \(lines.count)")
            #expect(progress.allSatisfy { $0["total"]?.integer == Int64(whole) }, "\(target)")
            let done = progress.compactMap { $0["done"]?.integer }
            #expect(done.count == progress.count && done.first == 0 && done == done.sorted(), "\(target): \(done)")
            #expect(done.last.map { $0 <= Int64(whole) } == true)
            if least > 1 { #expect(done.last.map { $0 > 0 } == true) }
            #expect(lines.last?["report"] != nil, "\(target)")
        }
    }

    @Test func `says before a backup about how many bytes it will have`() throws {
        let socket = registry.home.data.appending(path: "control.sock").path
        let line = "curl -s -D '\(folder)/head' -o '\(folder)/b.tar' --unix-socket '\(socket)' http://control/v1/backup"
        #expect(Shell.run(line).status == 0)
        let head = try String(contentsOfFile: folder + "/head", encoding: .utf8)
        let told = try #require(head.firstMatch(of: /Backup-Bytes: (\d+)/).flatMap { Int($0.1) })
        let all = try #require((try? FileManager.default.attributesOfItem(atPath: folder + "/b.tar"))?[.size] as? Int)
        // Without the headers of members and the notes, which are small.
        #expect(told > 3 * 80_000 && told <= all && all - told < 64 << 10, "\(told) of \(all)")
        let state = registry.control("GET", "/v1/housekeeping")
        #expect(state.contains("\"backup\":{\"running\":false,\"runs\":1,"), "\(state)")
    }

    /// What a person sees who runs a command while the server takes its time: it is stopped for longer than a bar waits.
    private func watched(_ command: String) throws -> String {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/usr/bin/script")
        let line = "exec \(BuiltProgram("widgetd").url.path) \(command) --data '\(registry.home.data.path)'"
        process.arguments = ["--quiet", "--return", "--command", line, "/dev/null"]
        process.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = .pipe(output)
        process.standardInput = .nothing
        registry.signal(SIGSTOP)
        try process.run()
        // Longer than the half second before which no bar is shown; a slower start only makes it longer.
        usleep(1_500_000)
        registry.signal(SIGCONT)
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }

    @Test(.enabled("script(1) is missing", { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") }))
    func `shows a bar where a person watches, and takes it away`() throws {
        for (command, bar) in [
            ("gc", "collecting"), ("scrub --rate 128KiB", "comparing"), ("backup '\(folder)/b.tar'", "backing up"),
        ] {
            let text = try watched(command)
            let line = try Regex("\r\(bar)  \\[[#.]{24}\\]  [0-9]+( | [KM]iB | B )of [0-9]+")
            #expect(text.contains(line), "\(command): \(text.debugDescription)")
            #expect(text.contains("\r\u{1B}[K"), "\(command)")
        }
    }

    @Test func `shows no bar where nobody watches`() throws {
        registry.signal(SIGSTOP)
        let registry = registry
        Thread.detachNewThread {
            usleep(1_500_000)
            registry.signal(SIGCONT)
        }
        let result = try registry.owner("scrub")
        #expect(result.exitCode == 0 && result.error.isEmpty, "\(result)")
    }
}
