internal import Bytes
package import JSONText
internal import WidgetBundles
internal import Zip

extension ReleaseCandidate: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let bounds: [Int] = try json.require("buckets")
        // An empty range is refused with the rest of what cannot be.
        buckets = bounds.count == 2 && 0 <= bounds[0] && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : 0..<0
        release = try json.require("release")
        digest = try json.require("sha256")
        contentDigest = try json.require("content")
        byteCount = try json.require("size")
        name = try json.require("name")
        url = try json.require("url")
        files = try json.require("files")
    }

    /// What it says that cannot be true.
    func contradiction(_ limits: BundleLimits) -> FetchError.Contradiction? {
        guard !buckets.isEmpty else { return .buckets }
        guard ReleaseCandidate.isKey(release) else { return .release }
        guard (1...limits.archiveByteCount).contains(byteCount) else { return .size }
        guard (1...limits.entryCount).contains(files.count) else { return .files }
        var end = 0
        var expanded = 0
        var content = ContentDigest()
        var previous: String?
        for file in files {
            guard file.dataRange.lowerBound >= end, file.dataRange.upperBound <= byteCount,
                file.byteCount <= limits.fileByteCount
            else { return .files }
            if let previous, previous.byteOrder(file.path) >= 0 { return .files }
            // Each is at most as large as one may be, so the sum stays a number.
            expanded += file.byteCount
            guard expanded <= limits.expandedByteCount else { return .files }
            end = file.dataRange.upperBound
            previous = file.path
            content.add(path: file.path, byteCount: file.byteCount, digest: file.digest)
        }
        return content.finish() == contentDigest ? nil : .content
    }

    /// `<short version>~<build>`, with a digest's first digits on a snapshot channel.
    static func isKey(_ text: String) -> Bool {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { BundleManifest.isVersion(String($0.prefix(64))) }
            && text.utf8.count <= 160
    }
}

extension ReleaseCandidate.File: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        path = try json.require("path")
        byteCount = try json.require("size")
        digest = try json.require("sha256")
        let offset: Int = try json.require("offset")
        let compressedByteCount: Int = try json.require("compressedSize")
        guard byteCount >= 0, offset >= 0, compressedByteCount >= 0, let end = offset.adding(compressedByteCount) else {
            throw json.error(.unsuitable(expected: "sizes and an offset that a file can have"))
        }
        dataRange = offset..<end
        method = try json.require("method", as: String.self) == "stored" ? .stored : .deflate
    }
}

extension Digest: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        guard let digest = Digest(hex: try String(json: json)) else {
            throw json.error(.unsuitable(expected: "a SHA-256 in 64 lower-case hexadecimal digits"))
        }
        self = digest
    }
}
