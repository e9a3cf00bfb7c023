internal import JSONText
internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetFiles
package import WidgetRunning

/// The last view of a widget, with the content that it shows. A widget that is mounted again shows it at once.
package struct KeptView: Sendable {
    package var view: View
    /// `nil` if no update had brought content yet.
    package var content: AcceptedContent?
    /// The moment at which it was kept, by the widget's clock.
    package var savedAt: Double
    /// The digest of the bundle that the view is of. The keys in it mean nothing to another one.
    package var program: String

    package init(view: View, content: AcceptedContent?, savedAt: Double, program: String) {
        self.view = view
        self.content = content
        self.savedAt = savedAt
        self.program = program
    }
}

/// The file that a widget's last view is kept in. It has the digest of its bytes in front, and is replaced as a whole.
///
/// The folder belongs to one widget, whose store keeps other processes away.
package struct KeptViewFile: Sendable {
    /// The outcome of reading.
    package enum Reading: Sendable {
        case view(KeptView)
        /// No view was kept yet, or one of another version.
        case nothing
        /// The file is damaged. It has been moved aside, so this is said once.
        case damaged(String)
    }

    /// Bytes of a view; larger ones are not kept.
    package static let byteLimit = 8 << 20
    private static let name = "view"
    private static let damagedName = "damaged"
    private static let headByteCount = 2 * Digest.byteCount + 1
    private static let folderMode: UInt32 = 0o700
    private static let fileMode: UInt32 = 0o600

    /// The path of its folder.
    package let path: String

    package init(in path: String) { self.path = path }

    // MARK: - Reading

    package func read() -> Reading {
        let bytes: [UInt8]
        do throws(FileError) {
            let folder = try Directory(opening: path)
            sweep(folder)
            let status = try folder.status(of: KeptViewFile.name)
            guard status.kind == .file else { return damage("it is not a file") }
            guard status.byteCount <= KeptViewFile.byteLimit else {
                return damage("it has more than \(KeptViewFile.byteLimit) bytes")
            }
            bytes = try folder.openFile(KeptViewFile.name).read(at: 0, count: KeptViewFile.byteLimit + 1)
        } catch {
            return error.isMissing ? .nothing : damage("\(error)")
        }
        let head = bytes.prefix(KeptViewFile.headByteCount)
        let body = Array(bytes.dropFirst(KeptViewFile.headByteCount))
        guard head.last == UInt8(ascii: "\n"),
            let digest = Digest(hex: String(decoding: head.dropLast(), as: UTF8.self)),
            Digest.sha256(body) == digest
        else { return damage("its bytes are not those that were written") }
        do throws(JSONError) {
            return try KeptViewDocument.kept(body, byteCount: KeptViewFile.byteLimit).map { .view($0) } ?? .nothing
        } catch {
            return damage("\(error)")
        }
    }

    private func damage(_ reason: String) -> Reading {
        let sentence = "The last view in \(path) cannot be read: \(reason)"
        do throws(FileError) {
            let folder = try Directory(opening: path)
            // A directory in place of the file is moved as well.
            try? folder.removeTree(KeptViewFile.damagedName)
            try folder.rename(
                KeptViewFile.name, to: KeptViewFile.damagedName, in: folder, replacing: true)
        } catch {
            return .damaged("\(sentence); it could not be moved aside: \(error)")
        }
        return .damaged(sentence)
    }

    /// Removes what a process has left that was killed while it wrote.
    private func sweep(_ folder: borrowing Directory) {
        for item in (try? folder.items(limit: .max)) ?? [] where item.name.hasPrefix(StagedFile.prefix) {
            try? folder.removeFile(item.name)
        }
    }

    // MARK: - Writing

    package func write(_ kept: KeptView) throws(WidgetError) {
        let body = KeptViewDocument.bytes(kept)
        guard body.count + KeptViewFile.headByteCount <= KeptViewFile.byteLimit else {
            throw .viewTooLarge(byteCount: body.count, limit: KeptViewFile.byteLimit)
        }
        guard let digest = Digest.sha256(body) else { throw .noDigest }
        do throws(FileError) {
            let folder = try Directory(creating: path, mode: KeptViewFile.folderMode)
            try folder.replaceFile(
                KeptViewFile.name, with: Array("\(digest.hex)\n".utf8) + body, mode: KeptViewFile.fileMode)
        } catch {
            throw .file(error)
        }
    }
}
