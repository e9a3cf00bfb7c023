internal import WidgetBytes
package import WidgetCore
internal import WidgetFiles
internal import WidgetRunning

/// The time zones that this machine has files of.
package enum TimeZoneFiles {
    private static let folder = "/usr/share/zoneinfo"
    private static let local = "/etc/localtime"
    private static let nameByteCount = 200
    /// The files and folders of one folder of zones that are listed, and the folders within each other.
    private static let (itemCount, depth) = (2_000, 3)
    /// The folders of second copies, whose names are not suggested.
    private static let copies: Set<String> = ["posix", "right"]

    /// The rules of a zone as `TZ` names one: by its name (`Europe/Vienna`), by a path, or by a rule of POSIX.
    ///
    /// - Returns: `nil` if this machine does not have the zone.
    package static func rules(named text: String) -> TimeZoneRules? {
        let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        guard !name.isEmpty, name.utf8.count <= nameByteCount else { return nil }
        // These names need no file.
        if ["UTC", "GMT", "Z"].contains(name) { return .utc }
        if name.hasPrefix("/") { return rules(at: name) }
        return (isFileName(name) ? rules(at: "\(folder)/\(name)") : nil) ?? TimeZoneRules(posix: name)
    }

    /// The zone that is most likely meant by a misspelt name, or by that of a city alone.
    package static func nearest(to text: String) -> String? {
        let wanted = text.lowercased().split(separator: " ").joined(separator: "_")
        let names = names()
        let cities = Dictionary(names.map { ($0.split(separator: "/").last.map(String.init) ?? $0, $0) }) { first, _ in
            first
        }
        let city = wanted.contains("/") ? nil : NearestName.of(wanted, in: cities.keys.sorted()).flatMap { cities[$0] }
        return (city ?? NearestName.of(wanted, in: names)).flatMap { rules(named: $0) == nil ? nil : $0 }
    }

    /// The names of the zones that this machine has files of, sorted.
    private static func names() -> [String] {
        var names: [String] = []
        var pending = [(path: folder, prefix: "", depth: 1)]
        while let next = pending.popLast() {
            // A folder that cannot be read has no name to suggest.
            guard let directory = try? Directory(opening: next.path),
                let items = try? directory.items(limit: itemCount)
            else { continue }
            for item in items where isFileName(item.name) && !copies.contains(item.name) {
                let name = next.prefix + item.name
                switch item.status.kind {
                case .directory where next.depth < depth:
                    pending.append(("\(next.path)/\(item.name)", "\(name)/", next.depth + 1))
                case .directory, .other: continue
                case .file, .link: names.append(name)
                }
            }
        }
        return names.sorted()
    }

    /// The rules of this machine's zone, UTC if it does not say.
    ///
    /// - Parameter variable: the value of `TZ`; an empty one says UTC.
    /// - Returns: `nil` if `TZ` names no zone.
    package static func current(_ variable: String?) -> TimeZoneRules? {
        guard let variable else { return rules(at: local) ?? .utc }
        return variable.isEmpty ? .utc : rules(named: variable)
    }

    /// True if a name leads to a file within the folder of zones.
    private static func isFileName(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.first != "."
                && part.utf8.allSatisfy { byte in
                    (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || "+-_".utf8.contains(byte)
                }
        }
    }

    private static func rules(at path: String) -> TimeZoneRules? {
        guard let file = try? FileDescriptor.readingNamed(path), let status = try? file.status(),
            status.kind == .file, status.byteCount <= TimeZoneRules.fileByteCount,
            let bytes = try? file.read(at: 0, count: status.byteCount)
        else { return nil }
        return TimeZoneRules(file: bytes)
    }
}
