import Foundation
import Sockets
import TestSupport
import Testing

/// What the server does when the world around it misbehaves, seen from outside the process.
@Suite(.serialized) struct `In a bad situation widgetd` {
    @Test func `says which address is taken, and what to do`() throws {
        let first = try RunningProgram()
        let result = try Program.run(["serve", "--listen", first.endpoint.description, "--data", temporaryFolder()])
        #expect(result.exitCode == 1)
        #expect(
            result.error.hasPrefix(
                "error: \(first.endpoint) is in use: another server listens there\nhint: choose another address"))
        #expect(try first.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `makes nothing when it cannot start, so that the next start is the first`() throws {
        let data = temporaryFolder() + "/data"
        let taken = try RunningProgram()
        let seed = Corpus.repositoryRoot + "/Bundles"
        let noPort = try Program.run(["serve", "--listen", taken.endpoint.description, "--data", data, "--seed", seed])
        #expect(noPort.exitCode == 1 && noPort.error.contains("is in use"), "\(noPort)")
        let noSeed = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", data, "--seed", data + "/nowhere"])
        #expect(noSeed.exitCode == 2 && noSeed.error.contains("cannot be read"), "\(noSeed)")
        #expect(!FileManager.default.fileExists(atPath: data))
        let first = try RunningProgram(["--seed", seed], data: data)
        #expect(first.log.contains("bundle.seeded"))
        first.signal(SIGTERM)
        #expect(first.wait() == 0)
        // Later starts need no seed any more.
        _ = try RunningProgram(["--seed", data + "/nowhere"], data: data)
    }

    @Test func `says that the data directory is a file`() throws {
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null"])
        #expect(result.exitCode == 1)
        #expect(
            result.error == "error: the data directory /dev/null is a file\nhint: choose a directory with --data DIR\n")
    }

    @Test func `says that the data directory cannot be created`() throws {
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/proc/widgetd"])
        #expect(result.exitCode == 1)
        #expect(
            result.error.hasPrefix(
                "error: the data directory /proc/widgetd cannot be created: No such file or directory\nhint: "))
    }

    @Test func `says that the data directory cannot be written to`() throws {
        // A place where even an administrator can make no file.
        let result = try Program.run(["serve", "--listen", "127.0.0.1:0", "--data", "/proc/self"])
        #expect(result.exitCode == 1)
        #expect(result.error.hasPrefix("error: the data directory /proc/self cannot be written to: "))
        #expect(result.error.contains("\nhint: "))
    }

    @Test func `says that a data directory is of a newer version, and leaves it as it is`() throws {
        let data = temporaryFolder() + "/data"
        let server = try RunningProgram(data: data)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        // The version of the schema, as SQLite keeps it in the first page: the number of a later program.
        let catalog = URL(filePath: data + "/catalog.sqlite")
        // Whoever closes the catalog last brings its log into it.
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

    @Test func `names every fault of a bad configuration and starts nothing`() throws {
        let result = try Program.run(
            ["serve", "--listen", "nowhere"],
            environment: ["WIDGETD_LIMITS_UPLAOD": "1MiB", "WIDGETD_LIMITS_HEADERS": "many"])
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("WIDGETD_LIMITS_UPLOAD"))
        #expect(result.error.components(separatedBy: "error: ").count == 4)
    }

    @Test func `serves on with 64 descriptors and a hundred connections, without spinning`() throws {
        let server = try RunningProgram(prelude: "ulimit -n 64")
        var crowd = (0..<100).compactMap { _ in Client(server.endpoint) }
        #expect(crowd.count == 100)
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        let before = server.processorTicks
        usleep(1_000_000)
        // A hundredth of a second a tick; a loop that spins would use all of them.
        #expect(server.processorTicks - before < 40)
        crowd.removeAll()
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `answers at once beside ten thousand idle clients`() throws {
        let server = try RunningProgram()
        let crowd = (0..<10_000).compactMap { _ in Client(server.endpoint) }
        // Where the limit of descriptors is small, the crowd is smaller, and the server's share of it too.
        #expect(crowd.count > 400)
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        for client in crowd.prefix(50) {
            client.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receive().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `outlives clients that vanish at every byte`() throws {
        let server = try RunningProgram()
        let request = "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        for count in 0...request.utf8.count {
            let client = try #require(Client(server.endpoint))
            client.send(String(request.prefix(count)))
        }
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `tells that it is going before it goes`() throws {
        let server = try RunningProgram(environment: ["WIDGETD_SHUTDOWN_DELAY": "1s"])
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        let answer = try server.get("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("\"type\":\"/problems/draining\""))
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        #expect(server.wait() == 0)
        #expect(server.log.contains("everything under way was finished"))
    }

    @Test func `finishes a request that is arriving when it is told to stop`() throws {
        // One loop, or the other connection's answer below would say nothing about this one.
        let server = try RunningProgram(environment: ["WIDGETD_WORKERS": "1"])
        let client = try #require(Client(server.endpoint))
        client.send("GET /livez HTTP/1.1\r\nHo")
        // Another connection's answer shows that the half request has been read.
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        // The line comes before the loop hears of it; what shows that it has is that it accepts nobody any more.
        #expect(server.refuses())
        client.send("st: x\r\n\r\n")
        let answer = client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(server.wait() == 0)
    }

    @Test func `stops at once at the second signal`() throws {
        let server = try RunningProgram(environment: [
            "WIDGETD_SHUTDOWN_GRACE": "1h", "WIDGETD_LIMITS_HEAD_TIMEOUT": "1h",
        ])
        let client = try #require(Client(server.endpoint))
        client.send("GET /livez HTTP/1.1\r\nHo")
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGTERM)
        #expect(server.logs("server.draining"))
        #expect(server.process.isRunning)
        server.signal(SIGTERM)
        #expect(server.wait() == 0)
        #expect(server.log.contains("a second signal"))
    }

    @Test func `serves on when nobody reads its log`() throws {
        let server = try RunningProgram(prelude: "exec 2>&-")
        for _ in 0..<20 { #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 ")) }
    }

    @Test func `keeps the settings in force when the new ones are faulty, and takes good ones`() throws {
        let file = temporaryFolder() + ".json5"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "{limits: {headerCount: 10}}".write(toFile: file, atomically: true, encoding: .utf8)
        // What came of a reload is told whatever else is.
        let server = try RunningProgram(["--config", file], environment: ["WIDGETD_LOG_LEVEL": "error"])
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
        // The log is for machines: a line that is none of its own would break whoever reads it.
        #expect(server.log.split(separator: "\n").allSatisfy { $0.hasPrefix("{") }, "\(server.log)")
        #expect(try status() == "HTTP/1.1 431")

        try "{limits: {headerCount: 20}}".write(toFile: file, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        #expect(server.logs("settings.reloaded"))
        #expect(try status() == "HTTP/1.1 200")
        #expect(try server.get("/.well-known/widget-registry").contains("\"headerCount\":20"))
    }

    @Test func `is found ready by its own health check, and not when it is gone`() throws {
        let server = try RunningProgram()
        let arguments = ["healthcheck", "--listen", server.endpoint.description]
        #expect(try Program.run(arguments).exitCode == 0)
        let full = try RunningProgram(environment: ["WIDGETD_LIMITS_DISK_RESERVE": "1TiB"])
        let unready = try Program.run(["healthcheck", "--listen", full.endpoint.description])
        #expect(unready.exitCode == 1)
        #expect(
            unready.error.contains(/is not ready: disk: \d+ [KMG]iB are free, less than the reserve of 1024 GiB/),
            "\(unready.error)")
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
