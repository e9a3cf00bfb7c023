import Files

/// The lines of a file, or of the standard input.
struct LineSource: ~Copyable {
    private static let windowByteCount = 1 << 16

    /// `nil` for the standard input.
    private let file: FileDescriptor?
    private var window: [UInt8] = []
    private var position = 0
    private var offset = 0
    private var isAtEnd = false

    /// - Parameter path: `-` is the standard input.
    init(_ path: String) throws(FileError) {
        file = path == "-" ? nil : try FileDescriptor.readingNamed(path)
    }

    mutating func next() throws(FileError) -> [UInt8]? {
        guard file != nil else { return readLine(strippingNewline: true).map { Array($0.utf8) } }
        var line: [UInt8] = []
        while true {
            if let end = window[position...].firstIndex(of: 0x0A) {
                line += window[position..<end]
                position = end + 1
                return line
            }
            line += window[position...]
            try refill()
            if isAtEnd { return line.isEmpty ? nil : line }
        }
    }

    private mutating func refill() throws(FileError) {
        position = 0
        guard let read = try file?.read(at: offset, count: LineSource.windowByteCount) else { return }
        window = read
        offset += read.count
        isAtEnd = read.isEmpty
    }
}
