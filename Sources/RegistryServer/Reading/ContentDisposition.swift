internal import Bytes

/// The field that says under which name to keep an answer (RFC 6266).
enum ContentDisposition {
    static func attachment(fileName: String) -> String {
        let plain = fileName.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F && !["\"", "\\"].contains(scalar)
                ? Character(scalar) : "_"
        }
        let field = "attachment; filename=\"\(String(plain))\""
        // Those who cannot read the extended form take the plain one (RFC 6266 §4.3).
        return String(plain) == fileName ? field : "\(field); filename*=UTF-8''\(PercentEncoding.segment(fileName))"
    }
}
