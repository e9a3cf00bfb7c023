internal import Bytes
package import JSONText

extension BundleReport: JSONDecodable {
    /// A report that a registry has kept.
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

extension Finding: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self.init(
            code: try json.require("code"), severity: try json.word("severity"), path: try json.require("path"),
            line: try json.require("line"), column: try json.require("column"), detail: try json.require("detail"))
    }
}

extension JSONCursor {
    /// A word out of a list that both sides know.
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
        guard (0...(1 << 50)).contains(count) else { throw error(.unsuitable(expected: "a size that a file can have")) }
        return count
    }
}
