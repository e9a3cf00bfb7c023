internal import WidgetBytes
package import WidgetCore

/// Parts of a form, one after the other, as RFC 7578 has them.
package struct MultipartBody {
    package let contentType: String
    package let bytes: [UInt8]

    /// The boundary is the digest of all parts, so no part can contain it: its author would have to know the digest of
    /// a text that includes that digest.
    ///
    /// - Returns: `nil` when the digest cannot be computed.
    package init?(_ parts: [ServiceRequest.Part]) {
        var digest = SHA256()
        for part in parts { digest.update(part.bytes) }
        guard let boundary = digest.finish().map({ "widget-\($0.hex.prefix(32))" }) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(200) { $0 + $1.bytes.count + 300 })
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartBody.quoted(part.name))\""
            if let name = part.fileName { head += "; filename=\"\(MultipartBody.quoted(name))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(MultipartBody.quoted(type))" }
            bytes += Array("\(head)\r\n\r\n".utf8)
            bytes += part.bytes
            bytes += Array("\r\n".utf8)
        }
        bytes += Array("--\(boundary)--\r\n".utf8)
        contentType = "multipart/form-data; boundary=\(boundary)"
        self.bytes = bytes
    }

    /// A text as it may be within quotes on one line.
    private static func quoted(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }
}
