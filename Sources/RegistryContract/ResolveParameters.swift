package import Bytes

/// The query by which a host resolves a widget identifier.
package struct ResolveParameters: Equatable, Sendable {
    package static let channel = QueryParameter.channelName("channel", "\(ChannelName.standard) unless given.")
    package static let os = QueryParameter.version(
        "os", "The host's system: releases that need a newer one are left out.")
    package static let host = QueryParameter.version(
        "host", "The host's version: releases that need a newer one are left out.")
    package static let pin = QueryParameter.text(
        "pin", .bundleIdentifier, "The bundle that has to match.", expectation: "a bundle identifier",
        where: BundleIdentifier.isIdentifier)
    package static let have = QueryParameter.digest("have", "The archive the host has.")
    package static let bucket = QueryParameter.number(
        "bucket", 0...Rollout.lastBucket,
        "The host's bucket, for those who ask once: \(Rollout.lastBucket) unless given.")

    package static let all = [
        channel.described, os.described, host.described, pin.described, have.described, bucket.described,
    ]

    package var channel: String?
    package var os: String?
    package var host: String?
    package var pin: String?
    package var have: Digest?
    package var bucket: Int?

    package init(channel: String? = nil, os: String? = nil, host: String? = nil, pin: String? = nil) {
        self.channel = channel
        self.os = os
        self.host = host
        self.pin = pin
    }

    /// Reads a query. A value that a parameter does not take is refused, an unknown parameter ignored.
    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        channel = try Self.channel.value(in: query)
        os = try Self.os.value(in: query)
        host = try Self.host.value(in: query)
        pin = try Self.pin.value(in: query)
        have = try Self.have.value(in: query)
        bucket = try Self.bucket.value(in: query)
    }

    package var query: QueryText {
        var query: QueryText = []
        Self.channel.add(channel, to: &query)
        Self.os.add(os, to: &query)
        Self.host.add(host, to: &query)
        Self.pin.add(pin, to: &query)
        Self.have.add(have, to: &query)
        Self.bucket.add(bucket, to: &query)
        return query
    }
}
