internal import JSONText
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetFindings
internal import WidgetPlist
internal import WidgetZip

/// An archive whose entries are being divided into kept and stripped ones.
struct BundleSorting {
    struct KeptFile {
        var kind: ContentKind
        var digest: Digest
        var piece: ZipPiece
        /// The length in bytes of the folder's part of the piece's name.
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

    /// Finds the bundle and reads its identity.
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
            root = try PlistReading(
                parsing: bytes, limits: policy.limits.plist, decisive: BundleManifest.decisiveKeys
            ).value
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

    /// Returns a folder's name that is safe on its own, because hosts make a folder of it.
    private static func folderName(_ wanted: String, path: String) throws(BundleError) -> String {
        guard let judged = try? ZipName(wanted), judged.components.count == 1, !judged.isDirectory else {
            throw BundleError(.unusableName(wanted), path: path)
        }
        return judged.text
    }

    private static func makeReader() throws(BundleError) -> ZipEntryReader {
        return try rethrowing(try ZipEntryReader(), as: { (error: ZipError) in BundleError(error) })
    }

    /// Sorts every entry: first those that others refer to, then in the order of names, so that the packer's order does
    /// not matter. Only one file is parsed at a time.
    ///
    /// - Parameter folder: receives files that may be kept while they are read, before they are judged.
    /// - Returns: the findings in the declarative files.
    mutating func sortEntries(
        _ directory: consuming ZipDirectory, from source: borrowing FileDescriptor,
        unpackingTo folder: (any UnpackingTarget)? = nil,
        progress: BundleIntake.Progress
    ) throws(BundleError) -> [Finding] {
        let judge = ContentJudge(policy: policy, manifest: manifest)
        var scan = FindingScan()
        var done = 0
        var reader = try BundleSorting.makeReader()
        let expandedByteCount = directory.expandedByteCount
        // An entry is released when it is sorted, so that a name and the one under which it is kept are not both in
        // memory.
        var waiting: [ZipEntry?] = (consume directory).sortedEntries().map { $0 }
        warnOfUnmarkedNames(in: waiting)
        for entry in waiting { if let entry { warn(about: entry) } }
        kept.reserveCapacity(waiting.count)
        for index in waiting.indices {
            guard let entry = waiting[index] else { continue }
            waiting[index] = nil
            guard !entry.isDirectory else {
                _ = try BundleSorting.verify(entry, &reader, from: source)
                continue
            }
            switch try sort(entry, judge: judge, &reader, from: source, unpackingTo: folder) {
            case .document(let document)?: scan.read(String(kept[kept.count - 1].location), document)
            case .list(let notes)?: scan.read(String(kept[kept.count - 1].location), notes)
            case nil: break
            }
            done += entry.byteCount
            progress(done, expandedByteCount)
        }
        kept.sort { $0.piece.name < $1.piece.name }
        return scan.findings
    }
}

extension BundleSorting {
    /// Warns the publisher once about all names without a mark: the name of the bundle's folder is part of each.
    private mutating func warnOfUnmarkedNames(in entries: [ZipEntry?]) {
        var first: String?
        var others = 0
        for case let entry? in entries
        where entry.name.repairs.contains(.encoding) && !FilePlace.isNoise(entry.name.components) {
            if first == nil { first = entry.name.text } else { others += 1 }
        }
        guard let first else { return }
        let further = others == 0 ? "" : ", and \(others) further name\(others == 1 ? "" : "s") as well"
        warnings.append(
            BundleWarning(
                .nameNotMarked, path: first,
                detail: "the archive does not say how the name is encoded; it was read as UTF-8\(further)"))
    }

    /// Warns the publisher about changes to a name.
    mutating func warn(about entry: ZipEntry) {
        guard !FilePlace.isNoise(entry.name.components) else { return }
        if entry.name.repairs.contains(.separators) {
            warnings.append(
                BundleWarning(
                    .separatorsReplaced, path: entry.name.text, detail: "backslashes in the name became slashes"))
        }
        if entry.name.repairs.contains(.normalization) {
            warnings.append(
                BundleWarning(
                    .nameNormalized, path: entry.name.text,
                    detail: "the name was brought to Unicode's normalisation form C"))
        }
    }

    /// A kept file that declares something about others.
    enum Declaration {
        case document(JSONTable)
        case list([PlistNote])
    }

