import LocalStore
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings

/// Reads any bytes as what a registry finds on its disk: the notes beside archives, and a backup.
///
/// A trap anywhere is a finding; so is a note that says something else when it is written again, a backup that is taken
/// although its parts were never proven, and a refusal that is not about the backup.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRegistry(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // The engine lends its bytes for this call; they are copied at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let note = Sidecar(parsing: bytes) {
        precondition(Sidecar(parsing: note.bytes) == note, "a sidecar says something else when it is written again")
    }
    if let note = Tombstone(parsing: bytes) {
        precondition(Tombstone(parsing: note.bytes) == note, "a tombstone says something else when it is written again")
    }
    do {
        let file = try FileDescriptor.unnamed(inDirectory: "/dev/shm")
        try file.write(bytes, at: 0)
        restore(file)
    } catch {
        preconditionFailure("no file: \(error)")
    }
    return 0
}

/// Always into the same place, which stays empty unless a backup is whole.
private let place = makePlace()

private func makePlace() -> ScratchDirectory {
    do {
        return try ScratchDirectory(in: "/dev/shm")
    } catch {
        preconditionFailure("no place to restore to: \(error)")
    }
}

private func restore(_ file: consuming FileDescriptor) {
    do throws(RegistryError) {
        _ = try Registry.restore(
            place.path, from: file, options: Registry.Options(in: World(clock: ManualClock(date: .seconds(1_000_000))))
        ) { _, _ in }
    } catch {
        guard case .invalidBackup = error else { preconditionFailure("refused for another reason: \(error)") }
    }
}
