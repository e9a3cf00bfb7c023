import LocalStore
import Testing
import WidgetConfiguration
import WidgetFiles
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import ServerCommands

/// Goal: an operator sees why a start takes long. Method: the lines of a log.
@Suite struct `Remarks about a catalog that is opened` {
    /// The lines that a body has a logger write.
    private func lines(_ body: (Logger) throws -> Void) rethrows -> [String] {
        let log = Observed<[UInt8]>([])
        let logger = Logger(
            level: .notice,
            sink: { bytes in
                log.withLock { $0 += bytes }
                return bytes.count
            })
        try body(logger)
        logger.flush()
        return String(decoding: log.value, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `A catalog of an earlier version is announced before it is changed, and when it is`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let data = "\(scratch.path)/data"
        try FileWork.copy("\(Corpus.repositoryRoot)/Tests/Corpus/kept/catalog-5/registry", to: data)
        let settings = try load(flags: ["--data", data]).settings
        let said = try lines { logger in
            let upgrade = try #require(StartRemarks.upgrade(settings, logger))
            #expect(upgrade.from == 5 && upgrade.to > 5 && upgrade.byteCount > 0)
            _ = try ServerStore.open(settings, in: .machine, logger: logger)
            StartRemarks.upgraded(upgrade, logger)
            // From then on nothing is to be said.
            let none = StartRemarks.upgrade(settings, logger)
            #expect(none == nil)
            StartRemarks.upgraded(none, logger)
        }
        #expect(said.count == 2, "\(said)")
        #expect(said.first?.contains("\"event\":\"catalog.upgrading\"") == true, "\(said)")
        #expect(said.first?.contains("\"from\":5") == true, "\(said)")
        #expect(said.last?.contains("\"event\":\"catalog.upgraded\"") == true, "\(said)")
    }

    @Test func `A database says what keeps it waiting, and which indexes are not finished`() {
        let said = lines { logger in
            StartRemarks.opening(.waiting(seconds: 61, reason: "lock timeout"), logger)
            StartRemarks.opening(.unfinished(indexes: ["release_day", "release_kept"], reason: "disk full"), logger)
        }
        #expect(said.count == 2, "\(said)")
        #expect(said.first?.contains("\"event\":\"catalog.waiting\"") == true, "\(said)")
        #expect(said.first?.contains("\"seconds\":61,\"reason\":\"lock timeout\"") == true, "\(said)")
        #expect(said.last?.contains("\"indexes\":\"release_day release_kept\"") == true, "\(said)")
    }
}
