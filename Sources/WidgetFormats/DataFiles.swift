internal import WidgetCore

/// What has been read of a bundle's documents so far. Many screens may ask for one file, and one is enough.
struct DataFiles: Sendable {
    /// What the providers of all screens have read, by the names they read it under.
    var items: [String: [Value]] = [:]
    private var schemes: [String: SchemeFile] = [:]
    private let limits: FormatLimits
    /// Bytes of documents that may still be read.
    private var left: Int

    init(_ limits: FormatLimits) {
        self.limits = limits
        left = limits.dataByteCount
    }

    /// Whether a document is still to be read; if not, why.
    mutating func take(_ byteCount: Int, of path: String) -> Diagnostic? {
        left -= byteCount
        guard left < 0 else { return nil }
        return Diagnostic(
            .error, .byteBudget, "The schemes and data of all screens come to more than \(limits.dataByteCount) bytes",
            at: Place(file: path), hint: "this one is not read")
    }

    mutating func scheme(
        _ identifier: String, _ files: BundleFiles, _ diagnostics: inout [Diagnostic]
    ) -> SchemeFile? {
        if let known = schemes[identifier] { return known }
        guard let (path, bytes) = files.resource("\(identifier).json") else { return nil }
        if let refusal = take(bytes.count, of: path) {
            diagnostics.append(refusal)
            return nil
        }
        let scheme = SchemeFile(bytes, path: path, identifier: identifier, limits)
        schemes[identifier] = scheme
        return scheme
    }
}
