import Dispatch
import HTTPWire
import JSONText
import LocalStore
import RegistryContract
import RegistryServer
import Testing
import WidgetAddresses
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

/// A registry in a new folder, readable through a real socket.
final class ServedRegistry {
    let registry: Registry
    let server: Server
    let clock: ManualClock
    let path: String
    let log = LogLines()
    private let folder: ScratchDirectory

    init(
        access: any ReadAccess = OpenReading(), options: Reading.Options = Reading.Options(), width: Int = 4,
        running: @escaping @Sendable () -> PageRunning = { .usual }, logsRequests: Bool = false
    ) throws {
        folder = try ScratchDirectory(in: TemporaryPlace.path)
        path = folder.path + "/data"
        let clock = ManualClock(date: .seconds(1_795_255_200))
        let world = World(clock: clock)
        self.clock = clock
        registry = try Registry(opening: path, options: Registry.Options(in: world))
        let reading = Reading(
            registry: registry, access: access, work: WorkQueue("test.reading", width: width), in: world,
            options: options, running: running, address: { "http://registry.test" })
        var routes = Routes()
        reading.add(to: &routes)
        server = try Server(
            listeners: [ServerListener(try Endpoint("127.0.0.1:0"), routes: routes)], limits: ServerLimits(),
            workers: 2, serverName: "widgetd", logger: Logger(level: .info, format: .json, sink: log.write),
            logsRequests: logsRequests, explain: { ProblemCatalogue.problem($0) })
        server.start()
    }

    deinit { server.stop() }

    var port: UInt16 {
        guard case .ip(_, let port) = server.endpoints[0] else { return 0 }
        return port
    }

    func connect() throws -> Conversation { Conversation(try RawConnection(port: port)) }

    func get(_ path: String, _ fields: String = "", method: String = "GET") throws -> WireAnswer {
        try connect().ask("\(method) \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n", isHead: method == "HEAD")
    }

    /// The document at a path, which has to be there.
    func document(_ path: String) throws -> JSONValue {
        let answer = try get(path)
        try #require(answer.status == 200, "\(path): \(answer.status) \(answer.text)")
        #expect(answer.value("Content-Type") == "application/json")
        #expect(answer.body.last == 0x0A)
        return try JSONValue(parsing: answer.body)
    }

    @discardableResult
    func publish(
        _ bundle: TestBundle = TestBundle(), to channel: String = "stable", rollout: Int = Rollout.bucketCount
    ) throws -> Release {
        let staged = try registry.stage()
        let taken = try bundle.take(into: staged.file)
        var options = PublishOptions()
        options.channel = channel
        options.rollout = rollout
        return try registry.publish(taken, archive: staged, PublishRequest(options, by: "tester")).release
    }

    func withdraw(_ release: Release, reason: String = "broken") throws {
        _ = try registry.withdraw(release.bundleIdentifier, release.key, reason: reason, by: "tester")
    }

    func set(_ channel: String, _ key: String, rollout: Int = Rollout.bucketCount, mandatory: Bool = false) throws {
        _ = try registry.setChannel(
            TestBundle.identifier, channel, ChannelSetting(release: key, rollout: rollout, isMandatory: mandatory),
            by: "tester"
        ) { (_: Channel?) throws(RegistryError) in }
    }

    func blobPath(_ release: Release) -> String {
        "\(path)/blobs/\(release.digest.hex.prefix(2))/\(release.digest.hex).zip"
    }
}

/// A bundle as a publisher packs it.
struct TestBundle {
    static let identifier = "com.example.Sample"

    var identifier = TestBundle.identifier
    var version = "1.0"
    var build = "1"
    var name = "Sample"
    var minimumOS: String?
    var minimumHost: String?
    /// The text of `content.json`.
    var content = "{}"
    /// Further files, by their paths.
    var files: [(path: String, content: [UInt8])] = []

    var archive: [UInt8] {
        var members = [
            ("CFBundleIdentifier", identifier), ("CFBundleShortVersionString", version), ("CFBundleVersion", build),
        ]
        if let minimumOS { members.append(("MinimumOSVersion", minimumOS)) }
        if let minimumHost { members.append(("WidgetHostMinimumVersion", minimumHost)) }
        let body = members.map { "<key>\($0.0)</key><string>\($0.1)</string>" }.joined()
        return ZipForge(
            [
                .init("\(name).bundle/Info.plist", "<plist version=\"1.0\"><dict>\(body)</dict></plist>"),
                .init("\(name).bundle/content.json", content),
            ] + files.map { .init(Array("\(name).bundle/\($0.path)".utf8), $0.content) }
        ).build().bytes
    }

    func take(into target: borrowing FileDescriptor) throws -> BundleIntake.Taken {
        let source = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try source.write(archive, at: 0)
        return try BundleIntake().take(source, into: target)
    }
}

/// Keeps log lines.
final class LogLines: Sendable {
    private let collected = Observed<[UInt8]>([])

    @Sendable func write(_ bytes: [UInt8]) -> Int {
        collected.withLock { $0 += bytes }
        return bytes.count
    }

    /// True if a text is logged, now or soon: lines are written after the answers they are about.
    func holds(_ text: String) -> Bool {
        collected.reaches { String(decoding: $0, as: UTF8.self).contains(text) }
    }
}

/// Lets one waiter pass each time it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }
    /// True if it was opened within thirty seconds.
    @discardableResult
    func wait() -> Bool { semaphore.wait(timeout: .now() + .seconds(30)) == .success }
}
