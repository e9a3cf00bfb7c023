import JSONText
import WidgetBytes
import WidgetFiles
import WidgetLayout

/// A file with the widths of texts, as a host measures them with its own fonts:
/// `{"fonts": [{"size": 17, "weight": 400, "italic": false, "words": {"Hello": 41.2, " ": 4.6}}]}`.
enum AdvancesFile {
    private static let byteCount = 16 << 20
    /// A width in points; no screen is wider.
    private static let range = 0.0...100_000

    static func measure(at path: String) throws(CommandFailure) -> MeasuredTexts {
        let bytes = try rethrowing(as: { (error: FileError) in CommandFailure.failed("\(error)", hints: []) }) {
            () throws(FileError) in
            let file = try FileDescriptor.readingNamed(path)
            return try file.read(at: 0, count: min(try file.status().byteCount, byteCount + 1))
        }
        guard bytes.count <= byteCount else {
            throw .misuse("\(path) is larger than \(byteCount) bytes", hints: [])
        }
        return try rethrowing(as: { (error: JSONError) in CommandFailure.misuse("\(path): \(error)", hints: []) }) {
            () throws(JSONError) in
            var widths: [MeasuredTexts.Face: [String: Double]] = [:]
            let root = try JSONDocument(parsing: bytes).cursor
            guard let fonts = try root.member("fonts") else { throw root.error(.missingMember("fonts")) }
            for font in try fonts.elements() {
                let face = MeasuredTexts.Face(
                    size: try font.require("size"), weight: try font.require("weight"),
                    isItalic: try font.optional("italic") ?? false)
                guard let listed = try font.member("words") else { throw font.error(.missingMember("words")) }
                for (name, value) in try listed.members() {
                    let width: Double = try value.decode()
                    guard range.contains(width) else {
                        throw value.error(.unsuitable(expected: "a width from 0 to 100000 points"))
                    }
                    widths[face, default: [:]][name] = width
                }
            }
            return MeasuredTexts(widths)
        }
    }
}
