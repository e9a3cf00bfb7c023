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

    /// What is remembered; nothing if it cannot be read.
    borrowing func state() -> WidgetState {
        guard let file = try? directory.openFile(WidgetFolder.stateName),
            let bytes = try? file.read(at: 0, count: WidgetState.byteLimit + 1),
            let state = try? WidgetState(parsing: bytes)
        else { return WidgetState() }
        return state
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

    /// Puts a finished release in its place. What is there already under its name is broken, or the same.
    borrowing func place(_ staged: consuming ScratchDirectory, as record: InstalledRecord) throws(FileError) {
        if let _ = try? directory.openDirectory(record.location) { try directory.removeTree(record.location) }
        try staged.commit(as: record.location)
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
