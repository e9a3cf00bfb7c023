internal import Bytes
internal import Files
internal import JSONText
internal import WidgetBundles

/// One widget's folder in the cache. Whoever changes it holds its lock, which ends with this value.
struct WidgetFolder: ~Copyable {
    private static let stateName = "state.json"
    private static let mostItems = 4_096

    let directory: Directory

    init(_ directory: consuming Directory) {
        self.directory = directory
    }

    /// What is remembered; nothing when there is no state or what is there is none.
    ///
    /// - Throws: when it cannot be known: taking that for nothing would remove what somebody runs.
    borrowing func state() throws(FetchError) -> WidgetState {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try directory.openFile(WidgetFolder.stateName).read(at: 0, count: WidgetState.byteLimit + 1)
        } catch {
            if error.isMissing || error.isLink { return WidgetState() }
            throw FetchError(error)
        }
        if let format = WidgetState.format(of: bytes), format > WidgetState.format {
            throw FetchError(.newerState(format: format))
        }
        return (try? WidgetState(parsing: bytes)) ?? WidgetState()
    }

    borrowing func replaceState(with state: WidgetState) throws(FileError) {
        try directory.replaceFile(WidgetFolder.stateName, with: state.json, mode: WidgetCache.fileMode)
    }

    /// A release's folder, held so that nobody removes it; `nil` when there is none.
    borrowing func hold(_ record: InstalledRecord) -> Directory? {
        guard let folder = try? directory.openDirectory(record.location), (try? folder.lock(exclusively: false)) != nil
        else { return nil }
        return folder
    }

    /// A folder in which a release is made. Its lock tells it from what a crash has left.
    borrowing func stage() throws(FileError) -> ScratchDirectory {
        let staged = try ScratchDirectory(in: directory.path)
        try staged.directory.lock(exclusively: false)
        return staged
    }

    /// Puts a finished release in its place. What is there already under its name is broken, or the same; it becomes a
    /// leftover, which is swept when nobody runs it.
    borrowing func place(_ staged: consuming ScratchDirectory, as record: InstalledRecord) throws(FileError) {
        if try directory.holds(record.location) {
            try staged.commit(inPlaceOf: record.location)
        } else {
            try staged.commit(as: record.location)
        }
    }

    /// Whether something is being made here, or was when a process ended.
    var hasLeftovers: Bool {
        let items = (try? directory.items(limit: WidgetFolder.mostItems)) ?? []
        return items.contains { $0.name.hasPrefix(StagedFile.prefix) }
    }

    /// Removes what is neither in use nor being made nor run.
    borrowing func sweep(keeping state: WidgetState) {
        let kept = Set(state.records.map(\.location) + [WidgetFolder.stateName])
        // Leftovers cost room and nothing else; the next sweep meets them again.
        for item in (try? directory.items(limit: WidgetFolder.mostItems)) ?? [] where !kept.contains(item.name) {
            guard item.status.kind == .directory else {
                try? directory.removeFile(item.name)
                continue
            }
            guard let folder = try? directory.openDirectory(item.name), (try? folder.lock()) != nil else { continue }
            try? directory.removeTree(item.name)
        }
    }
}
