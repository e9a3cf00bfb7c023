package import WidgetBytes
package import WidgetFiles

/// The reason for a refusal or a failure, with the values that the caller needs to report it.
///
/// Nothing was changed when one of these is thrown.
package enum RegistryError: Error, Equatable, Sendable {
    /// `spelling` is a bundle identifier that differs only in case.
    case noSuchBundle(String, spelling: String?)
    /// `spelling` is the widget identifier as it would have found a bundle.
    case noSuchWidget(String, spelling: String?)
    case noSuchRelease(bundle: String, key: String)
    case noSuchChannel(bundle: String, channel: String)
    /// Everything the channel shows asks for a newer system or host, or its first release is not rolled out fully.
    case noCompatibleRelease(bundle: String, channel: String)
    case withdrawn(bundle: String, key: String, Withdrawal)
    /// A rule of the operator has removed what was stored of the release.
    case expired(bundle: String, key: String, Expiry)
    /// The same for a withdrawn release that a channel shows, which has nothing else, with the directives for hosts.
    case nothingLeft(bundle: String, key: String, Withdrawal, [WithdrawnRelease])
    case pinMismatch(matched: String, pin: String)
    case identityMismatch(expected: String, found: String)
    case identifierCaseConflict(existing: String, offered: String)
    /// The key belongs to other content; both are content digests.
    case releaseExists(bundle: String, key: String, stored: Digest, offered: Digest)
    /// The key belongs to a release that was withdrawn; with equal content digests, restoring it is the way out.
    case keyWithdrawn(bundle: String, key: String, stored: Digest, offered: Digest, Withdrawal)
    /// The key belongs to a release that has expired.
    case keyExpired(bundle: String, key: String, stored: Digest, offered: Digest, Expiry)
    /// The prefix would take up more than its operator allows.
    case quotaExceeded(QuotaBreach)
    case invalidChannelName(String)
    /// A new channel differs in case alone from one that is protected, or that the bundle has.
    case channelCaseConflict(existing: String, offered: String)
    case invalidRollout(Int)
    /// The author is limited to other channels: those listed.
    case channelNotGranted(String, to: String, [String])
    /// A channel that is not among those the author is limited to has the release in its history.
    case withdrawalNotGranted(key: String, channel: String, to: String, [String])
    /// The author has not the scope `promote`, which this change of a channel wants.
    case promotionNeeded(PromotionNeed, by: String, bundle: String, channel: String)
    /// The bundle has as many channels as one may have.
    case tooManyChannels(bundle: String, limit: Int)
    case noEarlierRelease(bundle: String, channel: String)
    /// The channel cannot go back to a release that it has not shown.
    case neverShown(bundle: String, channel: String, key: String)
    /// `until` is when its window ended, in seconds since 1970.
    case restoreTooLate(bundle: String, key: String, until: Int64)
    case notWithdrawn(bundle: String, key: String)
    /// The caller's condition does not hold for the channel, which is given as it is; `nil`: it does not exist.
    case preconditionFailed(Channel?)
    case preconditionRequired
    case noSuchBlob(Digest)
    /// The bytes on the disk are not those that were stored; they were moved to quarantine.
    case damagedBlob(Digest)
    case noSuchToken(String)
    /// A token that could act on the same bundles has, or once had, the name.
    case tokenExists(String)
    /// Several tokens have the name; their prefixes.
    case ambiguousToken(String, prefixes: [String])
    /// A token that cannot get another secret, because it has expired.
    case expiredToken(String, at: Int64)
    /// The token got another secret than the one that was to be replaced.
    case rotatedToken(String)
    /// A name or prefix that a token cannot have, or a page's place that no page ended with: which, and why.
    case invalidValue(String, reason: String)
    /// Another process serves this data directory.
    case locked(by: String)
    /// The catalog is not as it was written.
    case damaged(String)
    /// The catalog is older than what this data directory has shown already: tags of the feed.
    case staleCatalog(latest: Int64, shown: Int64)
    /// A command that replaces the catalog was cut short; its name.
    case unfinished(String)
    /// The file is not a backup, or not a complete one.
    case invalidBackup(String)
    /// Other work on the whole store is under way.
    case underWay(HousekeepingTask)
    /// The caller no longer waits for the work.
    case interrupted
    /// The catalog was written by a newer version of this program.
    case newerStore(version: Int64)
    case outOfSpace
    /// A digest could not be computed for lack of memory.
    case outOfMemory
    /// A file could not be read or written: which, and why.
    case storage(FileError)
    /// The store of archives answers, and cannot be used: why.
    case storeRefused(String)
    /// It is the store of another catalog, or of none: why.
    case otherStore(String)
    /// The store of archives could not be asked: why.
    case unreachable(String)
    /// The catalog cannot be asked at present; it has written nothing.
    case unavailable(CatalogFailure)
    /// The catalog could not be asked, or could not say whether it has written.
    case database(CatalogFailure)
}

/// The reason why a catalog did not answer. The changes that it was given may or may not be written.
package struct CatalogFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension RegistryError {
    package init(_ error: FileError) {
        self = error.isOutOfSpace ? .outOfSpace : .storage(error)
    }
}

/// Reads from a storage; `nil` where it cannot give the bytes, which costs them alone.
func readable<Value: ~Copyable>(
    _ body: () throws(RegistryError) -> Value?
) throws(RegistryError) -> Value? {
    do throws(RegistryError) {
        return try body()
    } catch .storage(let error) where !error.isOutOfDescriptors {
        return nil
    }
}
