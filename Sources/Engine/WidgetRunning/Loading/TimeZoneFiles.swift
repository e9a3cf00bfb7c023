internal import Files
package import WidgetCore

/// The time zones that this machine has files of.
package enum TimeZoneFiles {
    private static let folder = "/usr/share/zoneinfo"
    private static let local = "/etc/localtime"
    private static let nameByteCount = 200

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
