/// The general purpose bits of an entry (APPNOTE 4.4.4).
struct ZipFlags: OptionSet {
    let rawValue: UInt16

    static let encrypted = ZipFlags(rawValue: 1 << 0)
    /// How hard the compressor tried; informative.
    static let compressionLevel = ZipFlags(rawValue: 1 << 1 | 1 << 2)
    static let descriptor = ZipFlags(rawValue: 1 << 3)
    static let enhancedDeflate = ZipFlags(rawValue: 1 << 4)
    static let patchData = ZipFlags(rawValue: 1 << 5)
    static let strongEncryption = ZipFlags(rawValue: 1 << 6)
    static let utf8 = ZipFlags(rawValue: 1 << 11)
    static let maskedHeaders = ZipFlags(rawValue: 1 << 13)

    private static let accepted: ZipFlags = [.compressionLevel, .descriptor, .utf8]

    /// The reason to refuse these flags, if there is one.
    var refusal: ZipError.Reason? {
        if contains(.maskedHeaders) { return .maskedHeaders }
        if contains(.strongEncryption) { return .strongEncryption }
        if contains(.encrypted) { return .encrypted }
        if contains(.patchData) { return .patchData }
        if contains(.enhancedDeflate) { return .enhancedDeflate }
        let unknown = subtracting(ZipFlags.accepted)
        return unknown.isEmpty ? nil : .unknownFlags(unknown.rawValue)
    }
}
