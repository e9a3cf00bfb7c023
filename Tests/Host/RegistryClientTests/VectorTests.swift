import Foundation
import JSONText
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistryClient
import WidgetSurroundings
import WidgetTestSupport
import WidgetTransfers
import WidgetZip

@testable import RegistryClient

/// Goal: the vectors for writers of hosts are true of this client. Method: `Examples/HostileRegistry` plays each file of
/// `Tests/Contract/vectors` on loopback, and the client goes through its steps by its public interface.
@Suite(.ownThreads, .enabled(if: ExternalTool("python3") != nil, "needs python3"))
struct `The vectors for hosts` {
    @Test(arguments: Vector.all)
    func `The client ends each step of a vector as its file says`(vector: Vector) async throws {
        let folder = try Folder()
        let registry = try await PlayedRegistry(vector)
        for (number, step) in registry.steps.enumerated() {
            try await registry.begin(number)
            let place = "\(vector), step \(number)"
            let sent = try await registry.sentByteCount()
            let result = try await Self.take(step, registry.address, folder)
            let expected = try #require(step["expect"])
            #expect(Self.texts(expected["end"]).contains(result.end), "\(place): \(result)")
            #expect(Self.texts(expected["release"]).contains(result.release), "\(place): \(result)")
            if let error = result.error {
                let reasons = Self.texts(expected["reason"]).compactMap(\.self)
                #expect(
                    reasons.isEmpty || reasons.contains { Self.says(error, $0) },
                    "\(place): \(error.code): \(error), and not \(reasons)")
            }
            if let range = expected["transferred"] {
                let count = try await registry.sentByteCount() - sent
                #expect(count >= Int(range["atLeast"]?.integer ?? 0), "\(place): \(count)")
                #expect(count <= Int(range["atMost"]?.integer ?? .max), "\(place): \(count)")
            }
            // A story has its own steps that start a release.
            if vector.kind == "hostile" { try await Self.start(result.release, registry.address, folder, place) }
        }
        try await registry.end()
    }

    /// The files of each version. Every host has them byte for byte, also after a lie.
    private static let known = Guarded([String: [String: Data]]())

    private static func files(of release: WidgetRelease) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: release.path)
        return try paths.reduce(into: [:]) { files, path in
            let url = URL(filePath: "\(release.path)/\(path)")
            if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                files[path] = try Data(contentsOf: url)
            }
        }
    }

    /// Starts what a host has after a step: the version that it has said, whole, or nothing.
    private static func start(_ version: String?, _ registry: String, _ folder: Folder, _ place: String) async throws {
        let (client, widget) = (try client(registry, folder), try WidgetID(widget))
        let release: WidgetRelease
        do throws(ClientError) {
            release = try await client.start(widget)
        } catch {
            #expect(version == nil && error.code == .nothingToStart, "\(place): \(error)")
            return
        }
        let started = try #require(release.version)
        let files = try files(of: release)
        let expected = known.withLock { known in
            known[started] = known[started] ?? files
            return known[started]
        }
        #expect(started == version && files == expected && !files.isEmpty, "\(place): \(started)")
        try await release.confirm()
    }

    @Test func `There are at least sixty hostile answers, each with a sentence about it, and a reason in the table`()
        throws
    {
        let hostile = Set(Vector.all.filter { $0.kind == "hostile" }.map(\.name))
        #expect(hostile.count >= 60)
        let readme = try String(contentsOfFile: "\(Vector.folder)/README.md", encoding: .utf8)
        for vector in Vector.all {
            let file = try vector.read()
            #expect(file["about"]?.string?.hasSuffix(".") == true, "\(vector)")
            let expectations =
                [file["empty"], file["installed"]].compactMap(\.self)
                + (file["steps"]?.array ?? []).compactMap { $0["expect"] }
            #expect(!expectations.isEmpty, "\(vector)")
            for expected in expectations {
                for reason in Self.texts(expected["reason"]).compactMap(\.self) {
                    #expect(Self.words[reason] != nil && readme.contains("`\(reason)`"), "\(vector): \(reason)")
                }
            }
        }
    }

    @Test func `The rows about addresses of archives lead to the same ones`() throws {
        for row in try #require(Vector.json("rules/addresses")["rows"]?.array) {
            let registry = try RegistryAddress(try #require(row["registry"]?.string))
            let found = try? registry.resolving(try #require(row["url"]?.string))
            #expect(found.map { "\($0)" } == row["address"]?.string, "\(row)")
        }
    }

    @Test func `The rows about buckets and content digests are computed alike`() throws {
        let buckets = try Vector.json("rules/buckets")
        for row in try #require(buckets["rows"]?.array) {
            let bucket = Rollout.bucket(
                installation: try #require(row["installation"]?.string),
                bundleIdentifier: try #require(row["bundle"]?.string), salt: try #require(row["salt"]?.string))
            #expect(bucket == row["bucket"]?.integer.map { Int($0) })
        }
        let fleet = try #require(buckets["fleet"])
        let places = try (0..<Int(try #require(fleet["count"]?.integer))).map { number in
            Rollout.bucket(
                installation: String(try #require(Digest.sha256(Array("\(number)".utf8))).hex.prefix(32)),
                bundleIdentifier: try #require(fleet["bundle"]?.string), salt: try #require(fleet["salt"]?.string))
        }
        #expect(Digest.sha256(places.flatMap { Array("\($0)\n".utf8) })?.hex == fleet["sha256"]?.string)
        #expect(places.count { $0 < 3_000 } == fleet["inRollout"]?.integer.map { Int($0) })
        for row in try #require(Vector.json("rules/digests")["rows"]?.array) {
            let files = try #require(row["files"]?.array).map { file in
                (path: try #require(file["path"]?.string), bytes: Array(try #require(file["text"]?.string).utf8))
            }
            var content = ContentDigest()
            for file in files.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
                content.add(
                    path: file.path, byteCount: file.bytes.count, digest: try #require(Digest.sha256(file.bytes)))
            }
            #expect(content.finish()?.hex == row["content"]?.string)
        }
    }

    @Test func `The rows about ranges are asked for and expanded alike`() throws {
        let table = try Vector.json("rules/ranges")
        let archive = Array(try #require(table["archive"]?.string.flatMap { Data(base64Encoded: $0) }))
        let source = try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        try source.write(archive, at: 0)
        let rows = try #require(table["rows"]?.array)
        #expect(Set(rows.map { $0["file"]?["method"]?.string }) == ["deflate", "stored"])
        for row in rows {
            let listed = try #require(row["file"])
            var file = FileDocument()
            file.path = try #require(listed["path"]?.string)
            file.method = try #require(listed["method"]?.string)
            file.byteCount = Int(try #require(listed["size"]?.integer))
            file.offset = Int(try #require(listed["offset"]?.integer))
            file.compressedByteCount = Int(try #require(listed["compressedSize"]?.integer))
            file.digest = try #require(listed["sha256"]?.string.flatMap(Digest.init(hex:)))
            var candidate = ReleaseCandidate()
            candidate.files = [file]
            let asked = UpdatePlan(candidate, held: []).ranges.map { "bytes=\($0.lowerBound)-\($0.upperBound - 1)" }
            #expect(asked == [row["range"]?.string].compactMap(\.self))
            var bytes: [UInt8] = []
            var reader = try ZipEntryReader()
            _ = try reader.read(
                try ZipName(file.path, limits: ZipLimits()), method: file.method == "stored" ? .stored : .deflate,
                byteCount: file.byteCount, dataRange: file.dataRange, from: source
            ) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in chunk.indices { bytes.append(chunk[index]) }
            }
            #expect(String(decoding: bytes, as: UTF8.self) == row["text"]?.string)
            #expect(Digest.sha256(bytes) == file.digest)
        }
    }

    // MARK: Steps

    /// The end of a step: `new`, `same`, `failed`; or `started`, `builtIn`, `stopped`, `nothing`.
    struct Result: Sendable {
        var end: String
        var release: String?
        var error: ClientError?
    }

    private static let widget = "com.example.Counter-1"

    /// Does a step as a separate process would: nothing is kept but the cache.
    private static func take(_ step: JSONValue, _ registry: String, _ folder: Folder) async throws -> Result {
        let cache = "\(folder.path)/cache"
        if let name = step["installation"]?.string {
            try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
            try Data("\(name)\n".utf8).write(to: URL(filePath: "\(cache)/installation"))
        }
        let client = try client(registry, folder, pin: step["pin"]?.string)
        let id = try WidgetID(widget)
        if step["do"]?.string == "update" {
            switch await client.update(id) {
            case .newData(let release): return Result(end: "new", release: release.version)
            case .noData(let release): return Result(end: "same", release: release.version)
            case .failed(let error, let release): return Result(end: "failed", release: release?.version, error: error)
            }
        }
        do throws(ClientError) {
            let release = try await client.start(id, builtIn: step["builtIn"] == nil ? nil : "/usr/share/BuiltIn.zip")
            switch step["then"]?.string {
            case "confirm": try await release.confirm()
            case "reject": try await release.reject()
            default: break
            }
            return Result(end: release.origin == .builtIn ? "builtIn" : "started", release: release.version)
        } catch {
            return Result(end: error.code == .stopped ? "stopped" : "nothing", error: error)
        }
    }

    /// A client of the cache in a folder. It waits for no time to pass.
    private static func client(_ registry: String, _ folder: Folder, pin: String? = nil) throws -> WidgetClient {
        var options = ClientOptions()
        options.pin = pin
        return try WidgetClient(
            registry: registry, cache: "\(folder.path)/cache", options: options, transport: CurlTransport(),
            in: .skipping())
    }

    /// One value, or a list of those that are right.
    private static func texts(_ value: JSONValue?) -> [String?] {
        guard let value else { return [nil] }
        return value.array?.map(\.string) ?? [value.string]
    }

    /// The codes of the client and a part of its sentence, for each reason of the vectors.
    private static let words: [String: ([ClientError.Code], String)] = [
        "malformedDocument": ([.untrusted], "cannot be read"), "contradiction": ([.untrusted], "contradicts itself"),
        "foreignBundle": ([.untrusted], "identifier does not begin"), "pinMismatch": ([.untrusted], "is allowed"),
        "anotherBundle": ([.untrusted], "whose releases came from"), "staleSequence": ([.untrusted], "has been seen"),
        "sequenceJump": ([.untrusted], "jumps from"), "sequenceRewritten": ([.untrusted], "another release in state"),
        "foreignAddress": ([.untrusted], "not at the registry"),
        "redirectedElsewhere": ([.untrusted], "another origin"),
        "redirectRefused": ([.untrusted], ""), "wrongSize": ([.untrusted], "bytes and not"),
        "wrongDigest": ([.untrusted], "SHA-256 is"), "wrongContent": ([.untrusted], "the content digest is"),
        "wrongIdentity": ([.untrusted], "what arrived is"), "bundle": ([.invalidBundle], "the bundle is refused"),
        "transfer": ([.untrusted, .unreachable, .invalidAddress], ""),
        "status": ([.notFound, .unavailable], "answers"),
        "archiveGone": ([.notFound], "does not have it"), "nothingOffered": ([.nothingOffered], ""),
        "withdrawn": ([.withdrawn], ""), "stopped": ([.stopped], ""), "nothingToStart": ([.nothingToStart], ""),
        "startFailed": ([.startFailed], ""),
    ]

    private static func says(_ error: ClientError, _ reason: String) -> Bool {
        guard let (codes, part) = words[reason] else { return false }
        return codes.contains(error.code) && (part.isEmpty || error.description.contains(part))
    }
}

/// A file of vectors, and the run of it: to a host without a release, to one with a release, or its steps.
struct Vector: Sendable, CustomTestStringConvertible {
    let kind: String
    let name: String
    let run: String

    var testDescription: String { "\(name), \(run)" }

    static let folder = "\(Corpus.repositoryRoot)/Tests/Contract/vectors"

    static let all: [Vector] = ["hostile", "stories"].flatMap { kind in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")) ?? []
        return names.sorted().flatMap { file in
            let name = String(file.prefix { $0 != "." })
            let json = try? json("\(kind)/\(name)")
            return ["empty", "installed", "steps"].filter { json?[$0] != nil }.map {
                Vector(kind: kind, name: name, run: $0)
            }
        }
    }

    static func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: "\(folder)/\(path).json"))))
    }

    func read() throws -> JSONValue { try Vector.json("\(kind)/\(name)") }
}

