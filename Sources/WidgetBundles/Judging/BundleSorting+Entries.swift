internal import Bytes
internal import Files
internal import JSONText
internal import Zip

extension BundleSorting {
    /// The publisher is told what had to be changed about a name.
    mutating func warn(about entry: ZipEntry) {
        guard !Place.isNoise(entry.name.components) else { return }
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

    /// A file that was kept and says something about others.
    enum Declaration {
        case document(JSONTable)
        case interface([UInt8])
    }

    /// Reads one file once, and keeps or strips it.
    ///
    /// - Returns: what it declares, when it is kept.
    mutating func sort(
        _ entry: ZipEntry, judge: ContentJudge, _ reader: inout ZipEntryReader, from source: borrowing FileDescriptor,
        unpackingTo folder: FolderWriter?
    ) throws(BundleError) -> Declaration? {
        let components = entry.name.components
        let path = entry.name.text
        let inside = layout.inside(components)
        let isNoise = Place.isNoise(components)
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
        case .keep(let kind, let document):
            try keep(verified, inside.joined(separator: "/"), kind, seen)
            return kind == .nib ? .interface(seen.bytes) : document.map { .document($0) }
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
        // Mostly it is the name it had.
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

    /// What the canonical archive will hold: the kept files, and the folders they are in.
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
        var pieces = kept.map(\.piece)
        while let folder = folders.popFirst() { pieces.append(.directory(try entryName(folder, of: folder))) }
        return pieces
    }

    /// The bundle as it stands in the archive that was written.
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

    /// Proves an entry nobody needs to see.
    static func verify(
        _ entry: ZipEntry, _ reader: inout ZipEntryReader, from source: borrowing FileDescriptor
    ) throws(BundleError) -> ZipVerifiedEntry {
        return try rethrowing(try reader.verify(entry, in: source), as: { (error: ZipError) in BundleError(error) })
    }

    /// All of a small entry.
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
