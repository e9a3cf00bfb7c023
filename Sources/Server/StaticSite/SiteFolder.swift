internal import RegistryContract
internal import WidgetBytes
internal import WidgetFiles

/// The folder of a site: `site`, which a web server serves, and beside it the server's configuration, the record for the
/// next export, and files in the making. Names in `site` are the paths of a registry.
struct SiteFolder: ~Copyable {
    private let folder: Directory
    private let root: Directory
    private let staging: Directory
    private let blobs: Directory
    /// The second that files written now have as their time.
    private let clock: Int64
    private(set) var record: SiteRecord

    static let rootName = "site"
    /// The folders on the way to archives, as in the registry's path.
    private static let blobNames = RegistryPath.blob(hex: "").split(separator: "/").map(String.init)
    private static let recordName = "site.json"
    private static let configurationName = "nginx.conf"
    private static let stagingName = "in-progress"

    private init(_ path: String, now: Int64) throws(FileError) {
        let folder = try Directory(creating: path, isDurable: true)
        guard try folder.tryLock() else { throw FileError(.lock, subject: path, code: 0) }
        var record = SiteRecord()
        if try folder.holds(SiteFolder.recordName) {
            let file = try folder.openFile(SiteFolder.recordName)
            let bytes = try file.read(at: 0, count: min(file.status().byteCount, SiteRecord.byteLimit))
            // Without it, the wait of superseded archives begins anew.
            record = SiteRecord(parsing: bytes) ?? SiteRecord()
        } else if try folder.items(limit: 0) == nil {
            throw FileError(.list, subject: path, code: 0)
        }
        record.clock = max(now, record.clock.adding(1) ?? now)
        try folder.replaceFile(SiteFolder.recordName, with: record.bytes)
        // Leftovers of an export that was cut short.
        if try folder.holds(SiteFolder.stagingName) { try folder.removeTree(SiteFolder.stagingName) }
        let staging = try folder.createDirectory(SiteFolder.stagingName, mode: 0o700)
        let root = try folder.createDirectory(SiteFolder.rootName)
        let blobs = try SiteFolder.make(SiteFolder.blobNames, in: root)
        try folder.synchronize()
        self.folder = folder
        self.root = root
        self.staging = staging
        self.blobs = blobs
        clock = record.clock
        self.record = record
    }

    /// Opens the folder, or makes it, for one export at a time.
    static func open(_ path: String, now: Int64) throws(SiteError) -> SiteFolder {
        do throws(FileError) {
            return try SiteFolder(path, now: now)
        } catch {
            // Not the system's errors, but those above.
            if error.code == 0 { throw error.operation == .lock ? .inUse(path) : .occupied(path) }
            throw .file(error)
        }
    }

    private static func make(_ names: [String], in root: borrowing Directory) throws(FileError) -> Directory {
        var folder = try make(names[0], in: root)
        for name in names.dropFirst() { folder = try make(name, in: folder) }
        return folder
    }

    private static func make(_ name: String, in folder: borrowing Directory) throws(FileError) -> Directory {
        let isNew = try !folder.holds(name)
        let made = try folder.createDirectory(name)
        if isNew { try folder.synchronize() }
        return made
    }

    /// The folder of a channel's documents, or of the links to its archives.
    private func place(_ channel: String, _ kind: Kind) throws(FileError) -> Directory {
        try SiteFolder.make(SiteFolder.names(channel, kind), in: root)
    }

    enum Kind { case documents, links }

    static func names(_ channel: String, _ kind: Kind) -> [String] {
        let start = channel == ChannelName.standard ? [] : ["channels", channel]
        return start + (kind == .documents ? ["v1", "widgets"] : ["archives"])
    }

    // MARK: Archives

    /// The number of bytes of an archive that is in the site.
    func byteCount(of digest: Digest) throws(SiteError) -> Int? {
        try rethrowing(as: SiteError.file) { () throws(FileError) -> Int? in
            guard try blobs.holds(digest.hex) else { return nil }
            let status = try blobs.status(of: digest.hex)
            return status.kind == .file ? status.byteCount : nil
        }
    }

    /// True when the bytes of an archive of the site have its digest.
    func isIntact(_ digest: Digest) throws(SiteError) -> Bool {
        let file = try rethrowing(try blobs.openFile(digest.hex), as: SiteError.file)
        return try SiteFolder.digest(of: file) == digest
    }

    func stage() throws(SiteError) -> StagedFile {
        try rethrowing(try StagedFile(in: staging), as: SiteError.file)
    }

    /// Gives an archive its name, if its bytes have the digest.
    func place(_ archive: borrowing StagedFile, as digest: Digest) throws(SiteError) -> Bool {
        guard try SiteFolder.digest(of: archive.file) == digest else { return false }
        try rethrowing(as: SiteError.file) { () throws(FileError) in
            try archive.file.setModification(clock)
            try archive.settle()
            try archive.move(to: digest.hex, in: blobs)
        }
        return true
    }

    /// Waits until the names of all archives are on the disk, so that documents may name them.
    func settleArchives() throws(SiteError) { try rethrowing(try blobs.synchronize(), as: SiteError.file) }

    func archives() throws(SiteError) -> [Digest] {
        let items = try rethrowing(try blobs.items(limit: .max), as: SiteError.file) ?? []
        return items.compactMap { Digest(hex: $0.name) }
    }

