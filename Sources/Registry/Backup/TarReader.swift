internal import Bytes
internal import Files

/// Reads a tar archive of ours member after member; anything else in it ends the reading.
struct TarReader: ~Copyable {
    private let file: StoredFile
    private var byteCount: Int { file.byteCount }
    private(set) var offset = 0
    private var window = [UInt8](repeating: 0, count: 256 << 10)
    /// A record that names a member takes less.
    private static let longestRecord = 4 << 10

    init(_ file: StoredFile) {
        self.file = file
    }

    var totalByteCount: Int { byteCount }

    /// Begins again.
    mutating func rewind() { offset = 0 }

    /// The next member, whose contents follow at ``offset``; `nil` at the end, which two empty blocks mark.
    mutating func next() throws(RegistryError) -> TarHeader? {
        var records: [UInt8]?
        while true {
            let block = try take(TarHeader.blockSize)
            if block.allSatisfy({ $0 == 0 }) {
                guard records == nil, try take(TarHeader.blockSize).allSatisfy({ $0 == 0 }) else {
                    throw invalid("its end")
                }
                return nil
            }
            guard var header = TarHeader(parsing: block) else { throw invalid("a header") }
            if header.kind == .extended {
                guard records == nil, (1...TarReader.longestRecord).contains(header.byteCount) else {
                    throw invalid("an extended header")
                }
                records = try take(header.byteCount)
                guard try take(TarHeader.padding(header.byteCount)).allSatisfy({ $0 == 0 }) else {
                    throw invalid("an extended header")
                }
                continue
            }
            if let records {
                guard let extended = header.extended(by: records) else { throw invalid("an extended header") }
                header = extended
            }
            guard header.byteCount <= byteCount - offset else { throw .invalidBackup("it ends too early") }
            return header
        }
    }

    /// Hands over the contents of the member that ``next()`` has found, piece by piece.
    mutating func contents(
        of header: TarHeader, _ body: (Span<UInt8>) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var left = header.byteCount
        while left > 0 {
            let wanted = min(left, window.count)
            try fill(wanted)
            try body(window.span.extracting(0..<wanted))
            left -= wanted
        }
        let padding = TarHeader.padding(header.byteCount)
        guard try take(padding).allSatisfy({ $0 == 0 }) else { throw invalid("a block's end") }
    }

    private mutating func take(_ count: Int) throws(RegistryError) -> [UInt8] {
        try fill(count)
        return Array(window[..<count])
    }

    private mutating func fill(_ count: Int) throws(RegistryError) {
        let filled = try rethrowing(
            try file.descriptor.read(at: offset, into: &window, count: count), as: RegistryError.init)
        guard filled == count else { throw .invalidBackup("it ends too early") }
        offset += count
    }

    private func invalid(_ what: String) -> RegistryError {
        .invalidBackup("\(what) before byte \(offset) is not as a backup has it")
    }
}
