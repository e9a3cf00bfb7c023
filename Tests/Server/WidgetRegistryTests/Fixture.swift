import Glibc
import LocalStore
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// A registry in a temporary folder, with a clock that moves only when a test moves it.
final class Fixture: Sendable {
    let path: String
    let clock = ManualClock(date: .seconds(1_000_000))
    private let scratch: Folder
    private let opened = Guarded<[Opened]>([])

    /// In memory where there is such a place: hundreds of small stores would otherwise wait for a disk that others
    /// use. What holds after a power cut is not a matter of these tests.
    private static let root = TemporaryPlace.path

    /// Holds the folder until its last user is gone.
    private final class Folder: Sendable {
        let name = ".staged-registry-\(UInt64.random(in: 0 ... .max))"
        var path: String { "\(root)/\(name)" }

        init() throws {
            _ = try Directory(opening: root).createDirectory(name, mode: 0o700)
        }

        deinit {
            // A leftover in a temporary folder does no harm.
            try? Directory(opening: root).removeTree(name)
        }
    }

    init() throws {
        scratch = try Folder()
        path = scratch.path + "/data"
    }

    func open(_ change: (inout Registry.Options) -> Void = { _ in }) throws(RegistryError) -> Registry {
        let clock = clock
        var options = Registry.Options(in: World(clock: clock))
        change(&options)
        do throws(RegistryError) {
            return keep(try Registry(opening: path, options: options, holder: "the test"))
        } catch {
            // The last writer may hold the store for a moment longer than the test did; a registry that is open holds it on.
            guard case .locked = error, opened.withLock({ $0.allSatisfy { $0.registry == nil } }) else { throw error }
        }
        waitForLock()
        return keep(try Registry(opening: path, options: options, holder: "the test"))
    }

    private struct Opened: Sendable { weak let registry: Registry? }

    private func keep(_ registry: Registry) -> Registry {
        opened.withLock { $0.append(Opened(registry: registry)) }
        return registry
    }

    private func waitForLock() {
        let file = unsafe Glibc.open(path + "/lock", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return }
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        close(file)
    }

    /// Lets time pass, or sets the time of day back.
    func pass(seconds: Int64) {
        if seconds < 0 { clock.shiftDate(by: .seconds(seconds)) } else { clock.advance(by: .seconds(seconds)) }
    }

    /// The names in a folder of the data directory.
    func names(_ folder: String...) throws -> [String] {
        var directory = try Directory(opening: path)
        for name in folder { directory = try directory.openDirectory(name) }
        return try directory.items(limit: 10_000)?.map(\.name) ?? []
    }

    func shard(of digest: Digest) throws -> [String] { try names("blobs", String(digest.hex.prefix(2))) }

    func blob(_ digest: Digest) -> String { "\(path)/blobs/\(digest.hex.prefix(2))/\(digest.hex).zip" }
}

/// A bundle as someone uploads it.
struct Upload {
    var identifier = "com.example.Sample"
    var version = "1.0"
    var build = "1"
    var content = "{}"
    var minimumOS: String?
    var minimumHost: String?
    var name = "Sample"

    func taken(into target: borrowing FileDescriptor) throws -> BundleIntake.Taken {
        var members = [
            ("CFBundleIdentifier", identifier), ("CFBundleShortVersionString", version), ("CFBundleVersion", build),
        ]
        if let minimumOS { members.append(("MinimumOSVersion", minimumOS)) }
        if let minimumHost { members.append(("WidgetHostMinimumVersion", minimumHost)) }
        let body = members.map { "<key>\($0.0)</key><string>\($0.1)</string>" }.joined()
        let info = "<plist version=\"1.0\"><dict>\(body)</dict></plist>"
        let archive = ZipForge([
            .init("\(name).bundle/Info.plist", info), .init("\(name).bundle/a.json", content),
        ]).build().bytes
        let source = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try source.write(archive, at: 0)
        return try BundleIntake().take(source, into: target)
    }
}

extension PublishOptions {
    static func to(
        _ channel: String? = nil, rollout: Int? = nil, forcesPromotion: Bool = false, note: String? = nil
    ) -> PublishOptions {
        var options = PublishOptions()
        options.channel = channel
        options.rollout = rollout
        options.forcesPromotion = forcesPromotion
        options.remarks.note = note
        return options
    }
}

extension Registry {
    @discardableResult
    func publish(_ upload: Upload, _ request: PublishRequest = PublishRequest(by: "tester")) throws -> Publication {
        let staged = try stage()
        let taken = try upload.taken(into: staged.file)
        return try publish(taken, archive: staged, request)
    }

    @discardableResult
    func publish(
        _ version: String, _ build: String = "1", to channel: String = "stable", rollout: Int = 10_000,
        force: Bool = false, content: String? = nil
    ) throws -> Publication {
        try publish(
            Upload(version: version, build: build, content: content ?? "[\"\(version)~\(build)\"]"),
            PublishRequest(.to(channel, rollout: rollout, forcesPromotion: force), by: "tester"))
    }

    func judge(_ upload: Upload, _ request: PublishRequest = PublishRequest(by: "tester")) throws -> Publication {
        let target = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        return try judge(try upload.taken(into: target), request)
    }

    /// The keys that the channel shows, with the ranges of their buckets.
    func shown(_ channel: String = "stable", _ bundle: String = "com.example.Sample") throws -> [String] {
        try resolve(ResolveQuery(widgetIdentifier: bundle, channel: channel)).candidates.map {
            "\($0.release.key) \($0.buckets.lowerBound)-\($0.buckets.upperBound)"
        }
    }
}

/// The error with which a registry refuses, or `nil`.
func refusal<Value>(_ body: () throws -> Value) throws -> RegistryError? {
    do {
        _ = try body()
        return nil
    } catch let error as RegistryError {
        return error
    }
}

let sample = "com.example.Sample"

/// The changes that observers have received.
final class Seen: Sendable {
    private let kept: Guarded<[String]> = Guarded([])

    func add(_ line: String) { kept.withLock { $0.append(line) } }

    var lines: [String] { kept.withLock { $0 } }
}
