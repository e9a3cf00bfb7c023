package import JSONText
package import WidgetBytes
package import WidgetFindings

/// A report on the intake of a bundle.
package struct BundleReport: Equatable, Sendable {
    package struct Kept: Equatable, Sendable {
        /// A part of the entry's name, as in ``WidgetBundle/File``.
        let location: Substring
        package var kind: ContentKind
        package var byteCount: Int
        package var digest: Digest

        package var path: String { String(location) }
    }

    package struct Stripped: Equatable, Sendable {
        /// The path in the publisher's input.
        package var path: String
        package var kind: ContentKind
        package var rule: StripRule
        package var byteCount: Int
        package var digest: Digest
    }

    /// The publisher's input. A folder has no digest.
    package struct Source: Equatable, Sendable {
        package var digest: Digest?
        package var byteCount: Int

        package init(digest: Digest?, byteCount: Int) {
            self.digest = digest
            self.byteCount = byteCount
        }
    }

    /// Kept files, sorted by the bytes of their paths inside the bundle folder.
    package var kept: [Kept]
    package var stripped: [Stripped]
    package var warnings: [BundleWarning]
    /// Those about the bundle as a whole first. None is of ``Finding/Code/refused``, which would have refused the bundle.
    package var findings: [Finding]
    package var source: Source
    /// Equal for equal files, independent of the packer.
    package var contentDigest: Digest
    /// The digest of the written archive.
    package var digest: Digest
    package var byteCount: Int

    /// True if nothing was stripped, replaced or found.
    package var isClean: Bool { stripped.isEmpty && warnings.isEmpty && findings.isEmpty }
}

extension BundleReport {
    /// The report as a complete document.
    package var json: [UInt8] {
        var writer = JSONWriter(reservingBytes: 4 << 10)
        write(to: &writer)
        return writer.finish()
    }

    /// Writes the report as one value of a larger document.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            // Findings come before the files, of which there can be thousands.
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

extension BundleReport: JSONDecodable {
    /// Reads a report that a registry has kept.
    package init(json: JSONCursor) throws(JSONError) {
        kept = try json.require("kept")
        stripped = try json.require("stripped")
        warnings = try json.require("warnings")
        findings = try json.require("findings")
        source = try json.require("source")
        contentDigest = try json.digest("content")
        digest = try json.digest("sha256")
        byteCount = try json.byteCount("size")
    }
}

extension BundleReport.Kept: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        location = try json.require("path", as: String.self)[...]
        kind = try json.word("kind")
        byteCount = try json.byteCount("size")
        digest = try json.digest("sha256")
    }
}

extension BundleReport.Stripped: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        path = try json.require("path")
        kind = try json.word("kind")
        rule = try json.word("rule")
        byteCount = try json.byteCount("size")
        digest = try json.digest("sha256")
    }
}

extension BundleReport.Source: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let text: String? = try json.optional("sha256")
        digest = text == nil ? nil : try json.digest("sha256")
        byteCount = try json.byteCount("size")
    }
}

extension BundleWarning: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self.init(try json.word("code"), path: try json.require("path"), detail: try json.require("detail"))
    }
}

extension JSONCursor {
    /// Reads a word of a list that both sides know.
    fileprivate func word<Word: RawRepresentable<String>>(_ name: String) throws(JSONError) -> Word {
        let text: String = try require(name)
        guard let word = Word(rawValue: text) else {
            throw error(.unsuitable(expected: "a \(name) that is known here"))
        }
        return word
    }

    fileprivate func digest(_ name: String) throws(JSONError) -> Digest {
        guard let digest = Digest(hex: try require(name, as: String.self)) else {
            throw error(.unsuitable(expected: "a SHA-256 in 64 lower-case hexadecimal digits"))
        }
        return digest
    }

    fileprivate func byteCount(_ name: String) throws(JSONError) -> Int {
        let count: Int = try require(name)
        guard (0...(Int64(1) << 50)).contains(Int64(count)) else {
            throw error(.unsuitable(expected: "a size that a file can have"))
        }
        return count
    }
}

extension BundleReport {
    /// The languages of the bundle, by the folders that its files lie in.
    package var languages: [String] {
        let folders = kept.compactMap { file -> String? in
            let folder = file.path.split(separator: "/").dropLast().first { $0.hasSuffix(".lproj") }
            return folder.map { String($0.dropLast(".lproj".count)) }
        }
        return Set(folders).subtracting(["Base"]).sorted()
    }
}
