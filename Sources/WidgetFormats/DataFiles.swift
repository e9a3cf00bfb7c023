internal import WidgetCore

/// What has been read of a bundle's documents so far. Many screens may ask for one file, and one is enough.
struct DataFiles: Sendable {
    /// What the providers of all screens have read, by the names they read it under.
    var items: [String: [Value]] = [:]
    private var schemes: [String: SchemeFile] = [:]
    /// Bytes of documents that may still be read.
    private var left = DataFiles.limit

    /// More than any author writes by hand; every byte of it is read before anything is seen.
    static let limit = 4 << 20

    /// Whether a document is still to be read; if not, why.
    mutating func take(_ byteCount: Int, of path: String) -> Diagnostic? {
        left -= byteCount
        guard left < 0 else { return nil }
        return Diagnostic(
            .error, .byteBudget, "The schemes and data of all screens come to more than \(DataFiles.limit) bytes",
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
        let scheme = SchemeFile(bytes, path: path, identifier: identifier)
        schemes[identifier] = scheme
        return scheme
    }
}
