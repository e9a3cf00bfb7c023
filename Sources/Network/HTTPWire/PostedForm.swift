/// A whole form as a browser posts it, of fields and files in their order.
package struct PostedForm: Sendable {
    package struct File: Equatable, Sendable {
        package var field: String
        package var name: String
        package var contentType: String
        package var bytes: [UInt8]
    }

    package enum Mistake: Error, Equatable, Sendable, CustomStringConvertible {
        case mediaType
        case boundary
        /// A part or a field that cannot be read, or a form that does not end.
        case unreadable
        case tooManyFields(limit: Int)
        case fieldsTooLong(limit: Int)
        case filesTooLong(limit: Int)

        package var description: String {
            switch self {
            case .mediaType: "It is not a form."
            case .boundary: "The form does not say where its parts end."
            case .unreadable: "A part of the form cannot be read, or its end is missing."
            case .tooManyFields(let limit): "The form has more than \(limit) fields."
            case .fieldsTooLong(let limit): "The fields of the form have more than \(limit >> 10) KB."
            case .filesTooLong(let limit): "The files of the form have more than \(limit >> 20) MB."
            }
        }
    }

    package struct Limits: Sendable {
        package var fieldCount = 2_000
        package var fieldByteCount = 1 << 20
        package var fileByteCount = 16 << 20

        package init() {}

        /// The most bytes of a body that can hold a form.
        package var bodyByteCount: Int { 3 * fieldByteCount + fileByteCount + fieldCount * (2 << 10) }
    }

    package static let mediaTypes = ["application/x-www-form-urlencoded", "multipart/form-data"]

    package private(set) var fields: [(name: String, value: String)] = []
    package private(set) var files: [File] = []
    private var fieldByteCount = 0
    private var fileByteCount = 0

    /// Reads a body of one of the two media types.
    package init(_ body: [UInt8], contentType: String, limits: Limits = Limits()) throws(Mistake) {
        guard let type = FieldParameters(contentType) else { throw .mediaType }
        switch type.word {
        case "application/x-www-form-urlencoded": try read(body, limits)
        case "multipart/form-data":
            guard let boundary = type["boundary"], 1...70 ~= boundary.utf8.count else { throw .boundary }
            try read(body, boundary: Array(boundary.utf8), limits)
        default: throw .mediaType
        }
    }

    private mutating func add(_ name: String, _ value: String, _ limits: Limits) throws(Mistake) {
        guard fields.count + files.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
        fieldByteCount += name.utf8.count + value.utf8.count
        guard fieldByteCount <= limits.fieldByteCount else { throw .fieldsTooLong(limit: limits.fieldByteCount) }
        // Browsers end the lines of a text with two characters.
        let lines = value.utf8.contains(0x0D) ? String(decoding: PostedForm.withLineFeeds(value), as: UTF8.self) : value
        fields.append((name, lines))
    }

    private static func withLineFeeds(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var isReturn = false
        for byte in text.utf8 {
            if byte == 0x0A, isReturn { bytes.removeLast() }
            isReturn = byte == 0x0D
            bytes.append(byte)
        }
        return bytes
    }

    // MARK: - Text

    private mutating func read(_ body: [UInt8], _ limits: Limits) throws(Mistake) {
        var start = 0
        while start < body.count {
            let end = body[start...].firstIndex(of: UInt8(ascii: "&")) ?? body.count
            let part = body[start..<end]
            start = end + 1
            guard !part.isEmpty else { continue }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            guard let name = PostedForm.decoded(part[..<(equals ?? end)]),
                let value = PostedForm.decoded(equals.map { part[($0 + 1)...] } ?? [])
            else { throw .unreadable }
            try add(name, value, limits)
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "+"): result.append(0x20)
            case UInt8(ascii: "%"):
                guard position + 1 < bytes.endIndex, let high = hex(bytes[position]), let low = hex(bytes[position + 1])
                else { return nil }
                result.append(high << 4 | low)
                position += 2
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    // MARK: - Parts (RFC 7578)

    private mutating func read(_ body: [UInt8], boundary: [UInt8], _ limits: Limits) throws(Mistake) {
        let opening = Array("--".utf8) + boundary
        guard body.starts(with: opening) else { throw .unreadable }
        let delimiter: [UInt8] = [0x0D, 0x0A] + opening
        var position = opening.count
        while true {
            guard position + 1 < body.count else { throw .unreadable }
            if body[position] == 0x2D, body[position + 1] == 0x2D { return }
            guard body[position] == 0x0D, body[position + 1] == 0x0A else { throw .unreadable }
            let window = body[(position + 2)..<min(body.count, position + 2 + FormReader.partHeadLimit)]
            guard let headEnd = PostedForm.place(of: [0x0D, 0x0A, 0x0D, 0x0A], in: window),
                let head = String(validating: body[(position + 2)..<headEnd], as: UTF8.self),
                let end = PostedForm.place(of: delimiter, in: body[(headEnd + 4)...])
            else { throw .unreadable }
            try take(head, body[(headEnd + 4)..<end], limits)
            position = end + delimiter.count
        }
    }

    private mutating func take(_ head: String, _ content: ArraySlice<UInt8>, _ limits: Limits) throws(Mistake) {
        var disposition: FieldParameters?
        var contentType = "application/octet-stream"
        for line in head.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { throw .unreadable }
            let value = String(line[line.index(after: colon)...])
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = FieldParameters(value)
            case "content-type": contentType = FieldParameters(value)?.word ?? contentType
            default: continue
            }
        }
        guard let disposition, disposition.word == "form-data", let name = disposition["name"] else {
            throw .unreadable
        }
        guard let fileName = disposition["filename"] else {
            guard let text = String(validating: content, as: UTF8.self) else { throw .unreadable }
            return try add(name, text, limits)
        }
        // A picker that was left empty posts a file without a name.
        if fileName.isEmpty, content.isEmpty { return }
        guard fields.count + files.count < limits.fieldCount else { throw .tooManyFields(limit: limits.fieldCount) }
        fileByteCount += content.count
        guard fileByteCount <= limits.fileByteCount else { throw .filesTooLong(limit: limits.fileByteCount) }
        files.append(File(field: name, name: fileName, contentType: contentType, bytes: Array(content)))
    }

    private static func place(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        let last = bytes.endIndex - pattern.count
        var start = bytes.startIndex
        while start <= last, let found = bytes[start...last].firstIndex(of: first) {
            if bytes[found..<(found + pattern.count)].elementsEqual(pattern) { return found }
            start = found + 1
        }
        return nil
    }
}
