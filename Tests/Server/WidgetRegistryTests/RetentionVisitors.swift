import JSONText
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

private let day: Int64 = 86_400

/// Hosts and readers under random histories: hosts ask, some of them pinned to a bundle, and fetch up to a day later the parts that
/// they lack; readers open an archive, and read on while it goes.
struct RetentionVisitors {
    /// The kinds of visits that have come to something.
    struct Visits: CustomStringConvertible {
        var parts = 0
        var pinned = 0
        var refusedPins = 0
        var readers = 0
        /// Readers of a release that has ended meanwhile.
        var late = 0

        mutating func add(_ other: Visits) {
            parts += other.parts
            pinned += other.pinned
            refusedPins += other.refusedPins
            readers += other.readers
            late += other.late
        }

        var isComplete: Bool { [parts, pinned, refusedPins, readers, late].allSatisfy { $0 > 0 } }
        var description: String {
            "\(parts) parts, \(pinned) pinned, \(refusedPins) refused, \(readers) readers, \(late) of them late"
        }
    }

    /// A host with one release, and the one that it was offered.
    private struct Host {
        var pin: String?
        /// The digests of the files that it has.
        var files: Set<String> = []
        var offer: (release: Release, files: [UInt8], at: Int64)?
    }

    private var hosts: [Host] = []
    private var readers: [(blob: Blob, bundle: String, key: String)] = []
    private(set) var visits = Visits()

    private static let mostHosts = 12
    private static let mostReaders = 4

    /// Has some host ask, some host fetch, and some reader open an archive.
    mutating func act(
        _ bundles: [String], _ channels: [String], _ registry: Registry, _ generator: inout SeededGenerator,
        at now: Int64
    ) throws {
        let (bundle, channel) = (
            bundles.randomElement(using: &generator) ?? "", channels.randomElement(using: &generator) ?? ""
        )
        try ask(bundle, channel, pin: bundles.randomElement(using: &generator), registry, &generator, at: now)
        if let place = hosts.indices.randomElement(using: &generator), Bool.random(using: &generator) {
            try fetch(place, registry)
        }
        guard
            let release = try? registry.releases(bundle, limit: 1_000, after: nil).items.filter({ !$0.isGone })
                .randomElement(using: &generator)
        else { return }
        if readers.count == Self.mostReaders {
            readers.remove(at: Int.random(in: 0..<readers.count, using: &generator))
        }
        readers.append((try registry.openBlob(release.digest), bundle, release.key))
        visits.readers += 1
    }

    private mutating func ask(
        _ bundle: String, _ channel: String, pin: String?, _ registry: Registry, _ generator: inout SeededGenerator,
        at now: Int64
    ) throws {
        let place: Int
        if hosts.count < Self.mostHosts {
            hosts.append(Host(pin: Bool.random(using: &generator) ? pin : nil))
            place = hosts.count - 1
        } else {
            place = Int.random(in: 0..<hosts.count, using: &generator)
        }
        let query = ResolveQuery(widgetIdentifier: "\(bundle)-1", channel: channel, pin: hosts[place].pin)
        do {
            let resolution = try registry.resolve(query)
            guard let candidate = resolution.candidates.randomElement(using: &generator) else { return }
            hosts[place].offer = (candidate.release, candidate.files, now)
            if hosts[place].pin != nil { visits.pinned += 1 }
        } catch RegistryError.pinMismatch {
            visits.refusedPins += 1
        } catch {
            // There is nothing to show at this moment.
        }
    }

    /// Fetches the parts of an offered release that a host lacks, as ranges of its archive.
    ///
    /// - Throws: if they cannot be read.
    private mutating func fetch(_ place: Int, _ registry: Registry) throws {
        guard let offer = hosts[place].offer else { return }
        hosts[place].offer = nil
        guard try registry.release(offer.release.bundleIdentifier, offer.release.key).withdrawal == nil else { return }
        let blob = try registry.openBlob(offer.release.digest)
        var files: Set<String> = []
        for file in try JSONValue(parsing: offer.files).array ?? [] {
            guard let digest = file["sha256"]?.string else { throw Unreadable(what: "\(offer.release.key): a file") }
            files.insert(digest)
            if hosts[place].files.contains(digest) { continue }
            guard let offset = file["offset"]?.integer, let count = file["compressedSize"]?.integer,
                let method = file["method"]?.string
            else { continue }
            let part = try Self.digest(of: blob, Int(offset)..<Int(offset + count))
            guard method != "stored" || part.hex == digest else {
                throw Unreadable(what: "\(offer.release.key): other bytes")
            }
            visits.parts += 1
        }
        hosts[place].files = files
    }

    /// Each host that was offered a release less than a day ago can fetch it, and each reader has all of its archive.
    mutating func faults(_ registry: Registry, at now: Int64) throws -> [String] {
        var faults: [String] = []
        for place in hosts.indices {
            guard let offer = hosts[place].offer else { continue }
            guard now - offer.at < day else {
                hosts[place].offer = nil
                continue
            }
            do {
                var copy = self
                try copy.fetch(place, registry)
            } catch {
                faults.append("a host was offered \(offer.release.bundleIdentifier) \(offer.release.key): \(error)")
            }
        }
        for reader in readers {
            if try Self.digest(of: reader.blob, 0..<reader.blob.byteCount) != reader.blob.digest {
                faults.append("a reader of \(reader.bundle) \(reader.key) has other bytes")
            }
            if try registry.release(reader.bundle, reader.key).isGone { visits.late += 1 }
        }
        return faults
    }

    private struct Unreadable: Error {
        var what: String
    }

    private static func digest(of blob: Blob, _ range: Range<Int>) throws -> Digest {
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 64 << 10)
        _ = try blob.file.descriptor.forEachPiece(of: range, through: &window) { sha.update($0) }
        guard let digest = sha.finish() else { throw RegistryError.outOfMemory }
        return digest
    }
}
