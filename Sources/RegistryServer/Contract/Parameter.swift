/// Something a request says besides its content.
struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: Schema
    let about: String
    var isRequired = false

    private static func query(_ name: String, _ schema: Schema, _ about: String) -> Parameter {
        Parameter(name: name, place: .query, schema: schema, about: about)
    }

    private static func header(_ name: String, _ about: String, isRequired: Bool = false) -> Parameter {
        Parameter(name: name, place: .header, schema: .text, about: about, isRequired: isRequired)
    }

    static let channel = query("channel", .channelName, "stable unless given.")
    static let os = query("os", .version, "The host's system: releases that need a newer one are left out.")
    static let host = query("host", .version, "The host's version: releases that need a newer one are left out.")
    static let pin = query("pin", .bundleIdentifier, "The bundle that has to match.")
    static let have = query("have", .digest, "The archive the host has.")
    static let bucket = query(
        "bucket", .number(0...9_999), "The host's bucket, for those who ask once: 9999 unless given.")
    static let prefix = query("prefix", .text, "What identifiers begin with.")
    static let text = query("q", .text, "What identifier or name holds.")
    static let withChannel = query("channel", .channelName, "A channel that the bundle has.")
    static let limit = query("limit", .number(1...200), "The most items of a part.")
    static let cursor = query("cursor", .text, "The next of the part before.")
    static let since = query(
        "since", .count, "The tag of the last change the client knows; from the beginning unless given.")
    static let changeLimit = query("limit", .number(1...1_000), "The most items of a part.")
    static let rollout = query("rollout", .basisPoints, "10000 unless given.")
    static let dryRun = query("dryRun", .boolean, "Everything but storing.")
    static let strict = query("strict", .boolean, "Refuse what would be left out or warned about.")
    static let promote = query("promote", .word(["force"]), "Put it on the channel even if its version is lower.")
    static let reason = query("reason", .text, "Why, for everybody who asks for the release.")

    static let range = header("Range", "Up to eight ranges of bytes.")
    static let ifRange = header("If-Range", "The entity tag or date of the bytes the client has part of.")
    static let lastEventID = header("Last-Event-ID", "The tag of the last event that was seen; it wins over since.")
    static let ifMatch = header("If-Match", "The channel's entity tag when it was last seen.", isRequired: true)
    static let ifMatchOptional = header("If-Match", "The channel's entity tag when it was last seen.")
    static let contentDigest = header(
        "Content-Digest", "sha-256 of the content (RFC 9530), compared with what arrives.")
    static let reprDigest = header("Repr-Digest", "The same, of the representation.")

    /// What stands in paths.
    static func path(_ name: String) -> Parameter? {
        let (schema, about): (Schema, String)
        switch name {
        case "widgetIdentifier": (schema, about) = (.widgetIdentifier, "The name a host asks for.")
        case "id": (schema, about) = (.bundleIdentifier, "A bundle's identifier.")
        case "key", "otherKey": (schema, about) = (.releaseKey, "A release's key: short version, tilde, build.")
        case "channel": (schema, about) = (.channelName, "A channel's name.")
        case "hex": (schema, about) = (.digest, "The SHA-256 of an archive.")
        case "Name": (schema, about) = (.text, "The name of the archive's top folder without its ending.")
        case "FileName": (schema, about) = (.text, "Any name; what is inside decides.")
        case "path": (schema, about) = (.text, "The file's path inside the bundle's folder, slashes as they are.")
        case "code": (schema, about) = (.pattern("^[a-z-]+$"), "The last part of a problem's type.")
        case "name": (schema, about) = (.text, "A token's name.")
        default: return nil
        }
        return Parameter(name: name, place: .path, schema: schema, about: about, isRequired: true)
    }
}

/// Something an answer says besides its content.
struct Header: Sendable {
    let name: String
    let about: String

    static let entityTag = Header(name: "ETag", about: "Strong: the same for the same bytes.")
    static let cacheControl = Header(name: "Cache-Control", about: "Who may keep the answer, and how long.")
    static let lastModified = Header(name: "Last-Modified", about: "When it was published.")
    static let digest = Header(name: "Repr-Digest", about: "sha-256 of the whole (RFC 9530).")
    static let disposition = Header(name: "Content-Disposition", about: "The name to keep it under.")
    static let contentLocation = Header(name: "Content-Location", about: "Where the same bytes are for ever.")
    static let contentRange = Header(name: "Content-Range", about: "Which part it is, when it is one.")
    static let link = Header(name: "Link", about: "rel=\"next\" leads to the part that follows.")
    static let location = Header(name: "Location", about: "The release that was made.")
    static let policy = Header(name: "Content-Security-Policy", about: "Shown, it can do nothing.")
}
