package import JSONText

/// Reads the declarative files of a bundle and says what it finds.
package enum FindingScan {
    /// `files` are the parsed JSON documents of a bundle by path inside the bundle folder.
    package static func findings(in files: [(path: String, document: JSONDocument)]) -> [Finding] {
        []
    }
}
