internal import Bytes
internal import Files
internal import RegistryContract
internal import WidgetBundles
internal import Zip

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

    /// - Parameter source: an empty file that nobody else writes to.
    init(_ candidate: ReleaseCandidate, in source: consuming FileDescriptor, limits: ZipLimits) {
        self.candidate = candidate
        self.source = source
        self.limits = limits
    }

    /// Adds a file whose data stands in some file, and proves that it is what was announced.
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
            // What is missing shows when it is proven.
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