    func removeArchive(_ digest: Digest) throws(SiteError) {
        try rethrowing(try blobs.removeFile(digest.hex), as: SiteError.file)
    }

    private static func digest(of file: borrowing FileDescriptor) throws(SiteError) -> Digest {
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 256 << 10)
        _ = try rethrowing(as: SiteError.file) { () throws(FileError) in
            try file.forEachPiece(of: 0..<file.status().byteCount, through: &window) { sha.update($0) }
        }
        guard let digest = sha.finish() else { throw .outOfMemory }
        return digest
    }

    // MARK: Documents

    func document(_ widget: String, channel: String) throws(SiteError) -> [UInt8]? {
        try rethrowing(as: SiteError.file) { () throws(FileError) -> [UInt8]? in
            let folder = try place(channel, .documents)
            guard try folder.holds(widget) else { return nil }
            let file = try folder.openFile(widget)
            return try file.read(at: 0, count: file.status().byteCount)
        }
    }

    func write(_ document: [UInt8], of widget: String, channel: String) throws(SiteError) {
        try rethrowing(as: SiteError.file) { () throws(FileError) in
            try write(document, as: widget, in: place(channel, .documents))
        }
    }

    private func write(_ bytes: [UInt8], as name: String, in folder: borrowing Directory) throws(FileError) {
        let staged = try StagedFile(in: staging)
        try staged.file.write(bytes, at: 0)
        try staged.file.setModification(clock)
        try staged.settle()
        try staged.move(to: name, in: folder)
    }

    /// Has the names of a widget's archive lead to it, for hosts that ask for nothing else.
    func link(_ widget: String, channel: String, to digest: Digest?, under names: [String]) throws(SiteError) {
        try rethrowing(as: SiteError.file) { () throws(FileError) in
            let links = try place(channel, .links)
            guard let digest, !names.isEmpty else {
                if try links.holds(widget) { try links.removeTree(widget) }
                return
            }
            let folder = try links.createDirectory(widget)
            let way = Array(repeating: "..", count: SiteFolder.names(channel, .links).count + 1)
            let path = (way + SiteFolder.blobNames + [digest.hex]).joined(separator: "/")
            var isChanged = false
            for name in names where try folder.holds(name) ? folder.linkedPath(name) != path : true {
                let temporary = "\(StagedFile.prefix)link"
                if try staging.holds(temporary) { try staging.removeFile(temporary) }
                try staging.createLink(temporary, to: path)
                try staging.rename(temporary, to: name, in: folder, replacing: true)
                isChanged = true
            }
            for item in try folder.items(limit: .max) ?? [] where !names.contains(item.name) {
                try folder.removeFile(item.name)
                isChanged = true
            }
            if isChanged { try folder.synchronize() }
        }
    }

    /// Removes the documents and links of widgets that are not among those named.
    ///
    /// - Returns: the number of documents removed.
    func removeDocuments(besides widgets: [String: Set<String>]) throws(SiteError) -> Int {
        try rethrowing(as: SiteError.file) { () throws(FileError) -> Int in
            var count = 0
            for channel in [ChannelName.standard] + (try channelNames()) {
                let kept = widgets[channel] ?? []
                let documents = try place(channel, .documents)
                for item in try documents.items(limit: .max) ?? [] where !kept.contains(item.name) {
                    try documents.removeFile(item.name)
                    count += 1
                }
                try documents.synchronize()
                let links = try place(channel, .links)
                for item in try links.items(limit: .max) ?? [] where !kept.contains(item.name) {
                    try links.removeTree(item.name)
                }
                try links.synchronize()
            }
            return count
        }
    }

    private func channelNames() throws(FileError) -> [String] {
        guard try root.holds("channels") else { return [] }
        return try root.openDirectory("channels").items(limit: .max)?.map(\.name) ?? []
    }

    // MARK: What is beside

    /// Writes the answers to questions that the site has no document for, and the configuration of a web server.
    func writeServing() throws(SiteError) {
        let configuration = try SiteServing.configuration(root: resolvedPath("\(folder.path)/\(SiteFolder.rootName)"))
        try rethrowing(as: SiteError.file) { () throws(FileError) in
            let problems = try SiteFolder.make(["problems"], in: root)
            for (name, bytes) in SiteServing.problems { try replace(name, with: bytes, in: problems) }
            try replace(SiteFolder.configurationName, with: configuration, in: folder)
            try problems.synchronize()
            try folder.synchronize()
        }
    }

    /// Writes the files of the site's page, each before those that refer to it.
    func writePage(_ files: [(path: String, bytes: [UInt8])]) throws(SiteError) {
        try rethrowing(as: SiteError.file) { () throws(FileError) in
            for file in files { try replace(file.path, with: file.bytes, in: root) }
            try root.synchronize()
        }
    }

    private func replace(_ name: String, with bytes: [UInt8], in folder: borrowing Directory) throws(FileError) {
        if try folder.holds(name) {
            let file = try folder.openFile(name)
            guard try file.read(at: 0, count: file.status().byteCount) != bytes else { return }
        }
        try write(bytes, as: name, in: folder)
    }

    /// Leaves the record for the next export.
    mutating func finish(superseded: [Digest: Int64]) throws(SiteError) {
        record.superseded = superseded
        try rethrowing(try folder.replaceFile(SiteFolder.recordName, with: record.bytes), as: SiteError.file)
    }
}
