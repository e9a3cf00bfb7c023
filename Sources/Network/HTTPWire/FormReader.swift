/// Reads the one file of a `multipart/form-data` body as it arrives (RFC 7578, RFC 2046 §5.1), and short fields beside it
/// where they are wanted.
///
/// Only as much is kept as could be the beginning of a boundary, or a part's head or a field up to its limit.
package struct FormReader: Sendable {
    /// Why a body is not a form with exactly one file.
    package enum Mistake: Error, Equatable, Sendable {
        case noBoundary
        case partHeadTooLong(limit: Int)
        case partHeadUnreadable
        case field(name: String)
        case fieldsTooLong(limit: Int)
        case noFile
        case severalFiles
        case truncated
    }

    package static let partHeadLimit = 8 << 10
    /// The longest a boundary may be (RFC 2046 §5.1.1).
    private static let boundaryLimit = 70

    private enum Stage: Equatable {
        /// Before the first boundary; its bytes have no meaning.
        case preamble
        /// Behind a boundary: its line's end, or the dashes that end the form.
        case boundaryEnd
        case head
        case file
        case field(name: String)
        case epilogue
    }

    private let delimiter: [UInt8]
    private var stage = Stage.preamble
    /// Bytes that have arrived and may be the beginning of a boundary.
    private var held: [UInt8] = [0x0D, 0x0A]
    /// True once the head of the file's part has arrived.
    package private(set) var hasFile = false
    private let takesFields: Bool
    /// The fields beside the file, in their order.
    package private(set) var fields: [(name: String, value: String)] = []
    private var field: [UInt8] = []
    private var fieldByteCount = 0

    /// The most fields, and the most bytes of all their names and values.
    package static let fieldCountLimit = 16
    package static let fieldsByteLimit = 8 << 10

    /// - Parameters:
    ///   - contentType: the Content-Type field of the request.
    ///   - takesFields: true if fields that are not files are kept, rather than refused.
    package init(contentType: String, takesFields: Bool = false) throws(Mistake) {
        self.takesFields = takesFields
        guard let boundary = FieldParameters(contentType)?["boundary"],
            (1...FormReader.boundaryLimit).contains(boundary.utf8.count)
        else { throw .noBoundary }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Takes the next bytes of the body and returns those that belong to the file.
    package mutating func take(_ bytes: [UInt8], file: ([UInt8]) -> Void) throws(Mistake) {
        held.append(contentsOf: bytes)
        while try step(file) {}
    }

    /// The body is complete.
    package func finish() throws(Mistake) {
        guard case .epilogue = stage else { throw .truncated }
        guard hasFile else { throw .noFile }
    }

    /// - Returns: whether more can be done with what is held.
    private mutating func step(_ file: ([UInt8]) -> Void) throws(Mistake) -> Bool {
        switch stage {
        case .preamble, .file, .field:
            let isFile = stage == .file
            guard let found = FormReader.position(of: delimiter, in: held) else {
                // What could be the beginning of a boundary stays.
                let settled = max(0, held.count - delimiter.count + 1)
                if isFile, settled > 0 { file(Array(held[..<settled])) }
                try keepField(held[..<settled])
                held.removeFirst(settled)
                return false
            }
            if isFile, found > 0 { file(Array(held[..<found])) }
            try keepField(held[..<found])
            if case .field(let name) = stage {
                fields.append((name, String(decoding: field, as: UTF8.self)))
                field = []
            }
            held.removeFirst(found + delimiter.count)
            stage = .boundaryEnd
            return true
        case .boundaryEnd:
            return try endBoundary()
        case .head:
            return try readHead()
        case .epilogue:
            held.removeAll(keepingCapacity: false)
            return false
        }
    }

    private mutating func keepField(_ bytes: ArraySlice<UInt8>) throws(Mistake) {
        guard case .field = stage else { return }
        fieldByteCount += bytes.count
        guard fieldByteCount <= FormReader.fieldsByteLimit else {
            throw .fieldsTooLong(limit: FormReader.fieldsByteLimit)
        }
        field.append(contentsOf: bytes)
    }

    private mutating func endBoundary() throws(Mistake) -> Bool {
        // Spaces may follow a boundary (RFC 2046 §5.1.1).
        var position = 0
        while position < held.count, ByteClass.isSpace(held[position]) { position += 1 }
        guard position <= FormReader.partHeadLimit else { throw .partHeadTooLong(limit: FormReader.partHeadLimit) }
        guard held.count >= position + 2 else { return false }
        switch (held[position], held[position + 1]) {
        case (0x0D, 0x0A):
            held.removeFirst(position + 2)
            stage = .head
        case (UInt8(ascii: "-"), UInt8(ascii: "-")) where position == 0:
            stage = .epilogue
        default: throw .partHeadUnreadable
        }
        return true
    }

    private mutating func readHead() throws(Mistake) -> Bool {
        guard let end = FormReader.position(of: [0x0D, 0x0A, 0x0D, 0x0A], in: held) else {
            guard held.count <= FormReader.partHeadLimit else {
                throw .partHeadTooLong(limit: FormReader.partHeadLimit)
            }
            return false
        }
        guard end <= FormReader.partHeadLimit else { throw .partHeadTooLong(limit: FormReader.partHeadLimit) }
        let name = try judge(String(decoding: held[..<end], as: UTF8.self))
        held.removeFirst(end + 4)
        if let name {
            fieldByteCount += name.utf8.count
            guard fields.count < FormReader.fieldCountLimit, fieldByteCount <= FormReader.fieldsByteLimit else {
                throw .fieldsTooLong(limit: FormReader.fieldsByteLimit)
            }
            stage = .field(name: name)
        } else {
            hasFile = true
            stage = .file
        }
        return true
    }

    /// A part is the file, a field that is kept, or a reason to refuse: a setting in a field would otherwise be lost
    /// silently.
    ///
    /// - Returns: the name of a field; `nil` for the file.
    private func judge(_ head: String) throws(Mistake) -> String? {
        for line in head.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { throw .partHeadUnreadable }
            guard line[..<colon].lowercased() == "content-disposition" else { continue }
            guard let disposition = FieldParameters(String(line[line.index(after: colon)...])),
                disposition.word == "form-data"
            else { throw .partHeadUnreadable }
            guard disposition["filename"] != nil || disposition["filename*"] != nil else {
                let name = disposition["name"] ?? ""
                guard takesFields else { throw .field(name: name) }
                return name
            }
            guard !hasFile else { throw .severalFiles }
            return nil
        }
        throw .partHeadUnreadable
    }

    private static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        var start = 0
        while let candidate = bytes[start...(bytes.count - pattern.count)].firstIndex(of: pattern[0]) {
            if bytes[candidate..<(candidate + pattern.count)].elementsEqual(pattern) { return candidate }
            start = candidate + 1
            guard start <= bytes.count - pattern.count else { return nil }
        }
        return nil
    }
}
