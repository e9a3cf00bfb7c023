internal import Bytes
package import JSONText

extension ReleaseFile: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        path = try json.require("path")
        byteCount = try json.require("size")
        let hex = try json.require("sha256", as: String.self)
        guard let digest = Digest(hex: hex) else { throw json.wrongType(.string) }
        self.digest = digest
        offset = try json.require("offset")
        compressedByteCount = try json.require("compressedSize")
        method = try json.require("method")
    }

    /// Reads a list as it was stored. Its size was bounded when its bundle was taken in; the limits here stand
    /// against a damaged catalog.
    static func list(_ document: [UInt8]) throws(RegistryError) -> [ReleaseFile] {
        return try rethrowing(as: { RegistryError.damaged("a list of files cannot be read: \($0)") }) {
            () throws(JSONError) in
            let limits = JSONLimits(byteCount: 64 << 20, depth: 3, valueCount: 1 << 20)
            return try JSONDocument(parsing: document, limits: limits).cursor.decode()
        }
    }
}
