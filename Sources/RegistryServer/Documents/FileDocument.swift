internal import Bytes
internal import JSONText
internal import Registry

/// A file of a release as clients see it.
enum FileDocument {
    static func write(_ file: ReleaseFile, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", file.path)
            writer.member("size", file.byteCount)
            writer.member("sha256", file.digest.hex)
            writer.member("offset", file.offset)
            writer.member("compressedSize", file.compressedByteCount)
            writer.member("method", file.method)
        }
    }
}