    /// Reads one file once, and keeps or strips it.
    ///
    /// - Returns: its declaration, when it is kept.
    mutating func sort(
        _ entry: ZipEntry, judge: ContentJudge, _ reader: inout ZipEntryReader, from source: borrowing FileDescriptor,
        unpackingTo folder: (any UnpackingTarget)?
    ) throws(BundleError) -> Declaration? {
        let components = entry.name.components
        let path = entry.name.text
        let inside = layout.inside(components)
        let isNoise = FilePlace.isNoise(components)
        let claim = isNoise ? nil : inside.flatMap(judge.claim)
        var inspector = FileInspector(
            claim, byteCount: entry.byteCount, limits: policy.limits)
        let writer = claim == nil ? nil : folder
        let verified: ZipVerifiedEntry
        do throws(ZipError) {
            if let writer, let inside { try writer.begin(inside) }
            verified = try reader.read(entry, from: source) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                inspector.consume(chunk)
                try writer?.append(chunk)
            }
        } catch {
            throw BundleError(error)
        }
        guard let seen = inspector.finish() else { throw BundleError(.outOfMemory) }
        guard !isNoise else {
            strip(entry, .noise, .noise, seen)
            return nil
        }
        guard let inside else {
            // Beside an application, the layout allows nothing but packaging.
            let rule = seen.foreign.flatMap(StripRule.init)
            strip(entry, rule ?? .packaging, rule == nil ? .packaging : seen.foreign ?? .packaging, seen)
            return nil
        }
        switch try judge.judge(inside, claim: claim, seen, byteCount: entry.byteCount, path: path) {
        case .strip(let rule, let kind):
            strip(entry, rule, kind, seen)
            return nil
        case .keep(let kind, let content):
            try keep(verified, inside.joined(separator: "/"), kind, seen)
            switch content {
            case .document(let document): return .document(document)
            case .list(let notes): return notes.isEmpty ? nil : .list(notes)
            case .opaque: return nil
            }
        }
    }

    private mutating func strip(
        _ entry: ZipEntry, _ rule: StripRule, _ kind: ContentKind, _ seen: FileInspector.Seen
    ) {
        append(
            BundleReport.Stripped(
                path: entry.name.text, kind: kind, rule: rule, byteCount: entry.byteCount, digest: seen.digest))
    }

    private mutating func keep(
        _ verified: ZipVerifiedEntry, _ path: String, _ kind: ContentKind, _ seen: FileInspector.Seen
    ) throws(BundleError) {
        // Mostly this is the entry's original name.
        let text = "\(folder)/\(path)"
        let known = verified.entry.name
        let isSame = known.repairs.isEmpty && known.text.hasBytes(of: text)
        let name = isSame ? known : try entryName(text, of: known.text)
        append(
            KeptFile(
                kind: kind, digest: seen.digest, piece: ZipPiece(verified, name: name),
                folderByteCount: folder.utf8.count + 1))
    }

    var folder: String { "\(name).bundle" }

    private func entryName(_ text: String, of path: String) throws(BundleError) -> ZipName {
        return try rethrowing(
            try ZipName(text, limits: policy.limits.zip),
            as: { (error: ZipName.Hazard) in BundleError(.unsafePath(error), path: path) })
    }

    /// Returns the content of the canonical archive: the kept files, and their folders.
    func pieces() throws(BundleError) -> [ZipPiece] {
        var folders: Set<String> = ["\(folder)/"]
        for file in kept {
            var path = folder
            for component in file.location.utf8.split(separator: 0x2F).dropLast() {
                path += "/\(Substring(component))"
                folders.insert("\(path)/")
            }
            // Few files can be in a great many folders.
            guard kept.count + folders.count <= policy.limits.written.entryCount else {
                throw BundleError(.tooManyEntries(limit: policy.limits.written.entryCount))
            }
        }
        var pieces = kept.map { $0.piece }
        while let folder = folders.popFirst() { pieces.append(.directory(try entryName(folder, of: folder))) }
        return pieces
    }

    /// Returns the bundle in the written archive.
    func bundle(_ written: ZipWritten) throws(BundleError) -> WidgetBundle {
        let entries = written.directory.entries.lazy.filter { !$0.isDirectory }
        let files = zip(kept, entries).map { file, entry in
            WidgetBundle.File(
                location: file.location, kind: file.kind, byteCount: entry.byteCount, digest: file.digest,
                offset: entry.dataOffset, compressedByteCount: entry.compressedByteCount, method: entry.method)
        }
        var content = ContentDigest()
        for file in files { content.add(path: file.location, byteCount: file.byteCount, digest: file.digest) }
        guard let contentDigest = content.finish() else { throw BundleError(.outOfMemory) }
        return WidgetBundle(
            manifest: manifest, name: name, files: files, contentDigest: contentDigest, written: written)
    }

    /// Proves an entry whose content is not needed.
    static func verify(
        _ entry: ZipEntry, _ reader: inout ZipEntryReader, from source: borrowing FileDescriptor
    ) throws(BundleError) -> ZipVerifiedEntry {
        return try rethrowing(try reader.verify(entry, in: source), as: { (error: ZipError) in BundleError(error) })
    }

    /// Returns all bytes of a small entry.
    static func read(
        _ entry: ZipEntry, limit: Int, from source: borrowing FileDescriptor
    ) throws(BundleError) -> [UInt8] {
        guard entry.byteCount <= limit else {
            throw BundleError(.tooLargeToRead(limit: limit), path: entry.name.text)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entry.byteCount)
        try rethrowing(as: BundleError.init) { () throws(ZipError) in
            var reader = try ZipEntryReader()
            _ = try reader.read(entry, from: source) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                bytes.append(copying: chunk)
            }
        }
        return bytes
    }
}

/// Takes the files of a bundle while they are judged.
protocol UnpackingTarget: AnyObject {
    /// Creates the next file, which must not exist yet.
    func begin(_ components: [String]) throws(ZipError)

    /// Appends to the file that was begun last.
    func append(_ chunk: borrowing Span<UInt8>) throws(FileError)
}
