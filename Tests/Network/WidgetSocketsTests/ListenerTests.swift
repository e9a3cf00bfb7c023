import Glibc
import Testing
import WidgetAddresses
import WidgetFiles
import WidgetTestSupport

@testable import WidgetSockets

@Suite struct `A listener` {
    private let anyPort = Endpoint.ip(.loopbackV4, port: 0)

    private func path() -> String { "/tmp/widgetd-test-\(UInt64.random(in: 0 ... .max))" }

    private func port(_ listener: Listener) throws -> UInt16 {
        guard case .ip(_, let port) = listener.endpoint else { throw NoPort() }
        return port
    }

    private struct NoPort: Error {}

    @Test func `A listener reports the port that the system chose, and its siblings share it`() throws {
        let listeners = try Listener.open(anyPort, count: 3)
        let ports = Set(try listeners.map(port))
        #expect(listeners.count == 3)
        #expect(ports.count == 1)
        #expect(!ports.contains(0))
        _ = try RawConnection(port: try #require(ports.first))
    }

    @Test(arguments: [(1, 1), (1, 2), (2, 1), (2, 2)])
    func `A listener is not opened on a port that another listens on`(_ first: Int, _ second: Int) throws {
        let listeners = try Listener.open(anyPort, count: first)
        let taken = Endpoint.ip(.loopbackV4, port: try port(listeners[0]))
        let error = #expect(throws: SystemError.self) { try Listener.open(taken, count: second) }
        #expect(error?.isAddressInUse == true)
        #expect(error?.description == "bind failed on \(taken): Address already in use")
        withExtendedLifetime(listeners) {}
    }

    @Test(arguments: [1, 2])
    func `A listener is opened on a port that was served a moment ago`(_ count: Int) throws {
        // An address of the loopback network that no other test uses: elsewhere any client could be given the free port.
        let host = [127, 77, 3, UInt8(count)]
        let address = try #require(IPAddress(host.map(String.init).joined(separator: ".")))
        var listeners = try Listener.open(.ip(address, port: 0), count: count)
        let port = try port(listeners[0])
        // A connection that this end closes first leaves the port in TIME_WAIT.
        let client = try RawConnection(port: port, host: host)
        let accepted = accept(listeners)
        if accepted >= 0 { close(accepted) }
        listeners = []
        _ = client.receive()
        #expect(throws: Never.self) { try Listener.open(.ip(address, port: port), count: count) }
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

    @Test func `A stopped listener refuses clients, though it is still referenced`() throws {
        let listeners = try Listener.open(anyPort, count: 1)
        let port = try port(listeners[0])
        listeners[0].stop()
        listeners[0].stop()
        let error = #expect(throws: RawConnection.NoConnection.self) { try RawConnection(port: port) }
        #expect(error?.isRefused == true)
    }

    @Test func `A listener takes over the path of a server that has ended`() throws {
        let path = path()
        // Its socket is closed without a word, as when a process is killed.
        do { _ = try Listener.open(.unix(path: path), count: 1) }
        #expect(unsafe access(path, F_OK) == 0)
        let listener = try Listener.open(.unix(path: path), count: 1)
        _ = try RawConnection(unixPath: path)
        listener[0].stop()
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func `A listener leaves the path of a running server alone`() throws {
        let path = path()
        let first = try Listener.open(.unix(path: path), count: 1)
        let error = #expect(throws: SystemError.self) { try Listener.open(.unix(path: path), count: 1) }
        #expect(error?.isAddressInUse == true)
        _ = try RawConnection(unixPath: path)
        first[0].stop()
    }

    @Test func `A listener leaves an ordinary file alone`() throws {
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

    @Test func `A listener leaves a link alone`() throws {
        let path = path()
        _ = unsafe symlink("/nowhere", path)
        defer { _ = unsafe unlink(path) }
        #expect(throws: SystemError.self) { try Listener.open(.unix(path: path), count: 1) }
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0)
    }

    @Test func `A listener is not opened in a directory that is not there`() throws {
        let error = #expect(throws: SystemError.self) {
            try Listener.open(.unix(path: "/nowhere/at/all.sock"), count: 1)
        }
        #expect(error?.description == "bind failed on unix:/nowhere/at/all.sock: No such file or directory")
    }

    @Test func `A listener is not opened on an address of another machine`() throws {
        let elsewhere = Endpoint.ip(try #require(IPAddress("192.0.2.1")), port: 0)
        #expect(throws: SystemError.self) { try Listener.open(elsewhere, count: 1) }
    }

    @Test func `A listener that cannot be opened leaves no descriptor behind`() async {
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

@Suite struct `An endpoint` {
    static let written: [(text: String, endpoint: Endpoint)] = [
        ("127.0.0.1:8080", .ip(.loopbackV4, port: 8_080)),
        ("[::1]:0", .ip(.loopbackV6, port: 0)),
        ("0.0.0.0:65535", .ip(.anyV4, port: 65_535)),
        ("[::]:80", .ip(IPAddress(high: 0, low: 0), port: 80)),
        ("[::ffff:127.0.0.1]:80", .ip(.loopbackV4, port: 80)),
        ("unix:/run/widgetd.sock", .unix(path: "/run/widgetd.sock")),
        ("unix:relative:with:colons", .unix(path: "relative:with:colons")),
    ]

    @Test(arguments: written)
    func `An endpoint is read from its text`(_ sample: (text: String, endpoint: Endpoint)) throws {
        #expect(try Endpoint(sample.text) == sample.endpoint)
    }

    static let malformed = [
        "", ":", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+80", "127.0.0.1: 80",
        "127.0.0.1:0x50", "127.0.0.1:80:80", "::1:80", "[::1]", "[::1]80", "[::1:80", "::1]:80", "[localhost]:80",
        "[127.0.0.1]:80", "[::zz]:80", "[fe80::1%eth0]:80", "256.1.1.1:80", "1.2.3:80", "host name:80", "unix:",
        "unix:\(String(repeating: "a", count: 108))", "unix:a\0b",
    ]

    @Test(arguments: malformed)
    func `An endpoint is refused when its text is malformed`(_ text: String) {
        #expect(throws: Endpoint.Mistake.form(text)) { try Endpoint(text) }
    }

    @Test func `An endpoint may have a host name`() throws {
        guard case .ip(let address, 80) = try Endpoint("localhost:80") else {
            Issue.record("localhost is not an address")
            return
        }
        #expect(address.isLoopback)
    }

    @Test func `An endpoint is refused when its name is unknown`() {
        #expect(throws: Endpoint.Mistake.unknownHost("no-such-host.invalid")) {
            try Endpoint("no-such-host.invalid:80")
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "[::1]:80", "[2001:db8::1]:0", "unix:/a/b"])
    func `An endpoint is written as it is read`(_ text: String) throws {
        #expect(try Endpoint(text).description == text)
    }

    @Test func `An endpoint on all addresses is reached on this machine`() throws {
        #expect(try Endpoint("0.0.0.0:80").reachable.description == "127.0.0.1:80")
        #expect(try Endpoint("[::]:80").reachable.description == "[::1]:80")
        #expect(try Endpoint("192.0.2.1:80").reachable.description == "192.0.2.1:80")
    }
}
