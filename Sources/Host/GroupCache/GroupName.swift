internal import WidgetBytes

/// The name of a group: the widgets and apps that share a cache. It is the name of a folder, too.
package struct GroupName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let longest = 128

    package let text: String

    /// - Throws: ``GroupCacheError/badGroupName(_:)`` unless it has letters, digits, dots, hyphens and underscores, begins
    ///   with a letter or a digit, and has at most ``longest`` of them.
    package init(_ text: String) throws(GroupCacheError) {
        let allowed = text.utf8.allSatisfy { GroupName.isAllowed($0) }
        guard allowed, 1...GroupName.longest ~= text.utf8.count, text.utf8.first != UInt8(ascii: "."),
            text.utf8.first != UInt8(ascii: "-"), text.utf8.first != UInt8(ascii: "_")
        else { throw .badGroupName(ShownText.plain(String(text.prefix(GroupName.longest)))) }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: GroupName, right: GroupName) -> Bool { left.text.byteOrder(right.text) < 0 }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}

/// The key of a value in a group's cache. Any text can be one: the file's name is its digest.
package struct GroupKey: Hashable, Sendable {
    package let name: String
    /// The identifier of the one widget that the value belongs to; `nil` for a value that the group shares.
    package let widget: String?
    let digest: Digest

    /// The name of its file in the folder of entries, as notices have it.
    package var fileName: String { "\(digest.hex).json" }

    /// - Throws: ``GroupCacheError/tooLong(_:limit:)``
    package init(_ name: String, of widget: String? = nil) throws(GroupCacheError) {
        guard name.utf8.count <= GroupCacheLimits.keyByteCount else {
            throw .tooLong("the key", limit: GroupCacheLimits.keyByteCount)
        }
        guard widget?.utf8.count ?? 0 <= GroupCacheLimits.keyByteCount else {
            throw .tooLong("the widget's identifier", limit: GroupCacheLimits.keyByteCount)
        }
        self.name = name
        self.widget = widget
        // The length in front keeps one widget's keys apart from another's.
        let scope = widget.map { "widget \($0.utf8.count) \($0) " } ?? "group "
        guard let digest = Digest.sha256(Array((scope + name).utf8)) else { throw .noDigest }
        self.digest = digest
    }

    package static func == (left: GroupKey, right: GroupKey) -> Bool { left.digest == right.digest }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The groups that a widget may reach: those that its bundle declares and its host grants.
package struct GroupAccess: Equatable, Sendable {
    package var declared: Set<GroupName>
    package var granted: Set<GroupName>

    package init(declared: Set<GroupName> = [], granted: Set<GroupName> = []) {
        self.declared = declared
        self.granted = granted
    }

    package func check(_ group: GroupName) throws(GroupCacheError) {
        guard declared.contains(group) else { throw .notDeclared(group) }
        guard granted.contains(group) else { throw .notGranted(group) }
    }
}
