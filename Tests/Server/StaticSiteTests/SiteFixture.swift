import Foundation
import LocalStore
import RegistryClient
import RegistryContract
import RegistryServer
import StaticSite
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers

/// A registry in a temporary folder, and the folder that its site is exported to.
final class SiteFixture: Sendable {
    let registry: Registry
    let clock = ManualClock(date: .seconds(1_800_000_000))
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let clock = clock
        registry = try Registry(
            opening: "\(scratch.path)/data", options: Registry.Options(in: World(clock: clock)), holder: "the test")
    }

    var site: String { "\(scratch.path)/export" }
    var data: String { "\(scratch.path)/data" }

    /// Publishes a release with one file of some size, and returns its digest.
    @discardableResult
    func publish(
        _ version: String, of identifier: String = "com.example.Sample", to channel: String = "stable",
        rollout: Int = 10_000, minimumOS: String? = nil, content: String? = nil
    ) throws -> Digest {
        let staged = try registry.stage()
        var members = [
            ("CFBundleIdentifier", identifier), ("CFBundleShortVersionString", version), ("CFBundleVersion", "1"),
        ]
        if let minimumOS { members.append(("MinimumOSVersion", minimumOS)) }
        let body = members.map { "<key>\($0.0)</key><string>\($0.1)</string>" }.joined()
        let noise = (0..<400).map { "\"\(Digest.sha256(Array("\($0)".utf8))?.hex ?? "")\"" }.joined(separator: ",")
        let archive = ZipForge([
            .init("Sample.bundle/Info.plist", "<plist version=\"1.0\"><dict>\(body)</dict></plist>"),
            .init("Sample.bundle/Scheme.json", content ?? "[\"\(identifier) \(version)\"]"),
            .init("Sample.bundle/same.json", "[\(noise)]"),
        ]).build().bytes
        let source = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try source.write(archive, at: 0)
        let taken = try BundleIntake().take(source, into: staged.file)
        var options = PublishOptions()
        options.channel = channel
        options.rollout = rollout
        return try registry.publish(taken, archive: staged, PublishRequest(options, by: "tester")).release.digest
    }

    @discardableResult
    func export(_ change: (inout SiteOptions) -> Void = { _ in }) throws -> SiteReport {
        try export(from: RegistrySite(registry), change)
    }

    @discardableResult
    func export(
        from source: some SiteSource, _ change: (inout SiteOptions) -> Void = { _ in }
    ) throws -> SiteReport {
        var options = SiteOptions(channels: ["stable"], grace: 3_600, now: clock.seconds)
        options.suffixes = ["-1"]
        change(&options)
        return try SiteExport(of: source, into: site, options).run()
    }

    func pass(seconds: Int64) { clock.advance(by: .seconds(seconds)) }

    // MARK: The site

    /// The paths of all files and links in the site, with their inodes and times.
    func files() throws -> [String: FileStatus] {
        var found: [String: FileStatus] = [:]
        for path in FileManager.default.enumerator(atPath: "\(site)/site")?.compactMap({ $0 as? String }) ?? [] {
            let parts = path.split(separator: "/")
            let parent = "\(site)/site/\(parts.dropLast().joined(separator: "/"))"
            let status = try Directory(opening: parent).status(of: String(parts.last ?? ""))
            if status.kind != .directory { found[path] = status }
        }
        return found
    }

    func document(_ path: String) throws -> String {
        try String(contentsOfFile: "\(site)/site/\(path)", encoding: .utf8)
    }

    /// A host of the site, with a cache that stays as long as this is there.
    func host(_ server: SiteServer, _ change: (inout FetchOptions) -> Void = { _ in }) throws -> WidgetFetcher {
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 1)
        change(&options)
        let cache = try WidgetCache(at: "\(scratch.path)/cache-\(UInt64.random(in: 0 ... .max))", limits: CacheLimits())
        return WidgetFetcher(registry: try RegistryAddress(server.address), cache: cache, options: options)
    }
}

extension UpdateResult {
    var error: FetchError? { if case .failed(let error, _) = self { error } else { nil } }
    var cost: UpdateCost? { if case .newData(_, let cost) = self { cost } else { nil } }
    var isSame: Bool { if case .noData = self { true } else { false } }
}

/// A source that has a fault.
struct FaultySource: SiteSource {
    let source: RegistrySite
    /// Called before each question, with its words.
    var before: @Sendable (String) throws(SiteError) -> Void = { _ in }
    /// Changes the bytes of archives.
    var damages = false

    func bundles(after last: String?) throws(SiteError) -> (identifiers: [String], next: String?) {
        try before("bundles")
        return try source.bundles(after: last)
    }

    func resolution(of widget: String, channel: String) throws(SiteError) -> [UInt8]? {
        try before("resolution \(widget)")
        return try source.resolution(of: widget, channel: channel)
    }

    func offers(_ digest: Digest) throws(SiteError) -> Bool {
        try before("offers")
        return try source.offers(digest)
    }

    func copy(_ digest: Digest, into file: borrowing StagedFile) throws(SiteError) -> Bool {
        try before("copy")
        let isThere = try source.copy(digest, into: file)
        if damages { try rethrowing(try file.file.write([0xFF], at: 10), as: SiteError.file) }
        return isThere
    }
}
