/// Names of keys and classes that have a meaning for the graph itself, whatever it describes.
package enum NibKey {
    /// An element of a list, in the form with tables.
    package static let element = "UINibEncoderEmptyKey"
    /// Whether a list's elements follow in place.
    package static let isInlined = "NSInlinedValue"
    /// The contents of texts and data.
    package static let bytes = "NS.bytes"
    package static let elements = "NS.objects"
    package static let keys = "NS.keys"
    /// What a keyed archive has in place of nil.
    package static let nullClass = "$null"
}
