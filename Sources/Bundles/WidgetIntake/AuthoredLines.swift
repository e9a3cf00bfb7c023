internal import WidgetBytes
internal import WidgetFiles
internal import WidgetFindings

/// The lines of an author's interfaces and models, for findings about what was compiled from them: compiled files have none.
struct AuthoredLines {
    private var files: [String: Source?] = [:]
    private static let endings = [".storyboard", ".xib", ".screens", ".xcdatamodel/contents"]
    private static let fileCount = 50
    private static let byteCount = 8 << 20
    /// Attributes that give an element its name, or an entity its identity, in front of the name.
    private static let naming = [
        "restorationIdentifier=", #"keyPath="wx.identifier" value="#, #"key="identityAttribute" value="#,
    ]

    private struct Source {
        /// True for a `.screens` file.
        let isText: Bool
        let bytes: [UInt8]
        let lines: LineTable
        /// The places of quoted words, and of words of a `.screens` file.
        let words: [ArraySlice<UInt8>: [Int]]
    }

    /// The finding with the line of the name at fault, if the author's file has the name in one place.
    mutating func located(_ finding: Finding) -> Finding {
        guard let place = finding.place, place.line == 0, let value = finding.value, !value.isEmpty,
            AuthoredLines.endings.contains(where: { place.file.hasSuffix($0) }), let source = source(place.file),
            let offset = offset(of: value, in: source)
        else { return finding }
        let position = source.lines.position(of: offset)
        var finding = finding
        finding.place?.line = position.line
        finding.place?.column = position.column
        return finding
    }

    private func offset(of name: String, in source: Source) -> Int? {
        guard let places = source.words[ArraySlice(name.utf8)] else { return nil }
        if places.count == 1 { return places[0] }
        let named = places.filter { source.isText ? isSecondWord($0, source.bytes) : isNaming($0, source.bytes) }
        return named.count == 1 ? named[0] : nil
    }

    private func isNaming(_ place: Int, _ bytes: [UInt8]) -> Bool {
        AuthoredLines.naming.contains { bytes[..<(place - 1)].reversed().starts(with: $0.utf8.reversed()) }
    }

    /// True behind the first word of a line, which is the kind of what is named.
    private func isSecondWord(_ place: Int, _ bytes: [UInt8]) -> Bool {
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return bytes[start..<place].split(separator: UInt8(ascii: " ")).count == 1
    }

    private mutating func source(_ path: String) -> Source? {
        if let known = files[path] { return known }
        guard files.count < AuthoredLines.fileCount else { return nil }
        let source = AuthoredLines.read(path)
        files[path] = .some(source)
        return source
    }

    private static func read(_ path: String) -> Source? {
        guard let file = try? FileDescriptor.readingNamed(path), let size = try? file.status().byteCount,
            size <= byteCount, let bytes = try? file.read(at: 0, count: size)
        else { return nil }
        let isText = path.hasSuffix(".screens")
        return Source(
            isText: isText, bytes: bytes, lines: LineTable(bytes),
            words: isText ? plainWords(bytes) : quotedWords(bytes))
    }

    private static func quotedWords(_ bytes: [UInt8]) -> [ArraySlice<UInt8>: [Int]] {
        var words: [ArraySlice<UInt8>: [Int]] = [:]
        var start: Int?
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\"") {
            guard let first = start else {
                start = index + 1
                continue
            }
            words[bytes[first..<index], default: []].append(first)
            start = nil
        }
        return words
    }

    /// The words outside of quotation marks.
    private static func plainWords(_ bytes: [UInt8]) -> [ArraySlice<UInt8>: [Int]] {
        var words: [ArraySlice<UInt8>: [Int]] = [:]
        var start: Int?
        var isQuoted = false
        for index in 0...bytes.count {
            let byte = index < bytes.count ? bytes[index] : UInt8(ascii: "\n")
            let isEnd = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "\"")].contains(byte)
            if isEnd, let first = start {
                words[bytes[first..<index], default: []].append(first)
                start = nil
            }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: "\n") { isQuoted = false }
            if !isEnd, !isQuoted, start == nil { start = index }
        }
        return words
    }
}
