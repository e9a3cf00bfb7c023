package import Bytes

/// What a catalog made anew holds, and what could not be brought back.
package struct RebuildReport: Equatable, Sendable {
    package var bundles = 0
    package var releases = 0
    package var withdrawn = 0
    package var channels = 0
    /// Releases known from their archive alone: who published them, when, and where is lost.
    package var recovered: [String] = []
    /// Archives whose bytes are not those of their digest; they are in quarantine.
    package var damaged: [Digest] = []
    /// Releases whose archive is not there, or not whole. Publishing them again heals them.
    package var lost: [String] = []
    /// Files that say nothing that could be used, each with the reason.
    package var skipped: [String] = []
    /// Records of the audit taken over from the catalog that was replaced; `nil` when it could not be read.
    package var auditRecords: Int?
    /// What every channel's sequence is now.
    package var sequence: Int64 = 0

    package init() {}
}

/// What a restored backup holds.
package struct RestoreReport: Equatable, Sendable {
    package var archives = 0
    package var releases = 0
    package var tokens = 0
    /// When it was made, in seconds since 1970.
    package var created: Int64 = 0
    /// Archives that the backup says were missing already.
    package var missing: [Digest] = []
    /// Archives in the store that the restored catalog does not know.
    package var unknown = 0
    /// Records of the audit since the backup, taken over from the catalog that was replaced; `nil` when there was none
    /// of the same registry that could be read.
    package var auditRecords: Int?
    package var sequence: Int64 = 0

    package init() {}
}
