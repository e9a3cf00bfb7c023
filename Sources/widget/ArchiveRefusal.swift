import Console
import JSONText
import Zip

/// Why an archive was refused, as words.
enum ArchiveRefusal {
    static func verdict(_ error: ZipError) -> String {
        var text = "reject\nreason  \(error.reason.code): \(QuotedText.plain("\(error.reason)"))\n"
        if let entry = error.entry { text += "entry   \(QuotedText.plain(entry))\n" }
        if let offset = error.offset { text += "offset  \(offset)\n" }
        return text
    }

    static func json(_ error: ZipError) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "reject")
            writer.member("reason", error.reason.code)
            writer.member("detail", "\(error.reason)")
            if let entry = error.entry { writer.member("entry", entry) }
            if let offset = error.offset { writer.member("offset", offset) }
        }
        return writer.finish()
    }
}
