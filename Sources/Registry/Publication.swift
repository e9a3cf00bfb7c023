internal import Bytes
package import RegistryContract
package import WidgetBundles

/// How a bundle is to be published.
package struct PublishRequest: Sendable {
    package var options: PublishOptions
    /// The publisher's name.
    package var by: Author
    package var rights: ChannelRights
    /// What the caller said the bundle would be.
    package var assertedIdentifier: String?
    package var assertedKey: String?

    package init(
        _ options: PublishOptions = PublishOptions(), by: Author, rights: ChannelRights = .all,
        assertedIdentifier: String? = nil, assertedKey: String? = nil
    ) {
        self.options = options
        self.by = by
        self.rights = rights
        self.assertedIdentifier = assertedIdentifier
        self.assertedKey = assertedKey
    }

    package var channel: String { options.channel ?? ChannelName.standard }
    var rollout: Int { options.rollout ?? Rollout.bucketCount }
    var forcesPromotion: Bool { options.forcesPromotion }

    /// The release of a bundle as it would be stored.
    func release(
        of bundle: WidgetBundle, isSnapshot: Bool, at time: Int64
    ) throws(RegistryError) -> Release {
        let manifest = bundle.manifest
        let key =
            isSnapshot ? "\(manifest.releaseKey)+\(bundle.contentDigest.hex.prefix(12))" : manifest.releaseKey
        if let assertedIdentifier, assertedIdentifier != manifest.identifier {
            throw .identityMismatch(expected: assertedIdentifier, found: manifest.identifier)
        }
        // Who asserts a snapshot may not know its content digest, so the version alone will do.
        if let assertedKey, assertedKey != key, assertedKey != manifest.releaseKey {
            throw .identityMismatch(expected: assertedKey, found: key)
        }
        return Release(
            bundle, key: key, published: time, by: by.name, remarks: options.remarks, isSnapshot: isSnapshot)
    }
}

extension Release {
    /// A release of a bundle, as its manifest and its archive tell of it.
    init(
        _ bundle: WidgetBundle, key: String, published: Int64, by: String,
        remarks: PublisherRemarks = PublisherRemarks(), isSnapshot: Bool
    ) {
        let manifest = bundle.manifest
        self.init(
            bundleIdentifier: manifest.identifier, key: key, shortVersion: manifest.shortVersion,
            build: manifest.build, name: bundle.name, digest: bundle.digest, contentDigest: bundle.contentDigest,
            byteCount: bundle.byteCount, published: published, publishedBy: by, remarks: remarks,
            minimumOSVersion: manifest.minimumOSVersion, minimumHostVersion: manifest.minimumHostVersion,
            isSnapshot: isSnapshot)
    }
}

/// What publishing came to, or would come to.
package struct Publication: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case created
        /// The same content was there under that key.
        case unchanged
    }

    /// Something the publisher should know although it went well.
    package struct Warning: Equatable, Sendable {
        package var code: BundleWarning.Code
        package var detail: String
    }

    package var release: Release
    package var outcome: Outcome
    package var warnings: [Warning]
    /// What happened to this upload on its way in: a JSON object.
    package var report: [UInt8]
    /// The channel named, as it is afterwards; `nil` when it does not exist.
    package var channel: Channel?
}
