internal import Bytes
package import JSONText
internal import Zip

extension WidgetBundle {
    /// Its files as an array of JSON: what each is, and where its data stands in the archive.
    package func writeFiles(to writer: inout JSONWriter) {
        writer.array { writer in
            for file in files {
                writer.object { writer in
                    writer.member("path", file.path)
                    writer.member("size", file.byteCount)
                    writer.member("sha256", file.digest.hex)
                    writer.member("offset", file.offset)
                    writer.member("compressedSize", file.compressedByteCount)
                    writer.member("method", file.method == .stored ? "stored" : "deflate")
                }
            }
        }
    }
}
