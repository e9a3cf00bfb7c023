internal import RegistryContract
package import WidgetBytes

/// A bundle, as a catalog keeps it. Numbers are the catalog's own, and mean nothing elsewhere.
package struct BundleRecord: Equatable, Sendable {
    package var id: Int64
    package var identifier: String
    package var name: String
    package var latest: Int64?
    package var releaseCount: Int

    package init(id: Int64, identifier: String, name: String, latest: Int64?, releaseCount: Int) {
        self.id = id
        self.identifier = identifier
        self.name = name
        self.latest = latest
        self.releaseCount = releaseCount
    }

    /// Letters in one case: two identifiers that differ in nothing else are one name to people.
    package static func folded(_ identifier: String) -> String {
        String(decoding: identifier.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The bundle without its contents.
    var reference: BundleName { BundleName(id: id, identifier: identifier) }
}

/// A bundle's number and identifier.
package struct BundleName: Equatable, Sendable {
    package var id: Int64
    package var identifier: String

    package init(id: Int64, identifier: String) {
        self.id = id
        self.identifier = identifier
    }
}

/// Part of the bundles in the order of their identifiers.
package struct BundleRange: Sendable {
    /// The first identifier, or where it would be.
    package var from: String
    /// One that is left out.
    package var besides: String
    /// The end of the part.
    package var below: String
    /// A channel of which each bundle is said whether it has it.
    package var channel: String?
    package var limit: Int

    package init(from: String, besides: String, below: String, channel: String?, limit: Int) {
        self.from = from
        self.besides = besides
        self.below = below
        self.channel = channel
        self.limit = limit
    }
}

/// A release, as a catalog keeps it.
package struct ReleaseRecord: Equatable, Sendable {
    package var id: Int64
    package var bundle: Int64
    /// Everything stored of it. The bundle's identifier and the channels are filled in by ``release(of:shownBy:)``.
    package var release: Release
    /// Its version as bytes that compare as versions do.
    package var version: [UInt8]
    package var withdrawnBy: String?
    /// When its last withdrawal was taken back.
    package var restored: Int64?
    /// When a channel stopped to show it last; `nil` if none did.
    package var shownUntil: Int64?

    package init(
        id: Int64, bundle: Int64, release: Release, version: [UInt8], withdrawnBy: String?, restored: Int64?,
        shownUntil: Int64? = nil
    ) {
        self.id = id
        self.bundle = bundle
        self.release = release
        self.version = version
        self.withdrawnBy = withdrawnBy
        self.restored = restored
        self.shownUntil = shownUntil
    }

    /// A release that is not stored yet, so without a number.
    package init(_ release: Release, ofBundle bundle: Int64 = 0) {
        self.init(
            id: 0, bundle: bundle, release: release,
            version: VersionOrder.key(shortVersion: release.shortVersion, build: release.build), withdrawnBy: nil,
            restored: nil)
    }

    package var key: String { release.key }
    package var digest: Digest { release.digest }
    package var withdrawal: Withdrawal? { release.withdrawal }
    package var expiry: Expiry? { release.expiry }
    package var isGone: Bool { release.isGone }

    /// True for a snapshot that went only because enough later ones existed, or by a rule of the operator.
    var isRetired: Bool {
        guard release.isSnapshot, isGone else { return false }
        return withdrawal == nil || withdrawnBy == Retention.author
    }

    /// The release in names, as readers know it.
    func release(of bundle: String, shownBy channels: [ChannelRecord]) -> Release {
        var release = release
        release.bundleIdentifier = bundle
        release.channels = channels.filter { $0.state.shows(id) }.map(\.name)
        return release
    }
}

/// The state of a channel, in the catalog's numbers.
package struct ChannelState: Equatable, Sendable {
    package var release: Int64
    package var base: Int64?
    package var rollout: Int
    package var isMandatory: Bool
    package var salt: String

    package init(release: Int64, base: Int64?, rollout: Int, isMandatory: Bool, salt: String) {
        self.release = release
        self.base = base
        self.rollout = rollout
        self.isMandatory = isMandatory
        self.salt = salt
    }

    package func shows(_ id: Int64) -> Bool { release == id || base == id }
}

/// A channel, as a catalog keeps it.
package struct ChannelRecord: Equatable, Sendable {
    package var bundle: Int64
    package var name: String
    package var state: ChannelState
    package var sequence: Int64
    package var changedAt: Int64
    /// The last step of its history.
    package var head: Int64
    /// The first step of its history. Steps of a channel that was deleted and had its name are older.
    package var origin: Int64

    package init(
        bundle: Int64, name: String, state: ChannelState, sequence: Int64, changedAt: Int64, head: Int64,
        origin: Int64 = 0
    ) {
        self.bundle = bundle
        self.name = name
        self.state = state
        self.sequence = sequence
        self.changedAt = changedAt
        self.head = head
        self.origin = origin
    }

    func nextSequence() throws(RegistryError) -> Int64 {
        let (next, isTooHigh) = sequence.addingReportingOverflow(1)
        guard !isTooHigh else { throw .damaged("the sequence of \(name) is as high as a number can be") }
        return next
    }
}

/// A step of a channel's history: how a release came onto it.
package struct ChannelStep: Equatable, Sendable {
    package enum Kind: String, Sendable { case publish, promote, rollback, withdraw }

    /// 0 until it is stored; later steps have higher numbers.
    package var id: Int64 = 0
    package var bundle: Int64
    package var channel: String
    package var sequence: Int64
    package var at: Int64
    package var kind: Kind
    package var state: ChannelState
    /// The step that a rollback returns to.
    package var previous: Int64?
    /// For a withdrawal, the step that restoring returns to,
    package var replaced: Int64?
    /// and the release that went.
    package var cause: Int64?

    package init(
        bundle: Int64, channel: String, sequence: Int64, at: Int64, kind: Kind, state: ChannelState,
        previous: Int64? = nil, replaced: Int64? = nil, cause: Int64? = nil
    ) {
        self.bundle = bundle
        self.channel = channel
        self.sequence = sequence
        self.at = at
        self.kind = kind
        self.state = state
        self.previous = previous
        self.replaced = replaced
        self.cause = cause
    }
}

/// The finished JSON documents of a release.
package struct ReleaseDocuments: Equatable, Sendable {
    package var files: [UInt8]
    package var report: [UInt8]
    /// In no order; names occur once.
    package var parts: [ReleasePart]

    package init(files: [UInt8], report: [UInt8], parts: [ReleasePart] = []) {
        self.files = files
        self.report = report
        self.parts = parts
    }
}

/// A small file about a release that was made when it was published, such as a still of a screen.
///
/// A catalog keeps it as long as the release's documents. A rebuilt catalog lacks them, and works.
package struct ReleasePart: Equatable, Sendable {
    package var name: String
    package var mediaType: String
    package var content: [UInt8]

    package init(name: String, mediaType: String, content: [UInt8]) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }
}

/// An archive that may still be asked for.
package struct StoredBlob: Equatable, Sendable {
    package var digest: Digest
    package var byteCount: Int

    package init(digest: Digest, byteCount: Int) {
        self.digest = digest
        self.byteCount = byteCount
    }
}

/// The part of a release with an archive that decides which items belong beside the archive.
package struct StoredShare: Sendable {
    package var release: Int64
    package var digest: Digest
    package var key: String
    /// True when its documents are stored, and so its archive must be.
    package var isStored: Bool
    /// True for a release that was withdrawn, of which a note tells; likewise for one that has expired.
    package var isWithdrawn: Bool
    package var isExpired: Bool

    package init(
        release: Int64, digest: Digest, key: String, isStored: Bool, isWithdrawn: Bool, isExpired: Bool
    ) {
        self.release = release
        self.digest = digest
        self.key = key
        self.isStored = isStored
        self.isWithdrawn = isWithdrawn
        self.isExpired = isExpired
    }
}
