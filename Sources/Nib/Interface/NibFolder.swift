/// Which of the files in a nib folder is the interface.
///
/// Xcode writes several for hosts of different ages: `runtime.nib` for any, `objects-13.0+.nib` for those from that
/// version on; on macOS `keyedobjects.nib` and `keyedobjects-101300.nib`.
package enum NibFolder {
    /// The one for the newest host among these names; nil when none is an interface.
    package static func newest(of names: some Sequence<String>) -> String? {
        names.compactMap { name in rank(name).map { (name: name, rank: $0) } }
            .max { left, right in (left.rank, right.name) < (right.rank, left.name) }?.name
    }

    /// Higher is newer.
    private static func rank(_ name: String) -> Double? {
        switch name {
        case "runtime.nib": return 0
        // Beside keyed objects it is the typed stream that hosts of 2001 read.
        case "objects.nib": return 0.25
        case "keyedobjects.nib": return 0.5
        default: break
        }
        for (prefix, suffix) in [("objects-", "+.nib"), ("keyedobjects-", ".nib")]
        where name.hasPrefix(prefix) && name.hasSuffix(suffix)
            && name.utf8.count > prefix.utf8.count + suffix.utf8.count
        {
            let version = name.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
            if let number = Double(String(Substring(version))), number.isFinite { return 1 + number }
        }
        return nil
    }
}
