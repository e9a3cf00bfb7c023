package import JSONText

/// A parameter of a request as the OpenAPI document describes it.
package struct ParameterDescription: Sendable {
    package enum Place: String, Sendable { case path, query, header }

    package let name: String
    package let place: Place
    package let schema: Schema
    package let about: String
    package var isRequired = false

    package init(name: String, place: Place, schema: Schema, about: String, isRequired: Bool = false) {
        self.name = name
        self.place = place
        self.schema = schema
        self.about = about
        self.isRequired = isRequired
    }

    private static func header(_ name: String, _ about: String, _ schema: Schema = .text) -> ParameterDescription {
        ParameterDescription(name: name, place: .header, schema: schema, about: about)
    }

    package static let range = header("Range", "Up to eight ranges of bytes.")
    package static let ifRange = header("If-Range", "The entity tag or date of the bytes the client has part of.")
    package static let lastEventID = header(
        "Last-Event-ID", "The tag of the last event that was seen; it wins over since.")
    package static let ifMatch = header("If-Match", "The channel's entity tag when it was last seen.")
    package static let ifNoneMatch = header(
        "If-None-Match", "* where there is no such channel yet; other tags are no condition here.")
    private static let digests = Schema.pattern("^sha-256=:[0-9A-Za-z+/]{43}=:$")
    package static let contentDigest = header(
        "Content-Digest",
        "sha-256 of the content (RFC 9530), compared with what arrives; other algorithms beside it are not compared.",
        digests)
    package static let reprDigest = header("Repr-Digest", "The same, of the representation.", digests)

    /// The last part of the address that `curl -T` makes of a folder and a file: it stands where a bundle's identifier
    /// stands for those who read.
    package static let fileName = ParameterDescription(
        name: "id", place: .path, schema: .segment(), about: "Any name; what is inside decides.", isRequired: true)

    /// A variable part of a path, by its name in the route's template.
    package static func path(_ name: String) -> ParameterDescription? {
        let (schema, about): (Schema, String)
        switch name {
        case "widgetIdentifier": (schema, about) = (.widgetIdentifier, "The name a host asks for.")
        case "id": (schema, about) = (.bundleIdentifier, "A bundle's identifier.")
        case "key", "otherKey": (schema, about) = (.releaseKey, "A release's key: short version, tilde, build.")
        case "channel": (schema, about) = (.channelName, "A channel's name.")
        case "hex": (schema, about) = (.digest, "The SHA-256 of an archive.")
        case "Name": (schema, about) = (.segment(), "The name of the archive's top folder without its ending.")
        case "path": (schema, about) = (.segments, "The file's path inside the bundle's folder, slashes as they are.")
        case "code": (schema, about) = (.pattern("^[a-z-]+$"), "The last part of a problem's type.")
        case "name": (schema, about) = (.tokenName, "A token's name.")
        default: return nil
        }
        return ParameterDescription(name: name, place: .path, schema: schema, about: about, isRequired: true)
    }

    /// The parameter as an object of the OpenAPI document.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("in", place.rawValue)
            if isRequired { writer.member("required", true) }
            writer.member("description", about)
            writer.key("schema")
            schema.write(to: &writer)
        }
    }
}
