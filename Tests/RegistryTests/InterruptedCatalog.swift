import Bytes
import Registry

/// A catalog in which someone else writes just before a write.
final class InterruptedCatalog: ReleaseCatalog {
    typealias Interruption = @Sendable (any CatalogEditor) throws(RegistryError) -> Void

    private let catalog: any ReleaseCatalog
    private let next: Guarded<Interruption?> = Guarded(nil)
    private let count = Guarded(0)

    init(_ catalog: any ReleaseCatalog) { self.catalog = catalog }

    /// Writes that were asked for, and those that came between.
    var writes: Int { count.withLock { $0 } }

    /// Has the next write come after this one.
    func interrupt(_ body: @escaping Interruption) { next.withLock { $0 = body } }

    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try catalog.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let interruption = next.withLock { next in
            defer { next = nil }
            return next
        }
        if let interruption {
            count.withLock { $0 += 1 }
            try catalog.write { editor, _ throws(RegistryError) in try interruption(editor) }
        }
        count.withLock { $0 += 1 }
        return try catalog.write(body)
    }

    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { catalog.follow(observer) }

    func complaints() throws(RegistryError) -> [String] { try catalog.complaints() }

    func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }

    func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
}
