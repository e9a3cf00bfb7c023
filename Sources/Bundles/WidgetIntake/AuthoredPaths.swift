package import WidgetBundles
internal import WidgetBytes
package import WidgetFindings

/// The author's names for the files of a bundle, for messages: a bundle that was built from a folder of sources is not
/// on the author's disk.
package struct AuthoredPaths: Sendable {
    /// The start of every path, such as `Notes/`; `nil` for a bundle that was not built.
    private let root: String?
    /// The folder of the built bundle, with a slash at its end.
    private let bundle: String
    /// The sources of compiled files, and of the folders they are in, by their paths in the bundle.
    private var origins: [String: String]
    /// The sources of interfaces and storyboards by the names of their compiled files alone, where one source has files of that name.
    private var interfaces: [String: String] = [:]
    /// The lines of the sources, which are read once, however many views name them.
    private let lines = Guarded(AuthoredLines())

    /// The names in a bundle that was not built: its own.
    package static let own = AuthoredPaths(root: nil, bundle: "", origins: [:])

    private init(root: String?, bundle: String, origins: [String: String]) {
        (self.root, self.bundle, self.origins) = (root, bundle, origins)
    }

    /// - Parameters:
    ///   - folder: the folder of sources, as its author named it.
    ///   - bundle: the name of the built bundle's folder.
    ///   - origins: the sources of compiled files, by their paths in the bundle.
    init(in folder: String, bundle: String, origins: [String: String]) {
        let start = AuthoredPaths.start(folder)
        self.init(root: start.isEmpty ? "" : "\(start)/", bundle: "\(bundle)/", origins: origins)
        var sources: [String: Set<String>] = [:]
        var models: [String: Set<String>] = [:]
        for (path, source) in origins {
            let parts = path.split(separator: "/")
            guard let name = parts.last else { continue }
            if name.hasSuffix(".nib") { sources[String(name), default: []].insert(source) }
            let folder = parts.dropLast()
            guard let last = folder.last else { continue }
            if last.hasSuffix(".storyboardc") {
                self.origins[folder.joined(separator: "/")] = source
                // One that is found in a folder of a language is named without that folder.
                sources[String(last), default: []].insert(source)
            }
            if last.hasSuffix(".momd") { models[folder.joined(separator: "/"), default: []].insert(source) }
        }
        for (path, found) in models {
            // Of several versions, a finding about the model does not say which one it means.
            let versions = found.filter { $0.hasSuffix("/contents") }
            self.origins[path] =
                versions.count == 1 ? versions.first : found.subtracting(versions).min() ?? versions.min()
        }
        for (name, found) in sources where found.count == 1 { interfaces[name] = found.first }
    }

    /// The start of paths in a folder that was named so, without a slash at its end; empty for the working directory.
    package static func start(_ folder: String) -> String {
        var path = folder[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return path == "." ? "" : String(path)
    }

    /// True if the bundle was built from sources, whose paths these are.
    package var areOfSources: Bool { root != nil }

    /// The path of the author's file for a path in the bundle, or in the folder around it.
    package func source(of path: String) -> String {
        guard let root, !path.hasPrefix("/") else { return path }
        let inside = path.hasPrefix(bundle) ? String(path.dropFirst(bundle.count)) : path
        if let origin = origins[inside] { return root + origin }
        if let interface = interfaces[inside] { return root + interface }
        return root + inside
    }

    /// A note of the compiler, which begins with a path in the source.
    package func named(note: String) -> String { (root ?? "") + note }

    /// The refusal of the built bundle, with the paths of its sources.
    func named(_ error: BundleError) -> BundleError {
        guard areOfSources else { return error }
        var error = error
        error.path = error.path.map(source)
        if case .policy(let findings) = error.reason { error.reason = .policy(findings.map(named)) }
        return error
    }

    package func named(_ finding: Finding) -> Finding {
        var finding = finding
        finding.place = finding.place.map { named($0) }
        return finding
    }

    /// Findings with the author's names of files, and with lines in interfaces where those have the names at fault.
    package func named(_ findings: some Sequence<Finding>) -> [Finding] {
        guard areOfSources else { return Array(findings) }
        let found = findings.map { finding in named(finding) }
        return lines.withLock { lines in found.map { lines.located($0) } }
    }

    /// The place in the author's file. A place in a compiled interface keeps the interface's name, which has the ids of
    /// its objects.
    package func named(_ place: Place) -> Place {
        var named = place
        // A row inside an interface is named behind it.
        guard areOfSources, let inner = place.file.firstRange(of: AuthoredPaths.rowMark) else {
            return namedWhole(place)
        }
        named.file = String(place.file[..<inner.lowerBound])
        named = namedWhole(named)
        let row = place.file[inner.upperBound...]
        named.path = named.path.isEmpty ? String(row) : "\(row): \(named.path)"
        return named
    }

    /// Between the file of an interface and the kind of a row in it.
    private static let rowMark = " › "

    private func namedWhole(_ place: Place) -> Place {
        var named = place
        named.file = source(of: place.file)
        if areOfSources, place.path.isEmpty, place.file.hasSuffix(".nib"), !named.file.hasSuffix(".nib") {
            named.path = String((place.file.split(separator: "/").last ?? "").dropLast(".nib".count))
        }
        return named
    }

    package func named(_ warning: BundleWarning) -> BundleWarning {
        var warning = warning
        if !warning.path.isEmpty { warning.path = source(of: warning.path) }
        return warning
    }
}
