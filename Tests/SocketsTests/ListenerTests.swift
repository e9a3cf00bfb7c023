import Addresses
import Glibc
import TestSupport
import Testing

@testable import Sockets

@Suite struct `A listener` {
    private let anyPort = Endpoint.ip(.loopbackV4, port: 0)

    private func path() -> String { "/tmp/widgetd-test-\(UInt64.random(in: 0 ... .max))" }

    private func port(_ listener: Listener) throws -> UInt16 {
        guard case .ip(_, let port) = listener.endpoint else { throw NoPort() }
        return port
    }

    private struct NoPort: Error {}

    @Test func `says which port the system chose, and its siblings share it`() throws {
        let listeners = try Listener.open(anyPort, count: 3)
        let ports = Set(try listeners.map(port))
        #expect(listeners.count == 3)
        #expect(ports.count == 1)
        #expect(!ports.contains(0))
        _ = try RawConnection(port: try #require(ports.first))
    }

    @Test(arguments: [(1, 1), (1, 2), (2, 1), (2, 2)])
    func `is not opened on a port that another listens on`(_ first: Int, _ second: Int) throws {
        let listeners = try Listener.open(anyPort, count: first)
        let taken = Endpoint.ip(.loopbackV4, port: try port(listeners[0]))
        let error = #expect(throws: SystemError.self) { try Listener.open(taken, count: second) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.description == "bind failed on \(taken): Address already in use")
        withExtendedLifetime(listeners) {}
    }

    @Test(arguments: [1, 2])
    func `is opened on a port that was served a moment ago`(_ count: Int) throws {
        var listeners = try Listener.open(anyPort, count: count)
        let port = try port(listeners[0])
        // A connection that this end closes first leaves the port in TIME_WAIT.
        let client = try RawConnection(port: port)
        let accepted = accept(listeners)
        if accepted >= 0 { close(accepted) }
        listeners = []
        #expect(client.receive(patience: 5_000) != .silence)
        #expect(throws: Never.self) { try Listener.open(.ip(.loopbackV4, port: port), count: count) }
    }

    private func accept(_ listeners: [Listener]) -> Int32 {
        for _ in 0..<500 {
            for listener in listeners {
                let accepted = Glibc.accept(listener.descriptor, nil, nil)
                if accepted >= 0 { return accepted }
            }
            poll(nil, 0, 10)
        }
        return -1
    }

    @Test func `that is stopped refuses, though it is still held`() throws {
        let listeners = try Listener.open(anyPort, count: 1)
        let port = try port(listeners[0])
        listeners[0].stop()
        listeners[0].stop()
        let error = #expect(throws: RawConnection.NoConnection.self) { try RawConnection(port: port) }
        #expect(error?.isRefused == true)
    }

    @Test func `takes over the path of a server that is gone`() throws {
        let path = path()
        // Its socket is closed without a word, as when a process is killed.
        do { _ = try Listener.open(.unix(path: path), count: 1) }
        #expect(unsafe access(path, F_OK) == 0)
        let listener = try Listener.open(.unix(path: path), count: 1)
        _ = try RawConnection(unixPath: path)
        listener[0].stop()
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func `leaves the path of a server that is there alone`() throws {
        let path = path()
        let first = try Listener.open(.unix(path: path), count: 1)
        let error = #expect(throws: SystemError.self) { try Listener.open(.unix(path: path), count: 1) }
        #expect(error?.isAddressInUse == true)
        _ = try RawConnection(unixPath: path)
        first[0].stop()
    }

    @Test func `leaves a file alone that is no socket`() throws {
        let path = path()
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        _ = unsafe write(descriptor, "precious", 8)
        close(descriptor)
        defer { _ = unsafe unlink(path) }
        let error = #expect(throws: SystemError.self) { try Listener.open(.unix(path: path), count: 1) }
        #expect(error?.isAddressInUse == true)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0)
        #expect(status.st_size == 8)
    }

    @Test func `leaves a link alone`() throws {
        let path = path()
        _ = unsafe symlink("/nowhere", path)
        defer { _ = unsafe unlink(path) }
        #expect(throws: SystemError.self) { try Listener.open(.unix(path: path), count: 1) }
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0)
    }

    @Test func `is not opened in a directory that is not there`() throws {
        let error = #expect(throws: SystemError.self) {
            try Listener.open(.unix(path: "/nowhere/at/all.sock"), count: 1)
        }
        #expect(error?.description == "bind failed on unix:/nowhere/at/all.sock: No such file or directory")
    }

    @Test func `is not opened on an address of another machine`() throws {
        let elsewhere = Endpoint.ip(try #require(IPAddress("192.0.2.1")), port: 0)
        #expect(throws: SystemError.self) { try Listener.open(elsewhere, count: 1) }
    }

    @Test func `that cannot be opened leaves no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let first = try Listener.open(.ip(.loopbackV4, port: 0), count: 2)
            guard case .ip(_, let port) = first[0].endpoint else { exit(1) }
            let before = ProcessFigures.now().openDescriptors
            for _ in 0..<50 {
                _ = try? Listener.open(.ip(.loopbackV4, port: port), count: 2)
                _ = try? Listener.open(.unix(path: "/nowhere/at/all.sock"), count: 1)
            }
            // The system's own threads may open one or two meanwhile; what leaks here would leak fifty times.
            guard ProcessFigures.now().openDescriptors < before + 10 else { exit(1) }
        }
    }
}