/// A registry of the example, which plays one run.
private struct PlayedRegistry {
    let address: String
    let steps: [JSONValue]

    private static let client = TransferClient(transport: CurlTransport(), in: .skipping())
    /// The program, which ends with its input. Both are kept until the tests have ended.
    private static let program = Swift.Result { try Program() }

    private struct Program {
        let address: String
        private let process = ChildProcess()
        private let input = Pipe()

        init() throws {
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [
                "python3", "\(Corpus.repositoryRoot)/Examples/HostileRegistry/registry.py", "--attended",
            ]
            process.standardInput = .pipe(input)
            process.standardOutput = .pipe(output)
            try process.run()
            address = try #require(output.firstLines(1).first)
        }
    }

    init(_ vector: Vector) async throws {
        let play = "\(try Self.program.get().address)/play/\(vector.kind)/\(vector.name)/\(vector.run)"
        let answer = try JSONValue(parsing: try await Self.ask(.post, play))
        address = try #require(answer["registry"]?.string)
        steps = try #require(answer["steps"]?.array)
    }

    func begin(_ step: Int) async throws { _ = try await Self.ask(.post, "\(address)/-/step/\(step)") }
    func end() async throws { _ = try await Self.ask(.post, "\(address)/-/end") }

    /// The bytes of archives that it has sent.
    func sentByteCount() async throws -> Int {
        let log = try JSONValue(parsing: try await Self.ask(.get, "\(address)/-/log"))
        return (log.array ?? []).reduce(0) { $0 + Int($1["bytes"]?.integer ?? 0) }
    }

    private static func ask(_ method: TransferMethod, _ url: String) async throws -> [UInt8] {
        let answer = try await client.send(
            TransferRequest(method, try TransferURL(url), body: method == .post ? .bytes([]) : nil))
        let bytes = try await answer.body.collect()
        try #require(answer.head.status < 300, "\(answer.head.status): \(String(decoding: bytes, as: UTF8.self))")
        return bytes
    }
}
