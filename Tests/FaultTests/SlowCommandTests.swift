import ConformanceSupport
import Foundation
import TestSupport
import Testing

/// What a person sees of a command that takes its time, because the disk does.
@Suite(.serialized, .enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `A command that takes long without a server` {
    @Test(
        .enabled("script(1) is missing", { FileManager.default.isExecutableFile(atPath: "/usr/bin/script") }),
        arguments: ["reindex", "restore", "scrub", "backup"])
    func `shows a bar where a person watches, and takes it away`(_ command: String) throws {
        let home = try Home()
        let backup = home.folder.appending(path: "b.tar").path
        do {
            let registry = try Registry(home: home)
            for number in 0..<4 {
                try registry.publish(BundleForge("bar.example.Widget", "1.\(number)").large(seed: number))
            }
            #expect(try registry.owner("backup", backup).exitCode == 0)
            registry.killAtOnce()
            #expect(try registry.owner("gc").exitCode == 0)
        }
        if command == "restore" { #expect(Shell.run("rm '\(home.data.path)'/blobs/*/*.zip").status == 0) }
        let shim = try FaultShim(in: home.folder)
        let variables = shim.environment(data: home.data).map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        // One call in the midst of the work takes longer than a bar waits before it shows.
        let (call, bar) =
            switch command {
            case "restore": (FaultShim.Call.rename, "placing")
            case "reindex": (.read, "reading archives")
            case "scrub": (.read, "comparing")
            default: (.read, "backing up")
            }
        let file = command == "backup" ? "'\(home.folder.path)/new.tar'" : command == "restore" ? "'\(backup)'" : ""
        let program = BuiltProgram("widgetd").url.path
        let line = "exec env \(variables) \(program) \(command) \(file) --data '\(home.data.path)'"
        // The first calls belong to the opening of the store; which one it is does not matter, as long as work follows.
        var shown = ""
        for number in [2, 12, 22, 32, 42] where !shown.contains("\r\(bar)  [") {
            shim.arm(call, at: number, error: 900, .delay)
            let process = ChildProcess()
            process.executableURL = URL(filePath: "/usr/bin/script")
            process.arguments = ["--quiet", "--return", "--command", line, "/dev/null"]
            process.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"]
            let output = Pipe()
            process.standardOutput = .pipe(output)
            process.standardInput = .nothing
            try process.run()
            shown = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(shown)")
            shim.disarm()
        }
        #expect(shown.contains("\r\(bar)  ["), "\(shown.debugDescription)")
        #expect(shown.contains("\r\u{1B}[K"))
    }
}

/// Reading the metrics tells that the disk has failed.
@Suite(.enabled(if: FaultShim.library != nil, "needs a C compiler"))
struct `A step of the store that failed` {
    @Test(arguments: [("place", FaultShim.Call.rename), ("commit", .synchronize)])
    func `is counted`(_ step: String, _ call: FaultShim.Call) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let registry = try Registry(home: home, shim.environment(data: home.data))
        try registry.publish(BundleForge("failed.example.Widget", "1.0"))
        let name = "widgetd_store_failures_total{step=\"\(step)\"}"
        #expect(try registry.metrics()[name] == 0)
        // A promotion syncs nothing but the catalog, and a publication renames nothing before its archive.
        shim.arm(call, at: 1, error: EIO)
        let answer =
            step == "place"
            ? try registry.post(BundleForge("failed.example.Widget", "1.1").archive)
            : try registry.promote("failed.example.Widget", "1.0~1", rollout: 5_000)
        shim.disarm()
        #expect(answer.status == 500, "\(answer.text)")
        #expect(try registry.metrics()[name] == 1)
    }
}
