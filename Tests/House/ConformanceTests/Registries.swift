import ConformanceSupport
import Foundation
import Synchronization
import Testing
import WidgetTestSupport

/// The servers that cases share; each case has its own bundles on them.
enum Registries {
    private static let opened = Result { try GivenRegistry.open() ?? Registry() }
    private static let celled = Result {
        try GivenRegistry.open()
            ?? Registry(executable: BuiltProgram("widgetd").url.path)
    }
    private static let closed = Result { try Registry(["WIDGETD_ACCESS_READ": "token"]) }
    private static let small = Result {
        try Registry([
            "WIDGETD_LIMITS_UPLOAD": "32KiB", "WIDGETD_LIMITS_EXPANDED": "128KiB", "WIDGETD_LIMITS_FILE": "64KiB",
            "WIDGETD_LIMITS_ENTRIES": "8", "WIDGETD_LIMITS_PATH_DEPTH": "4", "WIDGETD_LIMITS_PATH_LENGTH": "64",
            "WIDGETD_LIMITS_PARSED_FILE": "2KiB", "WIDGETD_LIMITS_HEADER_COUNT": "20",
            "WIDGETD_LIMITS_REQUEST_LINE": "512", "WIDGETD_LIMITS_HEADER": "512", "WIDGETD_LIMITS_HEADERS": "2KiB",
            "WIDGETD_LIMITS_HEAD_TIMEOUT": "1s", "WIDGETD_LIMITS_IDLE_TIMEOUT": "1s",
            "WIDGETD_LIMITS_RATE_WINDOW": "1s", "WIDGETD_LIMITS_CONCURRENT_UPLOADS": "64",
        ])
    }
    private static let counting = Result {
        try Registry([
            "WIDGETD_RATE_LIMIT": "on", "WIDGETD_LIMITS_WRITES_PER_MINUTE": "10",
            "WIDGETD_LIMITS_FAILED_AUTHENTICATIONS_PER_MINUTE": "5", "WIDGETD_PROXY_TRUSTED": "127.0.0.1",
        ])
    }
    private static let wide = Result { try Registry(["WIDGETD_LIMITS_CONCURRENT_UPLOADS": "64"]) }
    private static let full = Result { try Registry(["WIDGETD_LIMITS_DISK_RESERVE": "1TiB"], when: "/livez") }

    /// A server that the suite makes, with settings of its making.
    private static func own(_ server: Result<Registry, any Error>) throws -> Registry {
        try GivenRegistry.requireNone("other settings")
        return try server.get()
    }

    /// Reading needs no token, and nothing is counted.
    static func open() throws -> Registry { try opened.get() }
    /// The same, and bundles are reviewed in confined processes, as those of strangers are.
    static func confined() throws -> Registry { try celled.get() }
    /// Reading needs a token.
    static func reserved() throws -> Registry { try own(closed) }
    /// Every limit is small.
    static func narrow() throws -> Registry { try own(small) }
    /// There are places for many uploads at once.
    static func roomy() throws -> Registry { try own(wide) }
    /// Writes and failed authentications are counted by address, and this machine is a trusted proxy.
    static func counted() throws -> Registry { try own(counting) }
    /// There is never enough room on the disk.
    static func filled() throws -> Registry { try own(full) }

    private static let demonstrating = Result { try Registry() }

    /// With the demo bundle alone, whose identifier is given.
    static func demo() throws -> Registry { try own(demonstrating) }

    /// Asks until the first 429, and expects the status before it as often as the limit of a minute allows, and once for
    /// each part of the allowance that came back meanwhile.
    static func expectLimit(_ limit: Int, of expected: Int, _ status: (Int) throws -> Int?) rethrows {
        let start = ContinuousClock.now
        var statuses: [Int?] = []
        repeat { statuses.append(try status(statuses.count)) } while statuses.last == expected && statuses.count < 100
        let back = Int((ContinuousClock.now - start) / .seconds(60) * Double(limit))
        #expect(statuses.last == 429 && (limit...limit + back).contains(statuses.count - 1), "\(statuses)")
    }

    private static let count = Atomic<Int>(0)

    /// An identifier that no other case uses, nor begins with.
    static func identifier(_ name: String = "Widget") -> String {
        "\(GivenRegistry.run)case\(count.add(1, ordering: .relaxed).newValue).example.\(name)"
    }
}

/// An identifier for one case.
func fresh(_ name: String = "Widget") -> String { Registries.identifier(name) }

/// Archives of unusual form.
enum ForgedArchive {
    static func of(_ files: [(String, [UInt8])], stored: Bool = false) -> [UInt8] {
        ZipForge(files.map { .init(Array($0.0.utf8), $0.1, stored: stored) }).build().bytes
    }
}

/// Text that hardly compresses, and is always the same.
enum Noise {
    static func text(_ count: Int) -> String {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { _ in String(generator.next() % 36, radix: 36) }.joined()
    }
}
