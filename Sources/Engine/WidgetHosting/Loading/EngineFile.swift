internal import JSONText
package import WidgetBytes
internal import WidgetEngine
internal import WidgetFiles

/// The engine as WebAssembly, where a program finds it: in the file that is named, or else beside the program. It is used only
/// if it was made of the same sources as the program.
package struct EngineFile: Sendable {
    /// The outcome of looking for it.
    package enum Finding: Sendable {
        case found(EngineFile)
        case missing
        /// The file that was named or found cannot be used, for that reason.
        case unusable(path: String, reason: String)
    }

    package let path: String
    package let bytes: [UInt8]
    /// The same compressed by Brotli, from the file beside it, where there is one.
    package let brotli: [UInt8]?
    package let digest: Digest
    package let version: String

    /// The most bytes of such a file.
    private static let byteLimit = 64 << 20
    package static let fileName = "engine.wasm"

    /// - Parameters:
    ///   - name: the path of the file; `nil` to look for it beside the program.
    ///   - program: the path of the program.
    package static func find(named name: String?, beside program: String) -> Finding {
        if let name { return read(name) ?? .unusable(path: name, reason: "the file is missing") }
        for place in places(beside: resolvedPath(program)) {
            if let finding = read("\(place)/\(fileName)") { return finding }
        }
        return .missing
    }

    /// The program's folder, `share/widgetd` beside the `bin` that it is in, and `wasm` beside the folder that it was built in.
    private static func places(beside program: String) -> [String] {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let above = (1...2).map { parts.dropLast($0).joined(separator: "/") }
        return [parts.joined(separator: "/"), "\(above[0])/share/widgetd"] + above.map { "\($0)/wasm" }
    }

    /// - Returns: `nil` if the file is missing.
    private static func read(_ path: String) -> Finding? {
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try FileDescriptor.readingNamed(path)
            let status = try file.status()
            guard status.kind == .file, status.byteCount <= byteLimit else {
                return .unusable(path: path, reason: "it is not a file of at most \(ByteCountText.of(byteLimit))")
            }
            bytes = try file.read(at: 0, count: status.byteCount)
        } catch {
            return error.isMissing || error.isNotADirectory ? nil : .unusable(path: path, reason: error.reason)
        }
        guard let maker = maker(of: bytes), let digest = Digest.sha256(bytes) else {
            return .unusable(path: path, reason: "it does not say what it was made of")
        }
        guard maker.revision == EngineRevision.text else {
            return .unusable(
                path: path,
                reason:
                    "its revision is \(ShownText.plain(maker.revision)), and that of this program is \(EngineRevision.text)"
            )
        }
        return .found(
            EngineFile(
                path: path, bytes: bytes, brotli: brotli(beside: path), digest: digest, version: maker.version))
    }

    /// `.ci/wasm` writes both files, the engine last.
    private static func brotli(beside path: String) -> [UInt8]? {
        guard let file = try? FileDescriptor.readingNamed("\(path).br"), let status = try? file.status(),
            status.kind == .file, status.byteCount <= byteLimit
        else { return nil }
        return try? file.read(at: 0, count: status.byteCount)
    }

    /// The version and the revision in the section that `.ci/wasm` writes; `nil` for a file without it.
    static func maker(of bytes: [UInt8]) -> (version: String, revision: String)? {
        guard bytes.starts(with: [0x00, 0x61, 0x73, 0x6D, 0x01, 0x00, 0x00, 0x00]) else { return nil }
        var place = 8
        while place < bytes.count {
            let kind = bytes[place]
            place += 1
            guard let length = number(bytes, &place), length <= bytes.count - place else { return nil }
            let end = place + length
            var start = place
            place = end
            guard kind == 0, let count = number(bytes, &start), count <= end - start,
                bytes[start..<start + count].elementsEqual("widgetd".utf8)
            else { continue }
            let text = Array(bytes[(start + count)..<end])
            let limits = JSONLimits(byteCount: 4_096, depth: 2, valueCount: 16)
            guard let json = try? JSONValue(parsing: text, limits: limits),
                let version = json.object?["version"]?.string,
                let revision = json.object?["revision"]?.string
            else { return nil }
            return (version, revision)
        }
        return nil
    }

    /// A length, seven bits in each byte, the lowest first.
    private static func number(_ bytes: [UInt8], _ place: inout Int) -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}

extension EngineFile.Finding: CustomStringConvertible {
    /// In words, for a line about settings.
    package var description: String {
        switch self {
        case .found(let file): "\(file.path), version \(file.version), revision \(EngineRevision.text)"
        case .missing: "none was found; `make wasm` builds one"
        case .unusable(let path, let reason): "\(path) is not used: \(reason); `make wasm` builds one of this revision"
        }
    }

    package var file: EngineFile? { if case .found(let file) = self { file } else { nil } }
}
