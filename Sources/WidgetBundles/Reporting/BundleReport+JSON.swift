internal import Bytes
package import JSONText

extension BundleReport {
    /// The report as a document of its own.
    package var json: [UInt8] {
        var writer = JSONWriter(reservingBytes: 4 << 10)
        write(to: &writer)
        return writer.finish()
    }

    /// The report as one value of a larger document.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            // What a publisher should know comes before the files, of which there can be thousands.
            writer.key("findings")
            writer.array { writer in
                for finding in findings { finding.write(to: &writer) }
            }
            writer.key("warnings")
            writer.array { writer in
                for warning in warnings { warning.write(to: &writer) }
            }
            writer.key("stripped")
            writer.array { writer in
                for file in stripped { file.write(to: &writer) }
            }
            writer.key("kept")
            writer.array { writer in
                for file in kept { file.write(to: &writer) }
            }
            writer.key("source")
            writer.object { writer in
                writer.key("sha256")
                if let digest = source.digest { writer.string(digest.hex) } else { writer.null() }
                writer.member("size", source.byteCount)
            }
            writer.member("content", contentDigest.hex)
            writer.member("sha256", digest.hex)
            writer.member("size", byteCount)
        }
    }
}

extension BundleReport.Kept {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            writer.member("kind", kind.rawValue)
            writer.member("size", byteCount)
            writer.member("sha256", digest.hex)
        }
    }
}

extension BundleReport.Stripped {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            writer.member("kind", kind.rawValue)
            writer.member("rule", rule.rawValue)
            writer.member("size", byteCount)
            writer.member("sha256", digest.hex)
        }
    }
}

extension BundleWarning {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code.rawValue)
            writer.member("path", path)
            writer.member("detail", detail)
        }
    }
}

extension Finding {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("severity", severity.rawValue)
            writer.member("path", path)
            writer.member("line", line)
            writer.member("column", column)
            writer.member("detail", detail)
        }
    }
}
