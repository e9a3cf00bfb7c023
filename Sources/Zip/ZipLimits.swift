/// The most an archive may ask of us, each with the danger it bounds.
package struct ZipLimits: Equatable, Sendable {
    /// Bytes of the archive: what an upload may occupy on disk.
    package var archiveByteCount = 64 << 20
    /// Entries: what the table in memory may grow to.
    package var entryCount = 4_096
    /// Bytes of a whole name, as the archive writes it and as we do.
    package var pathByteCount = 512
    /// Components of a name: how deep a tree may nest where it is unpacked.
    package var pathDepth = 16
    /// Bytes of one component: what common file systems can store.
    package var componentByteCount = 255
    /// Bytes of all entries expanded: what unpacking may occupy.
    package var expandedByteCount = 256 << 20
    /// Bytes of one entry expanded: what one file may cost to read.
    package var entryByteCount = 64 << 20
    /// Expanded bytes for each compressed byte: more is a bomb.
    package var ratio = 200
    /// Entries up to this size are exempt from ``ratio``: white space compresses well and harms nobody.
    package var ratioExemptByteCount = 1 << 20
    /// Bytes of one header's extra fields: what may be skipped unread.
    package var extraByteCount = 4_096
    /// Bytes of a comment: the only text in an archive that belongs to no file.
    package var commentByteCount = 1_024

    package init() {}

    package enum Name: String, Equatable, Sendable {
        case archiveByteCount = "archive size"
        case entryCount = "number of entries"
        case pathByteCount = "length of a name"
        case pathDepth = "depth of a name"
        case componentByteCount = "length of a name's component"
        case expandedByteCount = "expanded size of all entries"
        case entryByteCount = "expanded size of one entry"
        case ratio = "compression ratio"
        case extraByteCount = "size of extra fields"
        case commentByteCount = "size of a comment"
    }

    package func value(of name: Name) -> Int {
        switch name {
        case .archiveByteCount: archiveByteCount
        case .entryCount: entryCount
        case .pathByteCount: pathByteCount
        case .pathDepth: pathDepth
        case .componentByteCount: componentByteCount
        case .expandedByteCount: expandedByteCount
        case .entryByteCount: entryByteCount
        case .ratio: ratio
        case .extraByteCount: extraByteCount
        case .commentByteCount: commentByteCount
        }
    }

    /// Throws when `value` is over the limit of that name.
    func require(_ value: Int, within name: Name, entry: String? = nil, at offset: Int?) throws(ZipError) {
        let limit = self.value(of: name)
        if value > limit { throw ZipError(.limitReached(name, limit: limit), entry: entry, at: offset) }
    }
}
