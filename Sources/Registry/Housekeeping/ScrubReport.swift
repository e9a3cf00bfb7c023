package import Bytes

/// What a look at every stored byte has found.
package struct ScrubReport: Equatable, Sendable {
    package var archives = 0
    package var byteCount = 0
    /// Archives whose bytes are not those of their digest; they are in quarantine.
    package var damaged: [Digest] = []
    /// Archives that are not there.
    package var missing: [Digest] = []
    /// Archives that the disk did not give: nothing is known of them.
    package var unreadable: [Digest] = []
    /// Small files beside archives that were gone or wrong, and were written anew from the catalog.
    package var healed = 0
    /// What is wrong with the catalog, in words.
    package var catalog: [String] = []

    package init() {}

    package var isSound: Bool { damaged.isEmpty && missing.isEmpty && unreadable.isEmpty && catalog.isEmpty }
}
