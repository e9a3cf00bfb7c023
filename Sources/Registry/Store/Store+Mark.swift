internal import Files

extension Store {
    private static let markWidth = 20

    /// The tag of the last change that was ever told here; `nil` when nobody has noted one.
    var markedTag: Int64? {
        guard let bytes = try? mark.read(at: 0, count: Store.markWidth) else { return nil }
        return Int64(String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// Always as many bytes, so that a full disk does not matter. That it fails is no harm: it only guards.
    func setMark(_ tag: Int64) {
        let digits = Array(String(tag).utf8)
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: max(0, Store.markWidth - digits.count))
        try? mark.write(padding + digits, at: 0)
    }

    // MARK: Commands that replace the catalog

    /// The command that did not finish.
    func unfinishedCommand() throws(RegistryError) -> String? {
        guard try status(of: StoreNames.unfinished) != nil else { return nil }
        let text = try storing { () throws(FileError) in
            try root.openFile(StoreNames.unfinished).read(at: 0, count: 32)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Notes what is about to be done; until it is taken back, nobody serves from here.
    private func beginReplacing(_ command: String) throws(RegistryError) {
        try storing { () throws(FileError) in
            try root.replaceFile(StoreNames.unfinished, with: Array(command.utf8), mode: 0o600)
        }
    }

    /// Puts a catalog that is complete in the place of the one there is, of which a copy stays in quarantine.
    ///
    /// What is in the blobs' folder and not in the new catalog stays for as long as the next collection of garbage is
    /// away, so that there is time to take it in.
    ///
    /// - Parameters:
    ///   - catalog: has everything in it, and nothing beside it.
    ///   - time: now, which tells people when this copy was replaced.
    func replaceCatalog(
        with catalog: borrowing StagedFile, latestTag: Int64, at time: Int64, for command: String
    ) throws(RegistryError) {
        try beginReplacing(command)
        try storing { () throws(FileError) in
            try catalog.settle(mode: 0o600)
            try root.replaceFile(StoreNames.lastRun(.gc), with: Array("\(time)\n".utf8), mode: 0o600)
            var present: [(name: String, inode: UInt64)] = []
            for file in StoreNames.catalogFiles {
                do throws(FileError) {
                    present.append((file, try root.status(of: file).inode))
                } catch {
                    if !error.isMissing { throw error }
                }
            }
            // Two may be replaced within a second, but a file that is still there shares its number with none. SQLite
            // knows the files of one catalog by their names, so all get the number of the first.
            for file in present {
                let name = "replaced-\(time)-\(present[0].inode)-\(file.name)"
                try root.rename(file.name, to: name, in: quarantine, replacing: true)
            }
            try catalog.move(to: StoreNames.catalog, in: root)
            try root.synchronize()
            setMark(latestTag)
            try mark.synchronize()
            try root.removeFile(StoreNames.unfinished)
            try root.synchronize()
        }
    }
}
