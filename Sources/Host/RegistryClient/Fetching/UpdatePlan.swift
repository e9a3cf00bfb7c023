package import RegistryContract
internal import WidgetBundles
package import WidgetBytes
internal import WidgetFiles
internal import WidgetZip

/// The parts of an archive that a host has to fetch when it has some of the files already.
///
/// Files with the same digest are the same, under any path and with any compression: packing a bundle anew changes the
/// bytes of its archive, but not its files.
package struct UpdatePlan: Sendable {
    /// The ranges to fetch, in the order of the archive.
    package private(set) var ranges: [Range<Int>] = []
    /// The files to fetch, and the offsets of their data in the fetched bytes, one range after the other.
    private(set) var fetched: [(file: FileDocument, offset: Int)] = []
    /// The files that are here.
    private(set) var reused: [FileDocument] = []

    /// The cost of a request besides its bytes. Gaps smaller than this are fetched rather than skipped.
    static let requestCost = 1 << 10
    private static let mostRequests = 64

    /// - Parameter held: the digests of the files that are here.
    package init(_ candidate: ReleaseCandidate, held: Set<Digest>) {
        var byteCount = 0
        for file in candidate.files {
            guard !held.contains(file.digest) else {
                reused.append(file)
                continue
            }
            if let last = ranges.last, file.dataRange.lowerBound - last.upperBound < UpdatePlan.requestCost {
                byteCount += file.dataRange.upperBound - last.upperBound
                ranges[ranges.count - 1] = last.lowerBound..<file.dataRange.upperBound
            } else if !file.dataRange.isEmpty {
                byteCount += file.dataRange.count
                ranges.append(file.dataRange)
            }
            fetched.append((file, byteCount - file.dataRange.count))
        }
    }

    package var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// True when this is cheaper than fetching the rest of the archive.
    func isCheaper(than byteCount: Int) -> Bool {
        !reused.isEmpty && ranges.count <= UpdatePlan.mostRequests
            && self.byteCount + ranges.count * UpdatePlan.requestCost < byteCount
    }
}

/// Makes the archive of a release from files that are here and files that were fetched.
///
/// It holds exactly the files that were announced, each with its digest. Where the registry's archive is compressed in
/// another way, its bytes differ, and nothing else.
struct BundleAssembly: ~Copyable {
    private let candidate: ReleaseCandidate
    private let limits: ZipLimits
    private var pieces: [ZipPiece] = []
    /// The data of all pieces.
    private let source: FileDescriptor
    private var end = 0
    private var window = [UInt8](repeating: 0, count: 256 << 10)

    /// - Parameter source: an empty file without other writers.
    init(_ candidate: ReleaseCandidate, in source: consuming FileDescriptor, limits: ZipLimits) {
        self.candidate = candidate
        self.source = source
        self.limits = limits
    }

    /// Adds a file whose data is a part of some file, and verifies that it is the announced one.
    mutating func add(
        _ file: FileDocument, method: ZipMethod, dataRange: Range<Int>, of other: borrowing FileDescriptor
    ) throws(FetchError) {
        var sha = SHA256()
        // One file that is here may stand for many that were announced.
        guard dataRange.count <= limits.archiveByteCount - end else { throw FetchError(.contradiction(.files)) }
        let copied = end..<(end + dataRange.count)
        try rethrowing(as: { FetchError(BundleError($0)) }) { () throws(ZipError) in
            let name = try rethrowing(as: { ZipError(.unsafeName($0), entry: file.path) }) {
                () throws(ZipName.Hazard) in try ZipName("\(candidate.name).bundle/\(file.path)", limits: limits)
            }
            try rethrowing(as: { ZipError(.file($0), entry: file.path) }) { () throws(FileError) in
                try copy(dataRange, of: other)
            }
            var reader = try ZipEntryReader()
            let verified = try reader.read(
                name, method: method, byteCount: file.byteCount, dataRange: copied, from: source
            ) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                sha.update(chunk)
            }
            pieces.append(ZipPiece(verified))
        }
        guard let digest = sha.finish() else { throw FetchError(.outOfMemory) }
        guard digest == file.digest else { throw FetchError(.wrongDigest(expected: file.digest, actual: digest)) }
    }

    private mutating func copy(_ range: Range<Int>, of other: borrowing FileDescriptor) throws(FileError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = min(window.count, range.upperBound - offset)
            let count = try other.read(at: offset, into: &window, count: wanted)
            // Missing bytes show when the file is verified.
            guard count > 0 else { break }
            try source.write(window.span.extracting(0..<count), at: end + offset - range.lowerBound)
            offset += count
        }
        end += range.count
    }

    /// Writes the archive.
    consuming func write(to target: borrowing FileDescriptor) throws(FetchError) -> ZipWritten {
        return try rethrowing(as: { FetchError(BundleError($0)) }) { () throws(ZipError) in
            try ZipWriter.write(pieces + folders(), from: source, to: target, limits: limits)
        }
    }

    /// The folders that the files are in.
    private borrowing func folders() throws(ZipError) -> [ZipPiece] {
        var paths: Set<String> = []
        for piece in pieces {
            var path = ""
            for component in piece.name.components.dropLast() {
                path += "\(component)/"
                paths.insert(path)
            }
        }
        var folders: [ZipPiece] = []
        for path in paths {
            try rethrowing(as: { ZipError(.unsafeName($0), entry: path) }) { () throws(ZipName.Hazard) in
                folders.append(.directory(try ZipName(path, limits: limits)))
            }
        }
        return folders
    }
}
