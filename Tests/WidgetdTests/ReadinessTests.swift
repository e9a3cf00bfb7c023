import Foundation
import Sockets
import TestSupport
import Testing

/// `/readyz` of the built program, while real disks and folders are not as they should be.
@Suite(.serialized) struct `A server whose place is in trouble` {
    private func code(_ answer: String) -> String? {
        answer.firstMatch(of: /"errors":\[\{"code":"([a-z]+)"/).map { String($0.1) }
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }))
    func `is not ready below the reserve of its disk, and is above it`() throws {
        let disk = try SmallDisk(kilobytes: 16 << 10)
        let server = try RunningProgram(
            data: disk.path + "/data", environment: ["WIDGETD_LIMITS_DISK_RESERVE": "8MiB"])
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        #expect(Shell.run("head -c 10000000 /dev/zero > '\(disk.path)/others'").status == 0)
        let answer = try server.get("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "disk", "\(answer)")
        #expect(answer.contains("less than the reserve of 8192 KiB"))
        // Those who only want to know whether it lives are not told of disks.
        #expect(try server.get("/livez").hasPrefix("HTTP/1.1 200 "))
        let check = try Program.run(["healthcheck", "--listen", server.endpoint.description])
        #expect(check.exitCode == 1, "\(check)")
        #expect(Shell.run("rm '\(disk.path)/others'").status == 0)
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        server.signal(SIGKILL)
        _ = server.wait()
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }), arguments: [SIGKILL, SIGTERM])
    func `A3: starts on a full disk, serves reads, says why it is not ready, and writes when there is room`(
        _ end: Int32
    ) throws {
        let disk = try SmallDisk(kilobytes: 4 << 10)
        let data = disk.path + "/data"
        do {
            let first = try RunningProgram(["--seed", Corpus.repositoryRoot + "/Bundles"], data: data)
            #expect(try first.get("/readyz").hasPrefix("HTTP/1.1 200 "))
            first.signal(end)
            _ = first.wait()
        }
        _ = Shell.run("cat /dev/zero > '\(disk.path)/others'")
        let server = try RunningProgram(data: data)
        let token = Shell.run("cat '\(data)/admin-token'").output.filter { !$0.isNewline }
        let answer = try server.get("/readyz")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "disk", "\(answer)")
        #expect(answer.contains("the disk is full: 0 bytes are free"), "\(answer)")
        #expect(server.logs("disk.full") && server.log.contains("No space left on device"), "\(server.log)")
        let list = try server.get("/v1/bundles")
        let bundle = try #require(list.firstMatch(of: /"bundleIdentifier":"([^"]+)"/).map { String($0.1) }, "\(list)")
        #expect(try server.get("/v1/widgets/\(bundle)-1").hasPrefix("HTTP/1.1 200 "))
        #expect(try server.get("/v1/widgets/\(bundle)-1/bundle").hasPrefix("HTTP/1.1 200 "))
        func write() -> String {
            Shell.run(
                "curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer \(token)' -H 'Content-Type: application/json' "
                    + "-d '{\"name\": \"ci\", \"scopes\": [\"publish\"]}' http://\(server.endpoint)/v1/tokens"
            ).output
        }
        // What fits into the log as it is may still be taken; then it is full as well.
        #expect(["201", "507"].contains(write()))
        #expect(Shell.run("rm '\(disk.path)/others'").status == 0)
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        #expect(["201", "409"].contains(write()))
        server.signal(SIGKILL)
        _ = server.wait()
    }

    @Test(.enabled("needs the right to mount", { SmallDisk.isPossible }))
    func `is not ready while its data directory cannot be written to, and is when it can`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        // Even an administrator writes nothing there.
        #expect(Shell.run("mount -t tmpfs -o ro none '\(folder)'").status == 0)
        let answer = try server.get("/readyz")
        #expect(Shell.run("umount -l '\(folder)'").status == 0)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "data", "\(answer)")
        #expect(answer.contains("the data directory cannot be written to"))
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }

    @Test func `is not ready while its data directory is gone, and is when it is back`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try RunningProgram(data: folder)
        #expect(unsafe rename(folder, folder + "-away") == 0)
        let answer = try server.get("/readyz")
        #expect(unsafe rename(folder + "-away", folder) == 0)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && code(answer) == "data", "\(answer)")
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
    }
}
