import Dispatch
import Glibc
import HTTPWire
import RegistryServer
import WidgetBytes
import WidgetHTTPServer
import WidgetLogging
import WidgetSockets

/// The engine with routes to measure it by: contents from memory and from files, everything else as in
/// production. Never shipped.
///
///     BenchServer HOST:PORT WORKERS DIRECTORY
///
/// Every file in DIRECTORY is served from disk at `/file/NAME`, and files up to 16 KiB from memory at
/// `/memory/NAME`, with the header that nginx gives them, byte for byte where that can be.
@main
enum BenchServer {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let workers = Int(arguments[2]) else {
            print("usage: BenchServer HOST:PORT WORKERS DIRECTORY")
            exit(2)
        }
        // As in production: sendfile has no flag that keeps a client's leaving from being a signal.
        signal(SIGPIPE, SIG_IGN)
        let logger = Logger(level: .notice, format: .json)
        let health = ServerHealth(readiness: ReadinessChecks([])) {
            RegistryDescription(server: "bench", limits: [], keptFiles: [], snapshotChannels: [], reads: "public")
        }
        var routes = Routes()
        health.add(to: &routes)
        let contents = try Contents(directory: arguments[3])
        routes.get("/memory/{name}", contents.fromMemory)
        routes.get("/file/{name}", contents.fromFile)
        routes.get("/metrics") { _ in health.metricsAnswer() }
        let server = try Server(
            listeners: [ServerListener(try Endpoint(arguments[1]), routes: routes)], limits: ServerLimits(),
            workers: workers, serverName: "widgetd", logger: logger, logsRequests: false,
            explain: { ProblemCatalogue.problem($0) })
        health.attach(server)
        server.start()
        // Until a signal ends the process. `dispatchMain` would end the main thread, which profilers do not survive.
        withExtendedLifetime(server) { DispatchSemaphore(value: 0).wait() }
    }
}

/// The files of a directory, opened once.
final class Contents: Sendable {
    private let memory: [String: Resource]
    private let files: [String: Resource]

    init(directory: String) throws {
        var memory: [String: Resource] = [:]
        var files: [String: Resource] = [:]
        for name in try Contents.names(directory) {
            let path = "\(directory)/\(name)"
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { continue }
            let size = status.st_size
            let changed = Int64(status.st_mtim.tv_sec)
            // nginx compares If-None-Match only with tags that it has made itself, so these are made as it makes them.
            let tag = "\"\(String(changed, radix: 16))-\(String(size, radix: 16))\""
            let fields = FieldBlock([
                "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
                // As long as what nginx cannot be kept from saying: `Connection: keep-alive`, less the two letters
                // by which our name is longer.
                "Padding": "-----------",
            ])
            let validators = Validators(entityTag: tag, lastModified: changed)
            files[name] = Resource(
                mediaType: "application/zip", content: .file(OpenFile(owning: descriptor), offset: 0, count: size),
                validators: validators, fields: fields, rangePolicy: .always)
            guard size <= 16_384 else { continue }
            var bytes = [UInt8](repeating: 0, count: size)
            guard unsafe pread(descriptor, &bytes, size, 0) == size else { continue }
            memory[name] = Resource(
                mediaType: "application/zip", content: .bytes(bytes), validators: validators, fields: fields,
                rangePolicy: .always)
        }
        self.memory = memory
        self.files = files
    }

    func fromMemory(_ request: borrowing Request, _ name: String) -> Answer {
        memory[name].map { .resource($0) } ?? .refused(.noRoute)
    }

    func fromFile(_ request: borrowing Request, _ name: String) -> Answer {
        files[name].map { .resource($0) } ?? .refused(.noRoute)
    }

    private static func names(_ directory: String) throws -> [String] {
        guard let listing = unsafe opendir(directory) else {
            print("no such directory: \(directory)")
            exit(2)
        }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
