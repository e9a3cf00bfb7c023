import ConformanceSupport
import Foundation
import Testing
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

/// The server's behaviour when the world around it misbehaves, seen from outside the process.
@Suite(.also(.faults), .serialized) struct `In a bad situation widgetd` {
    @Test func `An address in use is named, with advice`() throws {
        let first = try RunningProgram()
        let result = try Program.run(["serve", "--listen", first.endpoint.description, "--data", temporaryFolder()])
        #expect(result.exitCode == 1)
        #expect(
            result.error.hasPrefix(
                "error: \(first.endpoint) is in use: another server listens there\nhint: choose another address"))
        #expect(try first.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `A start that fails creates nothing, so that the next start is the first`() throws {
        let data = temporaryFolder() + "/data"
        let taken = try RunningProgram()
        let seed = Corpus.repositoryRoot + "/Bundles"
        let noPort = try Program.run(["serve", "--listen", taken.endpoint.description, "--data", data, "--seed", seed])
        #expect(noPort.exitCode == 1 && noPort.error.contains("is in use"), "\(noPort)")
        let noSeed = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", data, "--seed", data + "/nowhere"])
        #expect(noSeed.exitCode == 2 && noSeed.error.contains("cannot be read"), "\(noSeed)")
        #expect(!FileManager.default.fileExists(atPath: data))
        let first = try RunningProgram(["--seed", seed], data: data)
        #expect(first.logs("server.listening") && first.log.contains("bundle.seeded"))
        // A package of Swift is not a bundle before it is built.
        let skipped = first.log.split(separator: "\n").filter { $0.contains("bundle.skipped") }
        #expect(skipped.count == 1 && skipped.first?.contains("\"from\":\"Ensemble\"") == true, "\(skipped)")
        #expect(!first.log.contains("bundle.refused"))
        first.signal(SIGTERM)
        #expect(first.wait() == 0)
        // Later starts need no seed any more.
        _ = try RunningProgram(["--seed", data + "/nowhere"], data: data)
    }

    @Test func `A file in the place of the data directory is reported`() throws {
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null"])
        #expect(result.exitCode == 1)
        #expect(
            result.error == "error: the data directory /dev/null is a file\nhint: choose a directory with --data DIR\n")
    }

    @Test func `A data directory that cannot be created is reported`() throws {
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/proc/widgetd"])
        #expect(result.exitCode == 1)
        #expect(
            result.error.hasPrefix(
                "error: the data directory /proc/widgetd cannot be created: No such file or directory\nhint: "))
    }

    @Test func `A data directory that cannot be written to is reported`() throws {
        // A place where even an administrator can make no file.
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/proc/self"])
        #expect(result.exitCode == 1)
        #expect(result.error.hasPrefix("error: the data directory /proc/self cannot be written to: "))
        #expect(result.error.contains("\nhint: "))
    }

    @Test func `A data directory of a newer version is reported, and left unchanged`() throws {
        let data = temporaryFolder() + "/data"
        let server = try RunningProgram(data: data)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        // The version of the schema, as SQLite keeps it in the first page: the number of a later program.
        let catalog = URL(filePath: data + "/catalog.sqlite")
        // Closing the catalog brings its log into it.
        #expect(try Program.run(["token", "list", "--data", data]).exitCode == 0)
        var bytes = try Data(contentsOf: catalog)
        bytes.replaceSubrange(60..<64, with: [0, 0, 3, 0xE8])
        try bytes.write(to: catalog)
        for arguments in [["serve", "--listen", "127.0.0.1:0"], ["token", "list"], ["gc"]] {
            let result = try Program.run(arguments + ["--data", data])
            #expect(result.exitCode == 1)
            #expect(
                result.error.hasPrefix(
                    "error: the data directory \(data) was written by a newer version (its catalog has version 1000)\n"
                        + "hint: run that version again, or restore a backup made by this one\n"), "\(result)")
        }
        #expect(try Data(contentsOf: catalog) == bytes)
    }

    @Test func `Every fault of a bad configuration is named, and the server does not start`() throws {
        let result = try Program.run(
            ["serve", "--listen", "nowhere"],
            environment: ["WIDGETD_LIMITS_UPLAOD": "1MiB", "WIDGETD_LIMITS_HEADERS": "many"])
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("WIDGETD_LIMITS_UPLOAD"))
        #expect(result.error.components(separatedBy: "error: ").count == 4)
    }

    @Test func `The server serves with 64 descriptors and a hundred connections, without spinning`() throws {
        let server = try RunningProgram(
            environment: ["WIDGETD_LIMITS_HEAD_TIMEOUT": "1s"], prelude: "ulimit -n 64")
        var crowd = (0..<100).compactMap { _ in Client(server.endpoint) }
        #expect(crowd.count == 100)
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        let before = server.process.processorTime
        // A second until the server gives this one up. A loop that spins would use all of it.
        let slow = try #require(Client(server.endpoint))
        slow.send("GET /livez HTTP/1.1\r\n")
        #expect(slow.receive().hasPrefix("HTTP/1.1 408 "))
        #expect(server.process.processorTime - before < .milliseconds(400))
        crowd.removeAll()
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The server answers at once beside ten thousand idle clients`() throws {
        let server = try RunningProgram(in: .process)
        let crowd = (0..<10_000).compactMap { _ in Client(server.endpoint) }
        // Where the limit of descriptors is small, the crowd is smaller, and the server's share of it too.
        #expect(crowd.count > 400)
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        for client in crowd.prefix(50) {
            client.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receive().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `The server survives clients that vanish at every byte`() throws {
        let server = try RunningProgram()
        let request = "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        for count in 0...request.utf8.count {
            let client = try #require(Client(server.endpoint))
            client.send(String(request.prefix(count)))
        }
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The server announces its end before it closes`() throws {
        let clock = ManualClock()
        let server = try RunningProgram(environment: ["WIDGETD_SHUTDOWN_DELAY": "25s"], clock: clock)
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        server.passes(.seconds(24))
        let (readiness, life) = (try server.get("/readyz"), try server.get("/livez"))
        server.passes(.seconds(1))
        #expect(server.wait() == 0)
        #expect(server.logs("everything under way was finished"))
        #expect(readiness.hasPrefix("HTTP/1.1 503 ") && readiness.contains("\"type\":\"/problems/draining\""))
        #expect(life.hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `The server finishes an arriving request when it is stopped`() throws {
        // One loop, or the other connection's answer below would say nothing about this one.
        let server = try RunningProgram(environment: ["WIDGETD_WORKERS": "1"])
        let client = try #require(Client(server.endpoint))
        client.send("GET /livez HTTP/1.1\r\nHo")
        // Another connection's answer shows that the half request has been read.
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        // The line comes before the loop stops. It has stopped once it refuses connections.
        #expect(server.refuses())
        client.send("st: x\r\n\r\n")
        let answer = client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(server.wait() == 0)
    }

    @Test func `The server stops at once at the second signal`() throws {
        let server = try RunningProgram(
            environment: ["WIDGETD_SHUTDOWN_GRACE": "1h", "WIDGETD_LIMITS_HEAD_TIMEOUT": "1h"], in: .process)
        let client = try #require(Client(server.endpoint))
        client.send("GET /livez HTTP/1.1\r\nHo")
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        #expect(server.process.isRunning)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(server.logs("a second signal"))
    }

    @Test func `The server ends at SIGINT as at SIGTERM`() throws {
        let server = try RunningProgram(in: .process)
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGINT)
        #expect(server.logs("server.draining"))
        #expect(server.wait() == 0)
        #expect(server.logs("everything under way was finished"))
    }

    @Test func `The server works when the reader of its log stops reading`() throws {
        let server = try RunningProgram(prelude: "exec 2>&-")
        for _ in 0..<20 { #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 ")) }
    }

    @Test func `A faulty reload keeps the settings in force, and a good one applies`() throws {
        let file = temporaryFolder() + ".json5"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "{limits: {headerCount: 10}}".write(toFile: file, atomically: true, encoding: .utf8)
        // The outcome of a reload is logged at every level. SIGHUP is for the program alone.
        let server = try RunningProgram(
            ["--config", file], environment: ["WIDGETD_LOG_LEVEL": "error"], in: .process)
        let fields = (0..<12).map { "X-\($0): y\r\n" }.joined()

        func status() throws -> String {
            let client = try #require(Client(server.endpoint))
            client.send("GET /livez HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
            return String(client.receive().prefix(12))
        }
        #expect(try status() == "HTTP/1.1 431")

        try "{limits: {headerCount: true, hedaers: 1}}".write(toFile: file, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        #expect(server.logs("settings.refused"))
        #expect(
            server.log.contains(/"event":"settings\.refused".*"reason":"[^\n]*limits\.headerCount is/), "\(server.log)")
        // The log is for machines: a foreign line would break its readers.
        #expect(server.log.split(separator: "\n").allSatisfy { $0.hasPrefix("{") }, "\(server.log)")
        #expect(try status() == "HTTP/1.1 431")

        try "{limits: {headerCount: 20}}".write(toFile: file, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        #expect(server.logs("settings.reloaded"))
        #expect(try status() == "HTTP/1.1 200")
        #expect(try server.get("/.well-known/widget-registry").contains("\"headerCount\":20"))
    }

    @Test func `The health check finds a running server ready, and a stopped one not`() throws {
        let server = try RunningProgram()
        let arguments = ["healthcheck", "--listen", server.endpoint.description]
        #expect(try Program.run(arguments).exitCode == 0)
        let full = try RunningProgram(environment: ["WIDGETD_LIMITS_DISK_RESERVE": "1TiB"])
        let unready = try Program.run(["healthcheck", "--listen", full.endpoint.description])
        #expect(unready.exitCode == 1)
        #expect(
            unready.error.contains(/is not ready: disk: \d+ [KMG]iB are free, less than the reserve of 1024 GiB/),
            "\(unready.error)")
        // The start has said it, and what it stops.
        #expect(full.logs("disk.low") && full.logs("publishing and making tokens are refused with 507"))
        #expect(!server.log.contains("disk.low"))
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        let result = try Program.run(arguments)
        #expect(result.exitCode == 1)
        #expect(result.error.hasPrefix("error: no answer from \(server.endpoint)"))
    }

    private func temporaryFolder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
    }
}

/// `/readyz` of the built program, while real disks and folders are not as they should be.
@Suite(.also(.faults), .serialized) struct `A server whose place is in trouble` {
    private func code(_ answer: String) -> String? {
        answer.firstMatch(of: /"errors":\[\{"code":"([a-z]+)"/).map { String($0.1) }
    }

    private static var archive: [UInt8] {
        let members = ["Identifier": "com.example.Full", "Name": "Full", "ShortVersionString": "1.0", "Version": "1"]
        let body = members.map { "<key>CFBundle\($0)</key><string>\($1)</string>" }.joined()
        let list = Array("<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
        return ZipForge([.init(Array("Full.bundle/Info.plist".utf8), list, stored: false)]).build().bytes
    }

    private func temporaryFolder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }))
    func `A server below the reserve of its disk is not ready, and above it is`() throws {
        let disk = try SmallDisk(kilobytes: 16 << 10)
        let server = try RunningProgram(
            data: disk.path + "/data", environment: ["WIDGETD_LIMITS_DISK_RESERVE": "8MiB"])
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        try FileWork.fill(disk.path + "/others", upTo: 10_000_000)
        let answer = try server.get("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "disk", "\(answer)")
        #expect(answer.contains("less than the reserve of 8192 KiB"))
        // The check for liveness does not depend on disks.
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        let check = try Program.run(["healthcheck", "--listen", server.endpoint.description])
        #expect(check.exitCode == 1, "\(check)")
        try FileWork.remove(disk.path + "/others")
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGKILL)
        _ = server.wait()
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }), arguments: [SIGKILL, SIGTERM])
    func `A3: a server starts on a full disk, serves reads, says why it is not ready, and writes when there is room`(
        _ end: Int32
    ) throws {
        let disk = try SmallDisk(kilobytes: 4 << 10)
        let data = disk.path + "/data"
        do {
            let first = try RunningProgram(
                ["--seed", Corpus.repositoryRoot + "/Bundles"], data: data, in: .process)
            #expect(try first.get("/readyz").hasPrefix("HTTP/1.1 200 "))
            first.signal(end)
            _ = first.wait()
        }
        try FileWork.fill(disk.path + "/others", upTo: .max)
        let server = try RunningProgram(data: data, in: .process)
        let token = try FileWork.text("\(data)/admin-token").filter { !$0.isNewline }
        let answer = try server.get("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "disk", "\(answer)")
        #expect(answer.contains("the disk is full: 0 bytes are free"), "\(answer)")
        #expect(server.logs("disk.full") && server.log.contains("No space left on device"), "\(server.log)")
        let list = try server.get("/v1/bundles")
        let bundle = try #require(list.firstMatch(of: /"bundleIdentifier":"([^"]+)"/).map { String($0.1) }, "\(list)")
        #expect(try server.get("/v1/widgets/\(bundle)-1").hasPrefix("HTTP/1.1 200 "))
        #expect(try server.get("/v1/widgets/\(bundle)-1/bundle").hasPrefix("HTTP/1.1 200 "))
        // An archive needs a place before anything else happens to it; a row may fit into the log that is there.
        func publish() throws -> String {
            let head =
                "POST /v1/bundles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Length: \(Self.archive.count)\r\nConnection: close\r\n\r\n"
            let answer = try Probe.exchange(Array(head.utf8) + Self.archive, with: server.endpoint, seconds: 0)
            return String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)
        }
        #expect(try publish() == "507")
        try FileWork.remove(disk.path + "/others")
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        #expect(try publish() == "201")
        server.signal(SIGKILL)
        _ = server.wait()
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }))
    func `A server whose data directory cannot be written to is not ready until it can`() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        // Even an administrator writes nothing there.
        try #require(MemoryMount.mount(at: folder, options: "", isReadOnly: true))
        let answer = try server.get("/readyz")
        MemoryMount.remove(at: folder)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "data", "\(answer)")
        #expect(answer.contains("the data directory cannot be written to"))
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `A server whose data directory is gone is not ready until it is back`() throws {
        let folder = temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        #expect(unsafe rename(folder, folder + "-away") == 0)
        let answer = try server.get("/readyz")
        #expect(unsafe rename(folder + "-away", folder) == 0)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "data", "\(answer)")
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }
}
