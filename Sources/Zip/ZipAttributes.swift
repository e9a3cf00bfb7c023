/// What the directory says an entry is, besides its name.
///
/// The Unix type bits are judged whatever system claims to have made the archive, because readers differ in
/// whom they believe. Permission and set-id bits are not kept at all.
package struct ZipAttributes: Equatable, Sendable {
    /// What is neither a file nor a directory.
    package enum Special: String, Equatable, Sendable {
        case link, device, fifo, socket
        case volumeLabel = "volume label"
        case unknown = "unknown type"
    }

    /// The system that made the entry (APPNOTE 4.4.2): the high byte of the version it was made by.
    let host: UInt8
    let external: UInt32

    /// FAT and NTFS, whose tools write `\` between components.
    var isWindows: Bool { host == 0 || host == 10 }

    private var isUnix: Bool { host == 3 || host == 19 }
    private var unixType: UInt32 { external >> 28 }
    private var hasDirectoryBit: Bool { external & 0x10 != 0 }

    /// The kind of thing that cannot be in a bundle, if this is one.
    var special: Special? {
        switch unixType {
        case 0, 0o04, 0o10: break
        case 0o12: return .link
        case 0o02, 0o06: return .device
        case 0o01: return .fifo
        case 0o14: return .socket
        default: return .unknown
        }
        // The DOS attributes; a Unix tool uses the second byte for something else.
        if isUnix { return nil }
        if external & 0x08 != 0 { return .volumeLabel }
        if external & 0x40 != 0 { return .device }
        if external & 0x400 != 0 { return .link }
        return nil
    }

    /// Whether both ways of saying "directory" allow what the name says.
    func agrees(isDirectory: Bool) -> Bool {
        if isDirectory { return unixType != 0o10 }
        return unixType != 0o04 && !hasDirectoryBit
    }
}
