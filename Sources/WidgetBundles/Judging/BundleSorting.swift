internal import Bytes
internal import Files
internal import JSONText
internal import Plist
internal import Zip

/// An archive being sorted into what is kept and what is stripped.
struct BundleSorting {
    struct KeptFile {
        var kind: ContentKind
        var digest: Digest
        var piece: ZipPiece
        /// Bytes of the piece's name before the path inside the folder.
        var folderByteCount: Int

        /// The path inside the folder: a part of the piece's name, not a copy.
        var location: Substring { Substring(piece.name.text.utf8.dropFirst(folderByteCount)) }
    }

    let policy: BundlePolicy
    let layout: BundleLayout
    let manifest: BundleManifest
    let name: String
    private(set) var kept: [KeptFile] = []
    private(set) var stripped: [BundleReport.Stripped] = []
    var warnings: [BundleWarning] = []

    mutating func append(_ file: KeptFile) { kept.append(file) }

    mutating func append(_ file: BundleReport.Stripped) { stripped.append(file) }

    /// Finds the bundle and reads who it is.
    init(_ directory: ZipDirectory, policy: BundlePolicy, from source: borrowing FileDescriptor) throws(BundleError) {
        self.policy = policy
        layout = try BundleLayout(directory.entries)
        let path = (layout.prefix + ["Info.plist"]).joined(separator: "/")
        guard let entry = directory.entries.first(where: { $0.name.text == path }) else {
            throw layout.missingInfoPlist(at: path, directory.entries)
        }
        let bytes = try BundleSorting.read(entry, limit: policy.limits.parsedByteCount, from: source)
        let root: PlistValue
        do throws(PlistError) {
            root = try PlistValue(parsing: bytes, limits: policy.limits.plist)
        } catch {
            throw BundleError(
                .infoPlist(error), path: path, offset: error.offset, line: error.line, column: error.column)
        }
        manifest = try BundleManifest(root, path: path, warnings: &warnings)
        if manifest.executable?.lowercased() == "info.plist" {
            throw BundleError(.infoPlistKey("CFBundleExecutable", .namesInfoPlist), path: path)
        }
        if layout.isOfXcodeArchive {
            warnings.append(
                BundleWarning(
                    .fromXcodeArchive, path: path,
                    detail: "the application was taken out of \(layout.prefix[0]), and the rest of that left out"))
        }
        if let name = layout.name {
            self.name = try BundleSorting.folderName(name, path: path)
            return
        }
        if manifest.name == nil {
            warnings.append(
                BundleWarning(
                    .nameDefaulted, path: path,
                    detail: "CFBundleName is absent; the folder is named after the identifier's last label"))
        }
        let wanted = manifest.name ?? manifest.identifier.split(separator: ".").last.map(String.init) ?? ""
        name = try BundleSorting.folderName(wanted, path: path)
    }

    /// Hosts make a folder of the name alone, too.
    private static func folderName(_ wanted: String, path: String) throws(BundleError) -> String {
        guard let judged = try? ZipName(wanted), judged.components.count == 1, !judged.isDirectory else {
            throw BundleError(.unusableName(wanted), path: path)
        }
        return judged.text
    }

    private static func makeReader() throws(BundleError) -> ZipEntryReader {
        return try rethrowing(try ZipEntryReader(), as: { (error: ZipError) in BundleError(error) })
    }

    /// Looks at every entry: first at what others refer to, then in the order of names, so that it does not
    /// matter who packed them. Of all files, one is parsed at a time.
    ///
    /// - Parameter folder: where what may be kept is written while it is read, before it is judged.
    /// - Returns: what was found in the declarative files.
    mutating func sortEntries(
        _ directory: consuming ZipDirectory, from source: borrowing FileDescriptor,
        unpackingTo folder: FolderWriter? = nil,
        progress: BundleIntake.Progress
    ) throws(BundleError) -> [Finding] {
        let judge = ContentJudge(policy: policy, manifest: manifest)
        var scan = FindingScan()
        var done = 0
        var reader = try BundleSorting.makeReader()
        let expandedByteCount = directory.expandedByteCount
        // An entry is forgotten when it is sorted, so that a name and the one it is kept under are not both held.
        var waiting: [ZipEntry?] = (consume directory).sortedEntries()
        for entry in waiting { if let entry { warn(about: entry) } }
        kept.reserveCapacity(waiting.count)
        for isFirst in [true, false] {
            for index in waiting.indices {
                guard let entry = waiting[index], FindingScan.comesFirst(entry.name.text) == isFirst else { continue }
                waiting[index] = nil
                guard !entry.isDirectory else {
                    _ = try BundleSorting.verify(entry, &reader, from: source)
                    continue
                }
                switch try sort(entry, judge: judge, &reader, from: source, unpackingTo: folder) {
                case .document(let document)?: scan.read(String(kept[kept.count - 1].location), document)
                case .interface(let bytes)?: scan.read(interface: bytes)
                case nil: break
                }
                done += entry.byteCount
                progress(done, expandedByteCount)
            }
        }
        kept.sort { $0.piece.name < $1.piece.name }
        return scan.findings
    }
}
