internal import WidgetBytes
internal import WidgetFiles
package import WidgetRegistry
package import WidgetSurroundings

/// A folder of archives that processes of several machines share, before it is known to be the right one. Nothing is made
/// in it but its mark, and the folder for that.
package final class SharedFolder: MarkedStore {
    private let path: String
    private let replica: ReplicaLock
    private let figures: StoreFigures
    private let world: World
    private let present: Guarded<(directory: StoreDirectory, blobs: DirectoryBlobs)?> = Guarded(nil)

    private static let markByteLimit = 1_024

    package init(_ path: String, _ replica: ReplicaLock, figures: StoreFigures, in world: World = .machine) {
        self.path = path
        self.replica = replica
        self.figures = figures
        self.world = world
    }

    /// The archives in the folder that is at the path now. It may have been mounted anew, or another one put in its place.
    package func opened() throws(RegistryError) -> DirectoryBlobs {
        if let present = present.withLock({ $0 }), present.directory.isInPlace { return present.blobs }
        let directory = try StoreDirectory(sharing: path, replica, in: world)
        let blobs = DirectoryBlobs(directory, figures: figures)
        present.withLock { $0 = (directory, blobs) }
        return blobs
    }

    package func mark() throws(StoreTrouble) -> String? {
        try asking { () throws(FileError) in
            let file = try Directory(opening: path).openFile(StoreNames.tie)
            return String(decoding: try file.read(at: 0, count: SharedFolder.markByteLimit), as: UTF8.self)
        }
    }

    package func setMark(_ text: String) throws(StoreTrouble) {
        let isSet = try asking { () throws(FileError) -> Bool? in
            let folder = try Directory(creating: path, mode: 0o700, isDurable: true)
            do throws(FileError) {
                try folder.replaceFile(StoreNames.tie, with: Array(text.utf8), mode: 0o600)
            } catch {
                // A full disk serves what is on it.
                let present = try folder.openFile(StoreNames.tie).read(at: 0, count: SharedFolder.markByteLimit)
                guard error.isOutOfSpace, present == Array(text.utf8) else { throw error }
            }
            try folder.synchronize()
            return true
        }
        guard isSet == true else { throw .refused("the folder is gone") }
    }

    package func holdsWhole(_ blob: StoredBlob) throws(StoreTrouble) -> Bool {
        let digest = try asking { () throws(FileError) -> Digest? in
            let shard = try Directory(opening: path).openDirectory(StoreNames.blobs)
                .openDirectory(StoreNames.shard(blob.digest))
            let file = try shard.openFile(StoredItem.blob(blob.digest).name)
            let status = try file.status()
            guard status.kind == .file, status.byteCount == blob.byteCount else { return nil }
            var sha = SHA256()
            var window = [UInt8](repeating: 0, count: 256 << 10)
            try file.forEachPiece(of: 0..<status.byteCount, through: &window) { sha.update($0) }
            return sha.finish()
        }
        return digest == blob.digest
    }

    /// - Returns: `nil` for what is not there.
    private func asking<Value>(_ body: () throws(FileError) -> Value?) throws(StoreTrouble) -> Value? {
        do throws(FileError) {
            return try body()
        } catch {
            if error.isMissing { return nil }
            throw error.isPermissionDenied || error.isReadOnly || error.isLink || error.isNotADirectory
                || error.isOutOfSpace
                ? .refused(error.reason) : .silent(error.reason)
        }
    }
}
