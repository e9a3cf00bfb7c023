import Bytes
import Dispatch
import Files
import LocalStore
import Registry
import TestSupport
import WidgetBundles

/// `RegistryBench VERB DIRECTORY …`, each prints one line of numbers:
///
///     fill DIRECTORY BUNDLES RELEASES    makes a store whose catalog has that many; nothing is printed
///     open DIRECTORY                     milliseconds to ready; private KiB then, and after 1000 readings
///     resolve DIRECTORY BUNDLES COUNT    nanoseconds for one resolution: median, and that of 99 in 100
///     publish DIRECTORY THREADS COUNT    small bundles for each second, everything on the disk
@main enum RegistryBench {
    static func main() {
        // Not thrown any further: that would be a trap, and no measurement.
        do { try run() } catch { print("error: \(error)") }
    }

    private static func run() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int) -> Int { index < words.count ? Int(words[index]) ?? 1 : 1 }
        guard words.count >= 2 else { return print("usage: RegistryBench fill|open|resolve|publish DIRECTORY …") }
        switch words[0] {
        case "fill":
            do { _ = try open(words[1]) }
            try CatalogFiller(bundles: number(2), releasesPerBundle: number(3)).fill(words[1])
        case "open": try measureOpening(words[1])
        case "resolve": try measureResolving(words[1], bundles: number(2), count: number(3))
        case "publish": try measurePublishing(words[1], threads: number(2), count: number(3))
        default: print("unknown verb \(words[0])")
        }
    }

    static func open(_ path: String) throws -> Registry {
        try Registry(opening: path, options: Registry.Options { 1 })
    }

    static func measureOpening(_ path: String) throws {
        let clock = ContinuousClock()
        var registry: Registry?
        let taken = try clock.measure {
            registry = try open(path)
            _ = try registry?.resolve(ResolveQuery(widgetIdentifier: CatalogFiller.identifier(1)))
        }
        let ready = try privateKiB()
        for number in 1...1_000 {
            _ = try? registry?.resolve(ResolveQuery(widgetIdentifier: CatalogFiller.identifier(number * 7)))
            _ = try registry?.changes(since: Int64(number), limit: 20)
        }
        print(taken / .milliseconds(1), ready, try privateKiB())
    }

    static func measureResolving(_ path: String, bundles: Int, count: Int) throws {
        let registry = try open(path)
        var random = SeededGenerator(seed: 1)
        let queries = (0..<count).map { _ in
            ResolveQuery(
                widgetIdentifier: CatalogFiller.identifier(Int.random(in: 1...bundles, using: &random)) + "-7")
        }
        let clock = ContinuousClock()
        var times: [Duration] = []
        times.reserveCapacity(count)
        for query in queries.prefix(count / 10) { _ = try registry.resolve(query) }
        for query in queries { times.append(try clock.measure { _ = try registry.resolve(query) }) }
        times.sort()
        let nanosecond = Duration.nanoseconds(1)
        print(Int(times[count / 2] / nanosecond), Int(times[count * 99 / 100] / nanosecond))
    }

    static func measurePublishing(_ path: String, threads: Int, count: Int) throws {
        let registry = try open(path)
        let failures: Guarded<[String]> = Guarded([])
        let taken = ContinuousClock().measure {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in 0..<(count / threads) {
                    do {
                        try publish(thread, number, registry)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        for failure in failures.withLock({ $0 }) { print(failure) }
        print(Int(Double(count) / (taken / .seconds(1))))
    }

    private static func publish(_ thread: Int, _ number: Int, _ registry: Registry) throws {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Bench\(thread)</string>\
            <key>CFBundleShortVersionString</key><string>1.\(number)</string></dict></plist>
            """
        let archive = ZipForge([
            .init("Bench.bundle/Info.plist", info), .init("Bench.bundle/a.json", "{\"number\": \(number)}"),
        ]).build().bytes
        let upload = try registry.stage()
        try upload.file.write(archive, at: 0)
        let staged = try registry.stage()
        let taken = try BundleIntake().take(upload.file, into: staged.file)
        _ = try registry.publish(taken, archive: staged, PublishRequest(by: "bench"))
    }

    private static func privateKiB() throws -> Int {
        let status = try FileDescriptor.reading("/proc/self/status").read(at: 0, count: 8_192)
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}
