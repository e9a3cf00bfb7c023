internal import Bytes
internal import Files
internal import JSONText
internal import Plist
internal import Zip

/// An archive being sorted into what is kept and what is stripped.
struct BundleSorting {
    struct KeptFile {
        var path: String
        var kind: ContentKind
        var digest: Digest
        var piece: ZipPiece
    }

    /// How many bytes of JSON are held for a look at several files together; a tree takes many times that.
    private static let batchByteCount = 1 << 20

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
            throw BundleError(.infoPlistMissing, path: path)
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
        if let name = layout.name {
            self.name = name
            return
        }
        if manifest.name == nil {
            warnings.append(
                BundleWarning(
                    .nameDefaulted, path: path,
                    detail: "CFBundleName is absent; the folder is named after the identifier's last label"))
        }
        let wanted = manifest.name ?? manifest.identifier.split(separator: ".").last.map(String.init) ?? ""
        guard let judged = try? ZipName(wanted), judged.components.count == 1, !judged.isDirectory else {
            throw BundleError(.unusableName(wanted), path: path)
        }
        name = judged.text
    }

    private static func makeReader() throws(BundleError) -> ZipEntryReader {
        do throws(ZipError) {
            return try ZipEntryReader()
        } catch {
            throw BundleError(error)
        }
    }

    /// Looks at every entry, in the order of names so that it does not matter who packed them.
    ///
    /// - Returns: what was found in the declarative files.
    mutating func sortEntries(
        _ directory: ZipDirectory, from source: borrowing FileDescriptor
    ) throws(BundleError) -> [Finding] {
        let judge = ContentJudge(policy: policy, manifest: manifest)
        var findings: [Finding] = []
        var batch: [(path: String, document: JSONDocument)] = []
        var batchByteCount = 0
        var reader = try BundleSorting.makeReader()
        for entry in directory.entries.sorted(by: { $0.name < $1.name }) {
            warn(about: entry)
            guard !entry.isDirectory else {
                _ = try BundleSorting.verify(entry, &reader, from: source)
                continue
            }
            // Screens and services are objects; anything else is data, and not held.
            guard let document = try sort(entry, judge: judge, &reader, from: source), document.root.object != nil
            else {
                continue
            }
            batch.append((kept[kept.count - 1].path, document))
            batchByteCount += entry.byteCount
            if batchByteCount > BundleSorting.batchByteCount {
                findings += FindingScan.findings(in: batch)
                batch = []
                batchByteCount = 0
            }
        }
        return findings + FindingScan.findings(in: batch)
    }
}
