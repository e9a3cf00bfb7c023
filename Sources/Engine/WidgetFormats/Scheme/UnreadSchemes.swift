internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// Finds files with a scheme that no screen has the name of.
enum UnreadSchemes {
    /// The most files that are read for it.
    private static let most = 50

    /// - Parameters:
    ///   - free: the names of files that no screen is called like.
    ///   - missing: the screens without a scheme.
    ///   - storyboards: the names of those that were read. Another one may have more screens.
    static func diagnostics(
        _ free: [String], of missing: [String], _ files: BundleFiles, storyboards: Set<String>, _ limits: FormatLimits
    ) -> [Finding] {
        for path in files.paths {
            let folder = path.split(separator: "/").first { $0.hasSuffix(".storyboardc") }
            guard let name = folder?.dropLast(".storyboardc".count) else { continue }
            if !storyboards.contains(String(name)) { return [] }
        }
        return free.prefix(most).compactMap { name in
            guard let (path, bytes) = files.resource("\(name).json"),
                let root = try? JSONValue(parsing: bytes, limits: JSONLimits(byteCount: limits.dataByteCount)),
                let scheme = root[name] ?? only(of: root),
                scheme["objects"]?.object != nil || scheme["elements"]?.object != nil
            else { return nil }
            let meant = missing.count == 1 ? missing[0] : NearestName.of(name, in: missing)
            return Finding(
                .warning, .schemeName, "Nothing reads the scheme \(name.excerpt): no screen is called so",
                at: Place(file: path), value: name.excerpt, nearest: meant?.excerpt,
                hint: KeyTable.list(missing, "the screens without a scheme are"))
        }
    }

    /// The one scheme of a file, which may have another name than its file.
    private static func only(of root: JSONValue) -> JSONValue? {
        guard let members = root.object, members.count == 1 else { return nil }
        return members.members.first?.value
    }
}
